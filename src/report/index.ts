export { renderBenchPage } from "./bench-page.ts";
export { renderComparePage } from "./compare-page.ts";
export { type DigestedRecord, digestRecord } from "./digest.ts";
export type {
  BenchInput,
  BenchRow,
  CompareInput,
  CrashedRun,
  Environment,
  FailureInput,
  MetricMeaning,
  MutantInput,
  Outcome,
  RareBranch,
  RunInput,
  RunPageInput,
  SuiteInput,
  SuiteRun,
} from "./input.ts";
export { renderRunPage } from "./run-page.ts";
export { renderSuitePage } from "./suite-page.ts";
