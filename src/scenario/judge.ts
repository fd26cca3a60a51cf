import type { RunEvent, RunRecord } from "../simulate/index.ts";
import { combine, metricDefinitions, percentile, samplesOf } from "../simulate/index.ts";
import type { Expectation } from "./expectation.ts";
import { passes } from "./expectation.ts";
import type { Scenario } from "./load.ts";

/** What one run amounts to. Every output (terminal, JSON, JUnit, HTML, exit code) reads this and nothing else (Y5). */
export interface Verdict {
  readonly kind: "passed" | "invariant-broken" | "expectation-not-met";
  readonly failures: readonly Failure[];
  /** For each `sometimes` of the scenario, by its text: whether this run hit it. */
  readonly sometimes: Readonly<Record<string, boolean>>;
}

/** One thing that did not hold (Y6). */
export interface Failure {
  readonly what: string;
  readonly expected: string;
  readonly got: string;
  /** Turn and round, where the failure has a place. */
  readonly turn: number | null;
  readonly round: number | null;
  /** The events just before, newest last. */
  readonly before: readonly RunEvent[];
  /** The command that shows it again. */
  readonly replay: string;
}

/** Judges a run by its scenario: invariants first, then each expectation. */
export function judge(scenario: Scenario, record: RunRecord): Verdict {
  const replay = `npx longhaul run ${scenario.file} --seed ${record.header.seed}`;
  const broken = invariantFailures(scenario, record, replay);
  const unmet = scenario.expect.flatMap((expectation) => {
    const got = measure(expectation, record);
    if (got === null ? expectation.orNone : passes(expectation.test, got)) return [];
    const failure: Failure = {
      what: `expectation ${expectation.text}`,
      expected: expectation.text,
      got: got === null ? "nothing to judge (say `or none` if that is right)" : String(got),
      turn: null,
      round: null,
      before: [],
      replay,
    };
    return [failure];
  });
  return {
    kind: broken.length > 0 ? "invariant-broken" : unmet.length > 0 ? "expectation-not-met" : "passed",
    failures: [...broken, ...unmet],
    sometimes: Object.fromEntries(scenario.sometimes.map((rare) => [rare.text, holds(rare, record)])),
  };
}

function holds(expectation: Expectation, record: RunRecord): boolean {
  const got = measure(expectation, record);
  return got !== null && passes(expectation.test, got);
}

/** The value that an expectation speaks of; null when the run had nothing to judge it by. */
export function measure({ subject, orNone }: Expectation, record: RunRecord): number | string | null {
  switch (subject.kind) {
    case "ends":
      return endOf(record);
    case "event": {
      const hits = record.events.filter(
        (event) =>
          event.kind === subject.name &&
          Object.entries(subject.labels).every(
            ([field, value]) => String((event as unknown as Record<string, unknown>)[field]) === value,
          ),
      );
      return hits.length === 0 && orNone ? null : hits.length;
    }
    case "metric": {
      const definition = metricDefinitions.get(subject.name);
      if (definition === undefined) return null;
      const samples = samplesOf(definition, record.events, subject.labels);
      return subject.percentile === null
        ? combine(definition.combine, samples)
        : percentile(samples, subject.percentile);
    }
  }
}

function endOf(record: RunRecord): string | null {
  const end = record.events.findLast((event) => event.kind === "run_ended");
  return end?.kind === "run_ended" ? end.how : null;
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
      turn: event.turn,
      round: event.round,
      before: record.events.slice(Math.max(0, index - 3), index),
      replay,
    });
  });
  for (const invariant of scenario.breaks) {
    if (seen.has(invariant)) continue;
    failures.push({
      what: `breaks ${invariant}`,
      expected: "is broken in this run",
      got: "it held",
      turn: null,
      round: null,
      before: [],
      replay,
    });
  }
  return failures;
}
