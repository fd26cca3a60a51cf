import type { MetricDefinition, Sample } from "./definition.ts";
import { eventMetric } from "./definition.ts";

/** What forgetting cost: counted where a fact was needed, so that a run in which none was needed proves nothing. */
export const memoryMetrics: readonly MetricDefinition[] = [
  perNeed("violations", "needed facts that were gone, could not be fetched, and led the model astray", "violation"),
  perNeed("refetches", "needed facts that were gone and were fetched again", "refetch"),
  perNeed("stale_values", "needed facts of which only an outdated value was visible", "stale_value"),
  eventMetric(
    {
      name: "facts_needed",
      unit: "count",
      formula: "facts that a step needed, by kind and what was found",
      labels: ["kind", "found"],
      combine: "sum",
    },
    "fact_needed",
    (event) => ({ value: 1, labels: { kind: event.factKind, found: event.found } }),
  ),
  perStep("duplicate_work", "steps done again because their end was no longer visible", "duplicate_work"),
  perStep("lost_goals", "times that the model had to ask the user what to do", "lost_goal"),
  perStep("tasks_completed", "goals of the user that were finished", "goal_done"),
  eventMetric(
    {
      name: "facts_visible",
      unit: "ratio",
      formula: "facts visible / facts alive, after each compaction, by kind",
      labels: ["kind"],
      combine: "ratio",
    },
    "fact_census",
    (event): Sample[] =>
      Object.entries(event.byKind).map(([kind, count]) => ({
        value: count.visible,
        weight: count.alive,
        labels: { kind },
      })),
  ),
];

function perNeed(name: string, formula: string, kind: "violation" | "refetch" | "stale_value"): MetricDefinition {
  return {
    name,
    unit: "count",
    formula,
    labels: ["kind"],
    combine: "sum",
    samples: (events) =>
      events.flatMap((event): Sample[] => {
        if (event.kind === "fact_needed") return [{ value: 0, labels: { kind: event.factKind } }];
        return event.kind === kind ? [{ value: 1, labels: { kind: event.factKind } }] : [];
      }),
  };
}

function perStep(name: string, formula: string, kind: "duplicate_work" | "lost_goal" | "goal_done"): MetricDefinition {
  return {
    name,
    unit: "count",
    formula,
    labels: [],
    combine: "sum",
    samples: (events) =>
      events.flatMap((event): Sample[] => {
        if (event.kind === "step_done") return [{ value: 0 }];
        return event.kind === kind ? [{ value: 1 }] : [];
      }),
  };
}
