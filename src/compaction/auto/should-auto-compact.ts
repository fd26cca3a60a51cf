import type { QuerySource } from "../../transcript/index.ts";
import type { AutoConfig } from "../config.ts";
import type { AutoCompactBlocker } from "../events.ts";

/**
 * Whether automatic compaction is due (AC5), or what stands in its way. The checks come in this order, and `tokens` is asked for last:
 * an agent that compacts must not compact itself; collapse would lose its log; somebody switched it off; another mode owns the lines.
 */
export function shouldAutoCompact(
  source: QuerySource,
  config: AutoConfig,
  threshold: number,
  tokens: () => number,
): "compact" | "below" | AutoCompactBlocker {
  if (source === "session_memory" || source === "compact") return "source";
  if (source === "context_collapse") return "source";
  if (!config.compactEnabled || !config.autoCompactEnabled) return "disabled";
  if (config.mode === "reactive-only") return "reactive-only";
  if (config.mode === "collapse") return "collapse-mode";
  return tokens() >= threshold ? "compact" : "below";
}
