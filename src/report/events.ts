import type { Metric, RunEvent, RunRecord } from "../simulate/index.ts";

export type { Metric, RunEvent, RunRecord };

/** The events of one kind. */
export type EventOf<K extends RunEvent["kind"]> = Extract<RunEvent, { readonly kind: K }>;
