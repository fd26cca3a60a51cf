import type { RunEvent } from "../record.ts";
import type { MetricDefinition, Sample } from "./definition.ts";
import { eventMetric } from "./definition.ts";

type Served = Extract<RunEvent, { kind: "served" }>;

const input = (event: Served): number => event.billed.read + event.billed.write + event.billed.uncached;

/** What was sent and what it cost. Wasted: billed answers that the client could not use, told by the failure that follows them. */
export const costMetrics: readonly MetricDefinition[] = [
  eventMetric(
    {
      name: "tokens",
      unit: "tokens",
      formula: "billed tokens of every answered request, by kind and by source of the request",
      labels: ["kind", "source"],
      combine: "sum",
    },
    "served",
    (event): Sample[] =>
      (["uncached", "write", "read", "output"] as const).map((kind) => ({
        value: event.billed[kind],
        labels: { kind, source: event.querySource },
      })),
  ),
  eventMetric(
    {
      name: "dollars",
      unit: "dollars",
      formula: "price of every answered request from the price list, by source",
      labels: ["source"],
      combine: "sum",
    },
    "served",
    (event) => ({ value: event.dollars, labels: { source: event.querySource } }),
  ),
  eventMetric(
    {
      name: "cache_hit_rate",
      unit: "ratio",
      formula: "Σ cache-read tokens / Σ input tokens, by source",
      labels: ["source"],
      combine: "ratio",
    },
    "served",
    (event) => ({ value: event.billed.read, weight: input(event), labels: { source: event.querySource } }),
  ),
  wasted(),
  eventMetric(
    {
      name: "requests",
      unit: "count",
      formula: "requests that left the client, retries included, by source",
      labels: ["source"],
      combine: "sum",
    },
    "request_sent",
    (event) => ({ value: 1, labels: { source: event.querySource } }),
  ),
];

/** An answered request whose next event of the same source is a failure was paid for and thrown away. */
function wasted(): MetricDefinition {
  return {
    name: "wasted_tokens",
    unit: "tokens",
    formula: "billed tokens of answers that failed on the client (cut, stalled or broken streams), by source",
    labels: ["source"],
    combine: "sum",
    samples: (events) => {
      const samples: Sample[] = [];
      const open = new Map<string, Served>();
      for (const event of events) {
        if (event.kind === "served") open.set(event.querySource, event);
        if (event.kind !== "response_received" && event.kind !== "request_failed") continue;
        const served = open.get(event.querySource);
        open.delete(event.querySource);
        if (served === undefined) continue;
        const lost = event.kind === "request_failed";
        samples.push({ value: lost ? input(served) + served.billed.output : 0, labels: { source: event.querySource } });
      }
      return samples;
    },
  };
}
