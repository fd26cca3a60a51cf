import { roughTokenCount } from "../../tokens/index.ts";
import type { WireBlock, WireTool } from "../../transcript/index.ts";

/** Estimated tokens of what stands before the messages. */
export interface Overhead {
  readonly system: number;
  readonly tools: number;
}

/** By the rule of thumb (T1), rounded up. */
export function overheadOf(system: string | readonly WireBlock[], tools: readonly WireTool[]): Overhead {
  const text = typeof system === "string" ? system : system.map(({ text }) => String(text ?? "")).join("\n");
  return {
    system: Math.ceil(roughTokenCount(text)),
    tools: tools.length === 0 ? 0 : Math.ceil(roughTokenCount(JSON.stringify(tools))),
  };
}
