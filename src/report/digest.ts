import { groupBy, most, sum, tally } from "./counting.ts";
import type { EventOf, RunEvent, RunRecord } from "./events.ts";

/** The figures of one run that both the run's page and the suite's state, counted from its events. */
export interface Digest {
  readonly turns: number;
  readonly rounds: number;
  /** Virtual time from the start to the last event, ms. */
  readonly virtualMs: number;
  /** Of it: idle user; waiting for compactions. */
  readonly idleMs: number;
  readonly compactingMs: number;
  readonly requests: number;
  readonly retries: number;
  readonly failedRequests: number;
  readonly layers: Readonly<Record<LayerName, number>>;
  readonly failedCompactions: number;
  readonly breakerTrips: number;
  readonly tokensFreed: number;
  /** By kind of fault. */
  readonly faults: ReadonlyMap<string, number>;
  readonly billed: Billed;
  readonly billedBySource: ReadonlyMap<string, Billed>;
  /** Largest input of a main request as the server counted it, refused ones included, tokens. */
  readonly peakTokens: number;
  readonly violations: number;
  readonly refetches: number;
  readonly duplicateSteps: number;
  readonly lostGoals: number;
  readonly staleValues: number;
  readonly goalsDone: number;
  /** Null: the record ends without saying how. */
  readonly ended: EventOf<"run_ended"> | null;
  /** Names of the invariants that broke, each once. */
  readonly broken: readonly string[];
}

/** What acted on the context. A reactive compaction counts as reactive, whatever its layer. */
export const layerNames = ["microcompact", "session memory", "full summary", "reactive", "last resort"] as const;
export type LayerName = (typeof layerNames)[number];

/** Tokens as billed, and their price. */
export interface Billed {
  readonly read: number;
  readonly write: number;
  readonly uncached: number;
  readonly output: number;
  readonly dollars: number;
}

/** A record without its events. */
export interface DigestedRecord {
  readonly header: RunRecord["header"];
  readonly hash: string;
  readonly figures: Digest;
}

export function digestRecord(record: RunRecord): DigestedRecord {
  return { header: record.header, hash: record.footer.hash, figures: digest(record) };
}

export function digest({ events, footer }: RunRecord): Digest {
  const of = <K extends RunEvent["kind"]>(kind: K): EventOf<K>[] => eventsOf(events, kind);
  const main = of("request_sent").filter((e) => e.querySource === "main");
  const failures = of("request_failed");
  const compacted = of("compact_succeeded");
  const seen = [...of("served"), ...of("refused")].filter((e) => e.querySource === "main");
  const bySource = groupBy(of("served"), (e) => e.querySource);
  return {
    turns: of("turn_started").length,
    rounds: of("response_received").filter((e) => e.querySource === "main").length,
    virtualMs: (events.at(-1)?.at ?? 0) - (events[0]?.at ?? 0),
    idleMs: sum(of("user_waited"), (e) => e.ms),
    compactingMs: sum(compacted, (e) => e.durationMs) + sum(of("compact_failed"), (e) => e.durationMs),
    requests: of("request_sent").length,
    retries: failures.filter((e) => e.retryInMs !== null).length,
    failedRequests: failures.length,
    layers: {
      microcompact: of("microcompact").length,
      "session memory": compacted.filter((e) => e.trigger !== "reactive" && e.layer === "session-memory").length,
      "full summary": compacted.filter((e) => e.trigger !== "reactive" && e.layer === "full").length,
      reactive: compacted.filter((e) => e.trigger === "reactive").length,
      "last resort": of("rounds_dropped").length + of("collapse_committed").length,
    },
    failedCompactions: of("compact_failed").length,
    breakerTrips: of("breaker_opened").length,
    tokensFreed: sum(compacted, (e) => e.tokensBefore - e.tokensAfter) + sum(of("microcompact"), (e) => e.tokensFreed),
    faults: tally(of("fault_injected"), (e) => e.faultKind),
    billed: bill(of("served")),
    billedBySource: new Map([...bySource].map(([source, served]) => [source, bill(served)])),
    peakTokens: most([...seen.map((e) => e.trueTokens), ...(seen.length === 0 ? main.map((e) => e.estimate) : [])]),
    violations: of("violation").length,
    refetches: of("refetch").length,
    duplicateSteps: of("duplicate_work").length,
    lostGoals: of("lost_goal").length,
    staleValues: of("stale_value").length,
    goalsDone: of("goal_done").length,
    ended: of("run_ended").at(-1) ?? null,
    broken: [...new Set([...footer.broken, ...of("invariant_broken").map((e) => e.invariant)])],
  };
}

/** The events of one kind, in order. */
export function eventsOf<K extends RunEvent["kind"]>(events: readonly RunEvent[], kind: K): EventOf<K>[] {
  return events.filter((event): event is EventOf<K> => event.kind === kind);
}

/** Share of the input that the server's cache gave, weighted by tokens; null when nothing was sent. */
export function cacheHit({ read, write, uncached }: Billed): number | null {
  const input = read + write + uncached;
  return input === 0 ? null : read / input;
}

export function addBills(bills: readonly Billed[]): Billed {
  return {
    read: sum(bills, (b) => b.read),
    write: sum(bills, (b) => b.write),
    uncached: sum(bills, (b) => b.uncached),
    output: sum(bills, (b) => b.output),
    dollars: sum(bills, (b) => b.dollars),
  };
}

function bill(served: readonly EventOf<"served">[]): Billed {
  return addBills(served.map(({ billed, dollars }) => ({ ...billed, dollars })));
}
