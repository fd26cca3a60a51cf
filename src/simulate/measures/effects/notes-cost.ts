import type { Effect, EffectOptions } from "./effect.ts";
import { play, total } from "./effect.ts";

/** Notes taken all along, against a summary made when it is needed, on the same session. */
export async function notesCostMoreAndWaitLess({ seed, rounds }: EffectOptions): Promise<Effect> {
  const session = { profile: "long-autonomous", rounds, summariser: "perfect", noteTaker: "perfect" } as const;
  // Rules clear nothing here, so that both compact, and equally often.
  const without = { micro: { cached: { enabled: false } } };
  const strategy = (enabled: boolean) =>
    ({ name: "four-layer", config: { ...without, sessionMemory: { enabled } }, env: {} }) as const;
  const notes = await play(session, strategy(true), { seed });
  const summaries = await play(session, strategy(false), { seed });
  const [notesCost, summaryCost] = [total(notes, "dollars"), total(summaries, "dollars")];
  const [notesWait, summaryWait] = [
    total(notes, "compaction_wait_seconds"),
    total(summaries, "compaction_wait_seconds"),
  ];
  return {
    says: "session memory costs more and waits less",
    source: "the public analysis of session memory: notes are ready when the window is full (compaction.md SM)",
    holds: notesCost > summaryCost && notesWait < summaryWait,
    figures: [
      { name: "cost with notes", unit: "$", published: null, measured: notesCost },
      { name: "cost with summaries", unit: "$", published: null, measured: summaryCost },
      { name: "wait with notes", unit: "s", published: null, measured: notesWait },
      { name: "wait with summaries", unit: "s", published: null, measured: summaryWait },
    ],
  };
}
