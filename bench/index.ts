import { estimationSubjects } from "./estimation.ts";
import { groupingSubjects } from "./grouping.ts";
import { indexSubjects } from "./index-adjustment.ts";
import type { Subject } from "./subject.ts";

export type { Baseline, Comparison } from "./baseline.ts";
export { compare, rowKey } from "./baseline.ts";
export { growsTooFast } from "./growth.ts";
export type { MeasureOptions, Timing } from "./measure.ts";
export { measure } from "./measure.ts";
export { UnprovenSubject } from "./subject.ts";

/** The hot paths, in the order in which a loop meets them. */
export const subjects: readonly Subject[] = [...estimationSubjects, ...groupingSubjects, ...indexSubjects];

export const sizes = {
  quick: [1_000, 3_000, 10_000],
  full: [100, 1_000, 10_000, 100_000],
} as const;
