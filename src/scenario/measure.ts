import type { RunEvent } from "../simulate/index.ts";
import { combine, metricDefinitions, percentile, samplesOf } from "../simulate/index.ts";
import type { Expectation, Labels } from "./expectation.ts";
import { passes } from "./expectation.ts";

/** Whether an expectation holds of the events of a run, and the value that it was held against: null where there was nothing to judge, which only `or none` forgives (Y3). */
export function holds(
  expectation: Expectation,
  events: readonly RunEvent[],
): { ok: boolean; got: number | string | null } {
  const got = measure(expectation, events);
  return { ok: got === null ? expectation.orNone : passes(expectation.test, got), got };
}

/** The value that an expectation speaks of; null when the events give nothing to judge it by. */
function measure(expectation: Expectation, events: readonly RunEvent[]): number | string | null {
  const { subject } = expectation;
  switch (subject.kind) {
    case "ends": {
      const end = events.findLast((event) => event.kind === "run_ended");
      return end?.kind === "run_ended" ? end.how : null;
    }
    case "event": {
      const hits = events.filter((event) => event.kind === subject.name && hasLabels(event, subject.labels)).length;
      return hits === 0 && absenceProvesNothing(expectation) ? null : hits;
    }
    case "metric": {
      const definition = metricDefinitions.get(subject.name);
      if (definition === undefined) return null;
      const samples = samplesOf(definition, events, subject.labels);
      return subject.percentile === null
        ? combine(definition.combine, samples)
        : percentile(samples, subject.percentile);
    }
  }
}

function hasLabels(event: RunEvent, labels: Labels): boolean {
  const fields = event as unknown as Readonly<Record<string, unknown>>;
  return Object.entries(labels).every(([field, value]) => String(fields[field]) === value);
}

/** `at_most 3` of an event that never came says nothing of the code that it is about; `exactly 0` asks for just that, and `at_least 1` fails anyway. */
function absenceProvesNothing({ test, orNone }: Expectation): boolean {
  return orNone || (passes(test, 0) && passes(test, 1));
}

/**
 * Index of the event with which an expectation was lost; the last event where it was never met. What only grows is found exactly;
 * of what goes up and down, one place where it turned.
 */
export function lostAt(expectation: Expectation, events: readonly RunEvent[]): number {
  const after = (count: number): "holds" | "fails" | "open" => {
    const { ok, got } = holds(expectation, events.slice(0, count));
    return got === null ? "open" : ok ? "holds" : "fails";
  };
  let low = 0;
  let high = events.length;
  while (high - low > 1) {
    const middle = low + Math.floor((high - low) / 2);
    if (after(middle) === "fails") high = middle;
    else low = middle;
  }
  return after(low) === "holds" && after(high) === "fails" ? high - 1 : events.length - 1;
}
