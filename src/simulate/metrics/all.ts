import type { Metric, RunEvent } from "../record.ts";
import { compactionMetrics } from "./compaction.ts";
import { contextMetrics } from "./context.ts";
import { costMetrics } from "./cost.ts";
import type { MetricDefinition, Sample } from "./definition.ts";
import { combine } from "./definition.ts";
import { flowMetrics } from "./flow.ts";
import { memoryMetrics } from "./memory.ts";

/** Every metric by its name: the only place where a figure of a run is defined. */
export const metricDefinitions: ReadonlyMap<string, MetricDefinition> = new Map(
  [...costMetrics, ...contextMetrics, ...compactionMetrics, ...memoryMetrics, ...flowMetrics].map((d) => [d.name, d]),
);

/** The samples of one metric that carry all of `labels`. A sample of 0 without labels speaks for every label. */
export function samplesOf(
  definition: MetricDefinition,
  events: readonly RunEvent[],
  labels: Readonly<Record<string, string>>,
): Sample[] {
  const wanted = Object.entries(labels);
  return definition
    .samples(events)
    .filter(({ labels: has }) => has === undefined || wanted.every(([name, value]) => has[name] === value));
}

/** All figures of a run: each metric in all, and by each combination of its labels that occurs. */
export function computeMetrics(events: readonly RunEvent[]): Metric[] {
  const metrics: Metric[] = [];
  for (const definition of metricDefinitions.values()) {
    const samples = definition.samples(events);
    const total = combine(definition.combine, samples);
    if (total === null) continue;
    metrics.push({ name: definition.name, labels: {}, value: total });
    const groups = new Map<string, Sample[]>();
    for (const sample of samples) {
      if (sample.labels === undefined || Object.keys(sample.labels).length === 0) continue;
      const key = JSON.stringify(sample.labels);
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [sample]);
      else group.push(sample);
    }
    for (const [key, group] of groups) {
      const value = combine(definition.combine, group);
      if (value !== null) metrics.push({ name: definition.name, labels: JSON.parse(key), value });
    }
  }
  return metrics;
}
