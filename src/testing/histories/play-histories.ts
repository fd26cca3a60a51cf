import { createRng, createStableHash } from "../../determinism/index.ts";
import { BrokenPromise } from "./broken-promise.ts";
import type { HistoryTally } from "./history-state.ts";
import { playHistory } from "./play-history.ts";

/** What came of random histories against the compaction library (simulation.md O4 as far as a library can keep it). */
export interface HistoriesReport {
  readonly seed: number;
  readonly histories: number;
  readonly operations: number;
  readonly compactions: HistoryTally["compactions"];
  readonly failed: number;
  readonly aborted: number;
  /** Histories that compacted more than once. */
  readonly compactedAgain: number;
  /** The same for the same seed and number of histories. */
  readonly hash: string;
  /** The first that broke a promise; none after it was played. */
  readonly broken: { readonly history: number; readonly what: string; readonly stack: string } | null;
}

export interface HistoriesPlan {
  readonly seed: number;
  /** First history played; each is drawn from (seed, its number) alone. */
  readonly from: number;
  /** Asked before each history. */
  readonly goesOn: (report: Omit<HistoriesReport, "hash" | "broken">) => boolean;
}

/** Plays random histories one after the other, until `goesOn` says no or one breaks a promise. Never rejects. */
export async function playHistories({ seed, from, goesOn }: HistoriesPlan): Promise<HistoriesReport> {
  const rng = createRng(seed);
  const hash = createStableHash();
  const compactions = { full: 0, "session-memory": 0, drop: 0 };
  const totals = { seed, histories: 0, operations: 0, compactions, failed: 0, aborted: 0, compactedAgain: 0 };
  for (let n = from; goesOn(totals); n++) {
    const tally: HistoryTally = {
      operations: 0,
      compactions: { full: 0, "session-memory": 0, drop: 0 },
      failed: 0,
      aborted: 0,
    };
    const broken = await playHistory(rng.fork("history", n), hash, tally).then(
      () => null,
      (error: unknown) => explain(n, error),
    );
    const { full, drop, "session-memory": notes } = tally.compactions;
    totals.histories++;
    totals.operations += tally.operations;
    totals.failed += tally.failed;
    totals.aborted += tally.aborted;
    compactions.full += full;
    compactions.drop += drop;
    compactions["session-memory"] += notes;
    if (full + drop + notes > 1) totals.compactedAgain++;
    if (broken !== null) return { ...totals, hash: hash.digest(), broken };
  }
  return { ...totals, hash: hash.digest(), broken: null };
}

function explain(history: number, error: unknown): HistoriesReport["broken"] {
  if (error instanceof BrokenPromise) return { history, what: error.message, stack: error.stack ?? "" };
  if (error instanceof Error) return { history, what: `crash: ${error.message}`, stack: error.stack ?? "" };
  return { history, what: `crash: ${String(error)}`, stack: "" };
}
