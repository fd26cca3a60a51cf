import type { RunEvent, RunRecord } from "../simulate/index.ts";

/** The figures of a run that a table shows; tokens are as billed, of all sources. */
export interface RunSummary {
  readonly hash: string;
  readonly rounds: number;
  readonly turns: number;
  readonly requests: number;
  /** What each layer did: rule-based clearings, automatic triggers, compactions by kind, retries of a summary that was too long. */
  readonly layers: {
    readonly micro: number;
    readonly auto: number;
    readonly sessionMemory: number;
    readonly full: number;
    readonly retries: number;
  };
  readonly faults: number;
  readonly tokens: number;
  readonly dollars: number;
  readonly cacheHitRate: number;
  readonly peakContext: number;
  readonly virtualSeconds: number;
}

/** Reads a summary from the record; a figure that the run did not have is 0. */
export function summarise({ events, footer }: RunRecord): RunSummary {
  const total = (name: string): number =>
    footer.metrics.find((metric) => metric.name === name && Object.keys(metric.labels).length === 0)?.value ?? 0;
  const count = (holds: (event: RunEvent) => boolean): number => events.filter(holds).length;
  const compactions = (layer: "full" | "session-memory"): number =>
    count((event) => event.kind === "compact_succeeded" && event.layer === layer);
  return {
    hash: footer.hash,
    rounds: total("rounds"),
    turns: count((event) => event.kind === "turn_started"),
    requests: total("requests"),
    layers: {
      micro: total("microcompactions"),
      auto: count((event) => event.kind === "autocompact_check" && event.decision === "compact"),
      sessionMemory: compactions("session-memory"),
      full: compactions("full"),
      retries: count((event) => event.kind === "compact_ptl_retry"),
    },
    faults: total("faults"),
    tokens: total("tokens"),
    dollars: total("dollars"),
    cacheHitRate: total("cache_hit_rate"),
    peakContext: total("peak_context"),
    virtualSeconds: total("virtual_seconds"),
  };
}
