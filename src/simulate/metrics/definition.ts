import type { RunEvent } from "../record.ts";

/** One figure of a run, defined once: its name, unit, formula in words, and where its samples come from (O2). */
export interface MetricDefinition {
  readonly name: string;
  readonly unit: "tokens" | "dollars" | "count" | "ratio" | "rounds" | "turns" | "seconds";
  readonly formula: string;
  /** Label names that a sample may carry. */
  readonly labels: readonly string[];
  /** How samples become one value. `ratio` is Σ value / Σ weight. */
  readonly combine: "sum" | "max" | "mean" | "ratio";
  /** The samples of a whole run, in order. An event that could have counted but did not is a sample of 0, so that "never happened" can be told from "never could". */
  readonly samples: (events: readonly RunEvent[]) => Sample[];
}

export interface Sample {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly weight?: number;
}

type EventOf<K extends RunEvent["kind"]> = Extract<RunEvent, { kind: K }>;

/** A definition whose samples come from single events of one kind. */
export function eventMetric<K extends RunEvent["kind"]>(
  definition: Omit<MetricDefinition, "samples" | "labels"> & { readonly labels?: readonly string[] },
  kind: K,
  sample: (event: EventOf<K>) => Sample | Sample[] | null,
): MetricDefinition {
  return {
    labels: [],
    ...definition,
    samples: (events) =>
      events.flatMap((event) => {
        if (event.kind !== kind) return [];
        return sample(event as EventOf<K>) ?? [];
      }),
  };
}

/** One value of many samples; null when there is none to judge. */
export function combine(how: MetricDefinition["combine"], samples: readonly Sample[]): number | null {
  if (samples.length === 0) return null;
  const sum = samples.reduce((total, sample) => total + sample.value, 0);
  switch (how) {
    case "sum":
      return sum;
    case "mean":
      return sum / samples.length;
    case "max":
      return samples.reduce((most, sample) => Math.max(most, sample.value), Number.NEGATIVE_INFINITY);
    case "ratio": {
      const weight = samples.reduce((total, sample) => total + (sample.weight ?? 1), 0);
      return weight === 0 ? null : sum / weight;
    }
  }
}

/** The p-th percentile (0 to 100) of the samples by nearest rank; null when there is none. */
export function percentile(samples: readonly Sample[], p: number): number | null {
  if (samples.length === 0) return null;
  const sorted = samples.map((sample) => sample.value).sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((p / 100) * sorted.length) - 1)] ?? null;
}
