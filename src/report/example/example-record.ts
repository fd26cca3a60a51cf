import type { RunRecord } from "../events.ts";
import { chance } from "./chance.ts";
import { compactOnce } from "./example-compaction.ts";
import type { ExampleSession } from "./example-session.ts";
import { askOnce, startSession } from "./example-session.ts";

export interface ExampleOptions {
  readonly scenario: string;
  readonly seed: number;
  readonly rounds: number;
  /** Faults, a breaker that opens, facts that are lost and an invariant that breaks. */
  readonly trouble: boolean;
}

/** A made-up record of a plausible run, holding every kind of event when there is trouble: what the tests of the pages draw. */
export function exampleRecord({ scenario, seed, rounds, trouble }: ExampleOptions): RunRecord {
  const session = startSession(chance(seed), trouble);
  const perTurn = 7;
  for (let round = 1; round <= rounds; round++) {
    session.round = round;
    if (round % perTurn === 1) beginTurn(session);
    if (session.context() > lines.autoCompact) compactOnce(session);
    askOnce(session);
    if (round % perTurn === 0 || round === rounds) endTurn(session, perTurn);
  }
  if (trouble) rareEvents(session);
  session.emit({ kind: "run_ended", how: "completed", detail: "every goal of the user is done" });
  return {
    header: {
      kind: "header",
      schema: 1,
      longhaul: "0.1.0",
      scenario,
      seed: String(seed),
      profile: "bugfix",
      rounds,
      model: "claude-sonnet-4-5",
      strategy: "four-layers",
      transport: "msw",
      config: {
        strategy: { name: "four-layers", config: { microcompact: { gapMinutes: 60, keepRecent: 5 } } },
        note: "</script><b>&",
      },
      lines,
    },
    events: session.events,
    footer: {
      kind: "footer",
      events: session.events.length,
      hash: "9f2c7a10",
      metrics: [
        { name: "dollars", labels: {}, value: 4.2 },
        { name: "dollars", labels: { source: "main" }, value: 3.9 },
        { name: "cache_hit_rate", labels: {}, value: 0.91 },
      ],
      broken: trouble ? ["kept-tail-unchanged"] : [],
    },
  };
}

const lines: RunRecord["header"]["lines"] = {
  window: 200_000,
  effectiveWindow: 180_000,
  warning: 147_000,
  autoCompact: 167_000,
  blocking: 177_000,
};

function beginTurn(session: ExampleSession): void {
  session.turn += 1;
  const idleMinutes = session.turn === 6 ? 61 : session.draw() < 0.3 ? 4 : 0;
  if (idleMinutes > 0) {
    session.emit({ kind: "user_waited", ms: idleMinutes * 60_000 });
    session.wait(idleMinutes * 60_000);
  }
  session.emit({ kind: "user_said", goal: `goal-${session.turn}`, chars: 420 });
  session.emit({ kind: "turn_started", humanUuid: `human-${session.turn}`, chars: 420 });
  session.origin.user += 120;
  session.born("goal", false);
  session.born("constraint", false);
  if (idleMinutes >= 60) {
    const freed = Math.round(session.origin.toolResults * 0.4);
    session.origin.toolResults -= freed;
    session.cold = true;
    session.emit({
      kind: "microcompact",
      path: "time",
      cleared: ["toolu_a", "toolu_b", "toolu_c"],
      tokensFreed: freed,
    });
  }
}

function endTurn(session: ExampleSession, rounds: number): void {
  session.emit({ kind: "goal_done", goal: `goal-${session.turn}` });
  session.emit({ kind: "turn_ended", outcome: "completed", error: null, rounds });
}

/** What a run of this length would hardly show, once each, at the end. */
function rareEvents(session: ExampleSession): void {
  const rare: readonly Parameters<ExampleSession["emit"]>[0][] = [
    { kind: "cache_edits_pinned", messageUuid: "m-1", toolUseIds: ["toolu_a"] },
    { kind: "compact_aborted", trigger: "manual", layer: "full" },
    { kind: "compact_fallback_streaming", reason: "stream cut", attempt: 2 },
    { kind: "sm_compact_skipped", reason: "notes are an empty template" },
    { kind: "collapse_staged", spans: 2, tokens: 9_000 },
    { kind: "collapse_committed", spans: 2, tokensFreed: 8_100 },
    { kind: "collapse_drained", spans: 2 },
    { kind: "rounds_dropped", messages: 6, tokens: 12_000, why: "overflow with nothing else left" },
    { kind: "pairing_repaired", repairs: { "orphan-result": 1 } },
    { kind: "thinking_dropped", blocks: 3, why: "rebound" },
    { kind: "blocked", tokens: 178_200, limit: 177_000 },
    { kind: "notice", code: "no_progress", text: "the summary is as long as what it replaces" },
    { kind: "edits_applied", moment: "beforeRequest", edits: { clear: 3 }, tokensBefore: 90_000, tokensAfter: 80_000 },
    { kind: "contract_broken", what: "an edit splits a pair" },
    { kind: "user_aborted" },
    { kind: "client_sin", sin: "retry-storm", detail: "4 requests within 1 s" },
    { kind: "stale_value", fact: "port-8080", factKind: "exact-value" },
    { kind: "duplicate_work", step: "step-12" },
    { kind: "lost_goal", goal: null },
    { kind: "invariant_broken", invariant: "kept-tail-unchanged", detail: "message m-77 lost a block" },
  ];
  for (const event of rare) session.emit(event);
}
