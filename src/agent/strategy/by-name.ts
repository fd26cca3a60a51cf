import { assertNever } from "../../transcript/index.ts";
import { clearToolResults } from "./clear-tool-results.ts";
import type { FourLayerOptions } from "./four-layer.ts";
import { fourLayer } from "./four-layer.ts";
import { none } from "./none.ts";
import type { Strategy } from "./port.ts";
import { summarizeOnly } from "./summarize-only.ts";
import { truncateOldest } from "./truncate-oldest.ts";

export const strategyNames = ["four-layer", "none", "truncate-oldest", "clear-tool-results", "summarize-only"] as const;
export type StrategyName = (typeof strategyNames)[number];

/** The strategy of that name. The options are those of `four-layer`; the others have none. */
export function createStrategy(name: StrategyName, options: FourLayerOptions = {}): Strategy {
  switch (name) {
    case "four-layer":
      return fourLayer(options);
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
