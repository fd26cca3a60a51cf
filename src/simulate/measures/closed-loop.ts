import type { FactKind, ProfileName } from "../../workload/index.ts";
import type { RunEvent, RunRecord } from "../record.ts";
import { runSession } from "../run-session.ts";
import type { RunSpec } from "../run-spec.ts";

/**
 * Who remembers (issue 6): the four layers with a summariser and a note taker that lose nothing, or that lose what the assumptions say; the
 * oldest rounds dropped; and a window without end, the reference that every other way is held against.
 */
export const memoryWays = ["perfect", "typical", "truncate-oldest", "unlimited"] as const;
export type MemoryWay = (typeof memoryWays)[number];

/** What forgetting did in one session. */
export interface LoopRow {
  readonly profile: ProfileName;
  readonly way: MemoryWay;
  readonly seed: string;
  readonly ends: "completed" | "stuck" | "failed";
  readonly goalsDone: number;
  readonly goals: number;
  readonly rounds: number;
  readonly compactions: number;
  /** Times that rounds were dropped and said to be: by a retry of a summary, or by recovery. */
  readonly statedDrops: number;
  readonly violations: number;
  readonly refetches: number;
  readonly staleValues: number;
  readonly duplicateWork: number;
  readonly lostGoals: number;
  readonly dollars: number;
  readonly brokenInvariants: readonly string[];
  /** Needs of facts that no tool call brings back, after a compaction that came after their birth. */
  readonly needsAcrossCompactions: number;
  readonly byKind: readonly KindInLoop[];
}

/** What became of the facts of one kind. */
export interface KindInLoop {
  readonly kind: FactKind;
  /** First needs of a fact after a compaction that came after its birth, and how many of these found it gone or changed. */
  readonly needed: number;
  readonly gone: number;
  readonly violations: number;
  readonly refetches: number;
}

export interface LoopOptions {
  readonly rounds: number;
  readonly seed: string;
  /** Tokens; null: the model's own. A small one makes a short session compact often. */
  readonly window: number | null;
}

/** Plays one session and counts. Equal arguments give equal rows. */
export async function playLoop(profile: ProfileName, way: MemoryWay, options: LoopOptions): Promise<LoopRow> {
  return readLoop(await runSession(loopSpec(profile, way, options)), profile, way);
}

function loopSpec(profile: ProfileName, way: MemoryWay, { rounds, seed, window }: LoopOptions): RunSpec {
  const memory = way === "typical" ? "typical" : "perfect";
  return {
    scenario: `loop-${profile}-${way}`,
    seed,
    session: { profile, rounds, summariser: memory, noteTaker: memory },
    // Only this profile starts on a large window; the others live in 200K from the beginning.
    model: {
      id: profile === "model-switch" ? "claude-sonnet-4-6" : "claude-sonnet-4-5",
      fallback: null,
      provider: "anthropic",
      window: way === "unlimited" ? "unlimited" : window,
      trueWindow: null,
    },
    strategy: {
      name: way === "unlimited" ? "none" : way === "truncate-oldest" ? "truncate-oldest" : "four-layer",
      config: {},
      env: {},
    },
    faults: [],
    toolFaults: [],
    user: [],
    transport: "direct",
  };
}

function readLoop({ header, events, footer }: RunRecord, profile: ProfileName, way: MemoryWay): LoopRow {
  const count = (kind: RunEvent["kind"]): number => events.filter((event) => event.kind === kind).length;
  const end = events.findLast((event) => event.kind === "run_ended");
  const [done, goals] = /^(\d+) of (\d+)/.exec(end?.kind === "run_ended" ? end.detail : "")?.slice(1) ?? [];
  const kinds = countByKind(events);
  const isDrop = (event: RunEvent): boolean =>
    event.kind === "compact_ptl_retry" ||
    event.kind === "rounds_dropped" ||
    (event.kind === "notice" && event.code === "compact_head_cut_ahead");
  return {
    profile,
    way,
    seed: header.seed,
    ends: end?.kind === "run_ended" ? end.how : "failed",
    goalsDone: Number(done),
    goals: Number(goals),
    rounds: end?.kind === "run_ended" ? end.round : 0,
    compactions: count("compact_succeeded"),
    statedDrops: events.filter(isDrop).length,
    violations: count("violation"),
    refetches: count("refetch"),
    staleValues: count("stale_value"),
    duplicateWork: count("duplicate_work"),
    lostGoals: count("lost_goal"),
    dollars: events.reduce((sum, event) => sum + (event.kind === "served" ? event.dollars : 0), 0),
    brokenInvariants: footer.broken,
    needsAcrossCompactions: kinds.across,
    byKind: kinds.rows,
  };
}

/** Kinds that the user brings up. */
const fromUser: ReadonlySet<FactKind> = new Set(["constraint", "preference", "pending-task", "exact-value"]);

function countByKind(events: readonly RunEvent[]): { readonly across: number; readonly rows: readonly KindInLoop[] } {
  const born = new Map<string, { readonly epoch: number; readonly turn: number; readonly fetchable: boolean }>();
  const judged = new Set<string>();
  const rows = new Map<FactKind, { needed: number; gone: number; violations: number; refetches: number }>();
  const rowOf = (kind: FactKind) => {
    const row = rows.get(kind) ?? { needed: 0, gone: 0, violations: 0, refetches: 0 };
    rows.set(kind, row);
    return row;
  };
  let epoch = 0;
  let across = 0;
  for (const event of events) {
    switch (event.kind) {
      case "compact_succeeded":
        epoch++;
        break;
      case "fact_born":
        born.set(event.fact, { epoch, turn: event.turn, fetchable: event.fetchable });
        break;
      case "violation":
        rowOf(event.factKind).violations++;
        break;
      case "refetch":
        rowOf(event.factKind).refetches++;
        break;
      case "fact_needed": {
        const birth = born.get(event.fact);
        if (birth === undefined || birth.epoch === epoch) break;
        if (!birth.fetchable) across++;
        // What the newest human message says stays verbatim (FC9), whatever a summary forgets.
        if (judged.has(event.fact) || (fromUser.has(event.factKind) && birth.turn === event.turn)) break;
        judged.add(event.fact);
        const row = rowOf(event.factKind);
        row.needed++;
        if (event.found !== "visible") row.gone++;
        break;
      }
      default:
    }
  }
  return { across, rows: [...rows].map(([kind, row]) => ({ kind, ...row })) };
}
