import type { Effect, EffectOptions } from "./effect.ts";
import { play, total } from "./effect.ts";

/** Sessions in which tool results are most of the context. */
const toolHeavy = ["exploration", "test-loop"] as const;

/** Old tool results cleared, against nothing compacted at all, on the same sessions. */
export async function clearingHalvesCost({ seed, rounds }: EffectOptions): Promise<Effect> {
  let cleared = 0;
  let whole = 0;
  for (const profile of toolHeavy) {
    const session = { profile, rounds, summariser: "perfect", noteTaker: "perfect" } as const;
    const clearing = { name: "clear-tool-results", config: {}, env: {} } as const;
    const nothing = { name: "none", config: {}, env: {} } as const;
    cleared += total(await play(session, clearing, { seed }), "dollars");
    whole += total(await play(session, nothing, { seed, window: "unlimited" }), "dollars");
  }
  return {
    says: "clearing old tool results costs less than no compaction on tool-heavy sessions",
    source: "Lindenbauer et al., The Complexity Trap (arXiv 2508.21433): observation masking about halves cost",
    holds: cleared < whole,
    figures: [{ name: "cost of clearing, of the whole", unit: "%", published: 50, measured: (100 * cleared) / whole }],
  };
}
