export { eventKinds } from "./event-kinds.ts";
export { invariants } from "./invariants/all.ts";
export type { Invariant } from "./invariants/invariant.ts";
export type { KindInLoop, LoopRow, MemoryWay } from "./measures/closed-loop.ts";
export { memoryWays, playLoop } from "./measures/closed-loop.ts";
export { determinismHashes, hashOfRuns } from "./measures/determinism-runs.ts";
export { effects } from "./measures/effects/all.ts";
export type { Effect, EffectFigure } from "./measures/effects/effect.ts";
export type {
  ErrorOf,
  EstimatorError,
  EstimatorPlan,
  EstimatorReport,
} from "./measures/estimators/measure-estimators.ts";
export { measureEstimators } from "./measures/estimators/measure-estimators.ts";
export type { LoopFinding } from "./measures/judge-loop.ts";
export { judgeLoop, pooled } from "./measures/judge-loop.ts";
export { computeMetrics, metricDefinitions, samplesOf } from "./metrics/all.ts";
export type { MetricDefinition, Sample } from "./metrics/definition.ts";
export { combine, percentile } from "./metrics/definition.ts";
export type { PlaySpec, RunOptions } from "./play-session.ts";
export { playSession, RunSpecError } from "./play-session.ts";
export type { PlayedSession } from "./played-session.ts";
export type {
  JudgeEvent,
  Metric,
  RecordFooter,
  RecordHeader,
  RunEvent,
  RunRecord,
  ServerEvent,
  WorldEvent,
} from "./record.ts";
export { RecordError, readRecord, writeRecord } from "./recorder.ts";
export type { Replay } from "./replayed/replay-file.ts";
export { replayFile } from "./replayed/replay-file.ts";
export { runSession } from "./run-session.ts";
export type { ProviderName, RunSpec, Transport, UserStep } from "./run-spec.ts";
export { providerNames, transports } from "./run-spec.ts";
export type { ToolFault, ToolFaultKind } from "./tool-faults.ts";
export { toolFaultKinds } from "./tool-faults.ts";
export { longhaulVersion } from "./version.ts";
