import type { MetricDefinition } from "./definition.ts";
import { eventMetric } from "./definition.ts";

/** How the session went: rounds, time, failures. */
export const flowMetrics: readonly MetricDefinition[] = [
  eventMetric(
    { name: "rounds", unit: "rounds", formula: "complete answers to main requests", combine: "sum" },
    "response_received",
    (event) => (event.querySource === "main" ? { value: 1 } : null),
  ),
  eventMetric(
    { name: "turns", unit: "turns", formula: "turns ended, by outcome", labels: ["outcome"], combine: "sum" },
    "turn_ended",
    (event) => ({ value: 1, labels: { outcome: event.outcome } }),
  ),
  {
    name: "virtual_seconds",
    unit: "seconds",
    formula: "virtual time from the first event to the last",
    labels: [],
    combine: "sum",
    samples: (events) => {
      const [first, last] = [events[0], events.at(-1)];
      return first === undefined || last === undefined ? [] : [{ value: (last.at - first.at) / 1000 }];
    },
  },
  eventMetric(
    {
      name: "request_failures",
      unit: "count",
      formula: "requests that failed, by class and source",
      labels: ["class", "source"],
      combine: "sum",
    },
    "request_failed",
    (event) => ({ value: 1, labels: { class: event.error.class, source: event.querySource } }),
  ),
  eventMetric(
    {
      name: "retries",
      unit: "count",
      formula: "failed requests that the transport policy sent again",
      labels: ["source"],
      combine: "sum",
    },
    "request_failed",
    (event) => ({ value: event.retryInMs === null ? 0 : 1, labels: { source: event.querySource } }),
  ),
  eventMetric(
    { name: "faults", unit: "count", formula: "faults injected, by kind", labels: ["kind"], combine: "sum" },
    "fault_injected",
    (event) => ({ value: 1, labels: { kind: event.faultKind } }),
  ),
  eventMetric(
    {
      name: "client_sins",
      unit: "count",
      formula: "things a client must not do, as the server saw them (F3)",
      labels: ["sin"],
      combine: "sum",
    },
    "client_sin",
    (event) => ({ value: 1, labels: { sin: event.sin } }),
  ),
  eventMetric(
    {
      name: "tool_errors",
      unit: "ratio",
      formula: "tool results with is_error / tool results, by tool",
      labels: ["tool"],
      combine: "ratio",
    },
    "tool_finished",
    (event) => ({ value: event.isError ? 1 : 0, labels: { tool: event.name } }),
  ),
];
