import type { RunEvent } from "../record.ts";
import type { MetricDefinition, Sample } from "./definition.ts";
import { eventMetric } from "./definition.ts";

type Served = Extract<RunEvent, { kind: "served" }>;
const main = (value: (event: Served) => number) => (event: Served) =>
  event.querySource === "main" ? { value: value(event) } : null;

/** How large the context was, by the server's hidden count, and how far the client's estimate was off. */
export const contextMetrics: readonly MetricDefinition[] = [
  eventMetric(
    { name: "peak_context", unit: "tokens", formula: "largest true input of a main request", combine: "max" },
    "served",
    main((event) => event.trueTokens),
  ),
  eventMetric(
    { name: "mean_context", unit: "tokens", formula: "mean true input of the main requests", combine: "mean" },
    "served",
    main((event) => event.trueTokens),
  ),
  eventMetric(
    {
      name: "request_tokens",
      unit: "tokens",
      formula: "true input of each main request (for percentiles)",
      combine: "mean",
    },
    "served",
    main((event) => event.trueTokens),
  ),
  {
    name: "estimate_error",
    unit: "ratio",
    formula: "client's estimate / server's true count, each main request",
    labels: [],
    combine: "mean",
    samples: (events) => {
      const samples: Sample[] = [];
      let estimate: number | null = null;
      for (const event of events) {
        if (event.querySource !== "main") continue;
        if (event.kind === "request_sent") estimate = event.estimate;
        if (event.kind === "served" && estimate !== null && event.trueTokens > 0) {
          samples.push({ value: estimate / event.trueTokens });
          estimate = null;
        }
      }
      return samples;
    },
  },
];
