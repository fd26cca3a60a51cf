import type { RunEvent, RunRecord } from "../simulate/index.ts";
import type { Expectation } from "./expectation.ts";
import type { Scenario } from "./load.ts";
import { holds, lostAt } from "./measure.ts";
import { replayCommand } from "./replay-command.ts";

/** What one run amounts to. Every output (terminal, JSON, JUnit, HTML, exit code) reads this and nothing else (Y5). */
export interface Verdict {
  readonly kind: "passed" | "invariant-broken" | "expectation-not-met" | "not-deterministic" | "crashed";
  readonly failures: readonly Failure[];
  /** For each `sometimes` of the scenario, by its text: whether this run hit it. */
  readonly sometimes: Readonly<Record<string, boolean>>;
}

/** One thing that did not hold (Y6). */
export interface Failure {
  readonly what: string;
  readonly expected: string;
  readonly got: string;
  /** Null where the run has no such place. */
  readonly turn: number | null;
  readonly round: number | null;
  /** The three events before, and the one with which it was lost (the last of the run where it was never met). */
  readonly before: readonly RunEvent[];
  /** The command that shows it again. */
  readonly replay: string;
}

/** Judges a run by its scenario: invariants first, then each expectation. */
export function judge(scenario: Scenario, record: RunRecord): Verdict {
  const replay = replayCommand(scenario, record.header.seed);
  const broken = invariantFailures(scenario, record, replay);
  const unmet = scenario.expect.flatMap((expectation) => unmetBy(expectation, record.events, replay));
  return {
    kind: broken.length > 0 ? "invariant-broken" : unmet.length > 0 ? "expectation-not-met" : "passed",
    failures: [...broken, ...unmet],
    sometimes: Object.fromEntries(
      scenario.sometimes.map((rare) => {
        const { ok, got } = holds(rare, record.events);
        return [rare.text, ok && got !== null];
      }),
    ),
  };
}

function unmetBy(expectation: Expectation, events: readonly RunEvent[], replay: string): Failure[] {
  const { ok, got } = holds(expectation, events);
  if (ok) return [];
  const at = got === null ? events.length - 1 : lostAt(expectation, events);
  return [
    {
      what: `expectation ${expectation.text}`,
      expected: expectation.text,
      got: got === null ? "nothing to judge (say `or none` if that is right)" : String(got),
      ...placeOf(events, at),
      replay,
    },
  ];
}

/** `breaks` turns the question round: the run must break exactly what it names. */
function invariantFailures(scenario: Scenario, record: RunRecord, replay: string): Failure[] {
  const failures: Failure[] = [];
  const seen = new Set<string>();
  record.events.forEach((event, index) => {
    if (event.kind !== "invariant_broken" || seen.has(event.invariant)) return;
    seen.add(event.invariant);
    if (scenario.breaks.includes(event.invariant)) return;
    failures.push({
      what: `invariant ${event.invariant}`,
      expected: "holds at every request",
      got: event.detail,
      ...placeOf(record.events, index),
      replay,
    });
  });
  for (const invariant of scenario.breaks) {
    if (seen.has(invariant)) continue;
    failures.push({
      what: `breaks ${invariant}`,
      expected: "is broken in this run",
      got: "it held",
      ...placeOf(record.events, record.events.length - 1),
      replay,
    });
  }
  return failures;
}

function placeOf(events: readonly RunEvent[], index: number): Pick<Failure, "turn" | "round" | "before"> {
  const event = events[index];
  return {
    turn: event?.turn ?? null,
    round: event?.round ?? null,
    before: events.slice(Math.max(0, index - 3), index + 1),
  };
}
