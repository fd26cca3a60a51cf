import type { SurvivalCell } from "../charts/fact-survival.ts";
import { eventsOf } from "../digest.ts";
import type { RunEvent } from "../events.ts";
import { words } from "./names.ts";

/** From what hurts most to what can be looked up again; a kind that is not named here comes last. */
const painOrder = [
  "goal",
  "current-step",
  "constraint",
  "pending-task",
  "decision",
  "file-modified",
  "error-fix",
  "preference",
  "exact-value",
  "file-read",
  "reason",
  "rejected-approach",
  "tool-detail",
];

/** What was left of the facts, by kind, after each compaction; kinds without a living fact are left out. */
export function survivalCells(events: readonly RunEvent[]): SurvivalCell[] {
  return eventsOf(events, "fact_census").flatMap(({ byKind, round, turn }, index) =>
    Object.entries(byKind)
      .filter(([, { alive }]) => alive > 0)
      .sort(([a], [b]) => place(a) - place(b))
      .map(([kind, { alive, visible, fetchable }]) => ({
        kind: words(kind),
        compaction: index + 1,
        round,
        turn,
        alive,
        visible,
        fetchable,
        share: visible / alive,
      })),
  );
}

/** The kinds of facts that were alive at any compaction, what hurts most first. */
export function kindsOf(events: readonly RunEvent[]): string[] {
  const kinds = eventsOf(events, "fact_census").flatMap(({ byKind }) =>
    Object.keys(byKind).filter((kind) => (byKind[kind]?.alive ?? 0) > 0),
  );
  return [...new Set(kinds)].sort((a, b) => place(a) - place(b)).map(words);
}

function place(kind: string): number {
  const index = painOrder.indexOf(kind);
  return index === -1 ? painOrder.length : index;
}
