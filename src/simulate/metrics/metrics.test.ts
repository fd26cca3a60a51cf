import { expect, test } from "vitest";
import type { RunEvent } from "../record.ts";
import { computeMetrics, metricDefinitions, samplesOf } from "./all.ts";
import { combine, percentile } from "./definition.ts";

const place = { seq: 0, at: 0, turn: 1, round: 1, querySource: "main" } as const;
const event = (facts: Partial<RunEvent> & { kind: RunEvent["kind"] }): RunEvent => ({ ...place, ...facts }) as RunEvent;
const served = (trueTokens: number, read: number, querySource = "main"): RunEvent =>
  event({
    kind: "served",
    trueTokens,
    dollars: 1,
    querySource,
    billed: { read, write: 10, uncached: trueTokens - read - 10, output: 5 },
  });

function value(name: string, events: readonly RunEvent[], labels: Record<string, string> = {}): number | null {
  const definition = metricDefinitions.get(name);
  if (definition === undefined) throw new Error(`no metric ${name}`);
  return combine(definition.combine, samplesOf(definition, events, labels));
}

test("O2: the cache hit rate weighs requests by their tokens", () => {
  const events = [served(1_000, 900), served(100, 0)];
  expect(value("cache_hit_rate", events)).toBeCloseTo(900 / 1_100);
  expect(value("cache_hit_rate", events, { source: "compact" })).toBeNull();
});

test("O2: tokens are told by kind and by who sent them", () => {
  const events = [served(1_000, 900), served(500, 0, "compact")];
  expect(value("tokens", events)).toBe(1_510);
  expect(value("tokens", events, { kind: "read" })).toBe(900);
  expect(value("tokens", events, { kind: "output", source: "compact" })).toBe(5);
});

test("Y3: what was never needed cannot be judged, what was needed and found counts as 0", () => {
  expect(value("violations", [])).toBeNull();
  const needed = event({ kind: "fact_needed", fact: "f1", factKind: "constraint", found: "visible" });
  expect(value("violations", [needed])).toBe(0);
  expect(value("violations", [needed], { kind: "constraint" })).toBe(0);
  expect(value("violations", [needed], { kind: "goal" })).toBeNull();
  const broken = event({ kind: "violation", fact: "f1", factKind: "constraint" });
  expect(value("violations", [needed, broken], { kind: "constraint" })).toBe(1);
});

test("O2: an answer that failed on the client was paid for nothing", () => {
  const lost = [
    served(1_000, 0),
    event({ kind: "request_failed", error: { class: "transient", text: "" }, retryInMs: 5 }),
  ];
  const good = [served(1_000, 0), event({ kind: "response_received" })];
  expect(value("wasted_tokens", [...lost, ...good])).toBe(1_005);
});

test("O2: the estimate's error is the client's figure over the server's, of the same request", () => {
  const events = [event({ kind: "request_sent", estimate: 90 }), served(100, 0), served(200, 0, "compact")];
  expect(value("estimate_error", events)).toBeCloseTo(0.9);
});

test("O2: rounds to resume run from a compaction to the next finished step", () => {
  const events = [
    event({ kind: "step_done", round: 3 }),
    event({ kind: "compact_succeeded", layer: "full", round: 5 }),
    event({ kind: "step_done", round: 9 }),
    event({ kind: "step_done", round: 10 }),
  ];
  expect(value("rounds_to_resume", events, { layer: "full" })).toBe(4);
});

test("a percentile is a sample: the nearest rank", () => {
  const samples = [5, 1, 4, 2, 3].map((v) => ({ value: v }));
  expect([0, 20, 21, 50, 99, 100].map((p) => percentile(samples, p))).toEqual([1, 1, 2, 3, 5, 5]);
  expect(percentile([], 50)).toBeNull();
});

test("every metric can be computed of an empty run, and of none it claims a figure", () => {
  expect(computeMetrics([])).toEqual([]);
});

test("each figure of a run names a definition, with labels that the definition allows", () => {
  const events = [
    event({ kind: "request_sent", estimate: 1 }),
    served(100, 0),
    event({ kind: "turn_ended", outcome: "completed" }),
  ];
  for (const metric of computeMetrics(events)) {
    const definition = metricDefinitions.get(metric.name);
    expect(Object.keys(metric.labels).every((label) => definition?.labels.includes(label))).toBe(true);
  }
});
