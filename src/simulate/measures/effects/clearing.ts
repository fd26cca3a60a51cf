import type { Effect, EffectOptions } from "./effect.ts";
import { play, total } from "./effect.ts";

/** Sessions in which tool results are most of the context. */
const toolHeavy = ["exploration", "test-loop"] as const;

/** The published sessions have at most so many rounds; in longer ones, calls and texts alone fill the window. */
const mostRounds = 250;

/** Old tool results cleared, against nothing compacted at all, on the same sessions. */
export async function clearingHalvesCost({ seed, rounds }: EffectOptions): Promise<Effect> {
  let [byRules, whenFull, whole] = [0, 0, 0];
  for (const profile of toolHeavy) {
    const length = Math.min(rounds, mostRounds);
    const session = { profile, rounds: length, summariser: "perfect", noteTaker: "perfect" } as const;
    const rules = { name: "four-layer", config: { sessionMemory: { enabled: false } }, env: {} } as const;
    const full = { name: "clear-tool-results", config: {}, env: {} } as const;
    const nothing = { name: "none", config: {}, env: {} } as const;
    byRules += total(await play(session, rules, { seed }), "dollars");
    whenFull += total(await play(session, full, { seed }), "dollars");
    whole += total(await play(session, nothing, { seed, window: "unlimited" }), "dollars");
  }
  const share = (cost: number): number => (100 * cost) / whole;
  return {
    says: "clearing old tool results costs less than no compaction on tool-heavy sessions, most of all when they are cleared all along",
    source: "Lindenbauer et al., The Complexity Trap (arXiv 2508.21433): observation masking about halves cost",
    holds: byRules < whenFull && whenFull < whole,
    figures: [
      { name: "cost of clearing all along, of the whole", unit: "%", published: 50, measured: share(byRules) },
      {
        name: "cost of clearing when nearly full, of the whole",
        unit: "%",
        published: null,
        measured: share(whenFull),
      },
    ],
  };
}
