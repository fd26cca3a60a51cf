import type { MetricDefinition, Sample } from "./definition.ts";
import { eventMetric } from "./definition.ts";

/** What the layers did, what it freed, and how long the user waited for it. */
export const compactionMetrics: readonly MetricDefinition[] = [
  {
    name: "compactions",
    unit: "count",
    formula: "compactions that were committed, by layer (session-memory | full) and trigger",
    labels: ["layer", "trigger"],
    combine: "sum",
    samples: (events) =>
      countable(events, "compact_succeeded", (event) => ({ layer: event.layer, trigger: event.trigger })),
  },
  {
    name: "compaction_failures",
    unit: "count",
    formula: "compactions that failed, by layer and reason",
    labels: ["layer", "reason"],
    combine: "sum",
    samples: (events) => countable(events, "compact_failed", (event) => ({ layer: event.layer, reason: event.reason })),
  },
  {
    name: "microcompactions",
    unit: "count",
    formula: "times that microcompact cleared something, by path (time | cached)",
    labels: ["path"],
    combine: "sum",
    samples: (events) => countable(events, "microcompact", (event) => ({ path: event.path })),
  },
  eventMetric(
    {
      name: "tokens_freed",
      unit: "tokens",
      formula: "estimate before - after, by layer",
      labels: ["layer"],
      combine: "sum",
    },
    "compact_succeeded",
    (event) => ({ value: event.tokensBefore - event.tokensAfter, labels: { layer: event.layer } }),
  ),
  eventMetric(
    {
      name: "compaction_wait_seconds",
      unit: "seconds",
      formula: "virtual time that the user waited for each compaction",
      labels: ["layer"],
      combine: "sum",
    },
    "compact_succeeded",
    (event) => ({ value: event.durationMs / 1000, labels: { layer: event.layer } }),
  ),
  eventMetric(
    {
      name: "turns_between_compactions",
      unit: "turns",
      formula: "turns since the compaction before, each but the first",
      combine: "mean",
    },
    "compact_succeeded",
    (event) => (event.turnsSinceLast === null ? null : { value: event.turnsSinceLast }),
  ),
  {
    name: "breaker_trips",
    unit: "count",
    formula: "times that the circuit breaker opened",
    labels: [],
    combine: "sum",
    samples: (events) => countable(events, "breaker_opened", () => ({})),
  },
  {
    name: "rounds_to_resume",
    unit: "rounds",
    formula: "rounds from a compaction to the next finished step",
    labels: ["layer"],
    combine: "mean",
    samples: (events) => {
      const samples: Sample[] = [];
      let since: { round: number; layer: string } | null = null;
      for (const event of events) {
        if (event.kind === "compact_succeeded") since = { round: event.round, layer: event.layer };
        if (event.kind === "step_done" && since !== null) {
          samples.push({ value: event.round - since.round, labels: { layer: since.layer } });
          since = null;
        }
      }
      return samples;
    },
  },
];

type RunEvents = Parameters<MetricDefinition["samples"]>[0];
type EventOf<K extends RunEvents[number]["kind"]> = Extract<RunEvents[number], { kind: K }>;

/** Every request was an occasion: 1 for each event of the kind, and one sample of 0 where requests were made, which speaks for every label that none came with. */
function countable<K extends RunEvents[number]["kind"]>(
  events: RunEvents,
  kind: K,
  labels: (event: EventOf<K>) => Readonly<Record<string, string>>,
): Sample[] {
  const hits = events
    .filter((event): event is EventOf<K> => event.kind === kind)
    .map((event) => ({ value: 1, labels: labels(event) }));
  return events.some((event) => event.kind === "request_sent") ? [{ value: 0 }, ...hits] : hits;
}
