import type { CompactionConfig } from "../../compaction/index.ts";
import { assertNever } from "../../transcript/index.ts";
import { clearToolResults } from "./clear-tool-results.ts";
import { none } from "./none.ts";
import type { Strategy } from "./port.ts";
import { summarizeOnly } from "./summarize-only.ts";
import { truncateOldest } from "./truncate-oldest.ts";

export const strategyNames = ["none", "truncate-oldest", "clear-tool-results", "summarize-only"] as const;
export type StrategyName = (typeof strategyNames)[number];

/** The strategy of that name. Only `four-layer` reads the config. */
export function createStrategy(name: StrategyName, _options: { readonly config: CompactionConfig }): Strategy {
  switch (name) {
    case "none":
      return none;
    case "truncate-oldest":
      return truncateOldest();
    case "clear-tool-results":
      return clearToolResults();
    case "summarize-only":
      return summarizeOnly;
    default:
      return assertNever(name);
  }
}
