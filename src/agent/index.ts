export { createAgent } from "./agent.ts";
export type { AgentObserver, AgentOptions } from "./agent-options.ts";
export type { Agent, CompactResult, TurnResult } from "./agent-port.ts";
export type { CallFailure, ClientCall, ClientEvent, ClientPort, CompleteResponse } from "./client/client-port.ts";
export { createObjectClient, type ObjectClientOptions, type ObjectReply } from "./client/object-client.ts";
export { createSdkClient, type SdkClientOptions } from "./client/sdk-client.ts";
export { callHeaders } from "./client/watched-call.ts";
export { defaultLoopConfig, type LoopConfig, type RetryConfig } from "./config.ts";
export type { ContextByOrigin, LoopEvent, LoopFact } from "./events.ts";
export { createOtelSink, type OtelSinkOptions } from "./otel-sink.ts";
export { type RestoredSession, restoreSession, type SessionRecord, type SessionStore } from "./session-record.ts";
export { createStrategy, type StrategyName, strategyNames } from "./strategy/by-name.ts";
export { clearToolResults } from "./strategy/clear-tool-results.ts";
export { type FourLayerOptions, fourLayer } from "./strategy/four-layer.ts";
export { none } from "./strategy/none.ts";
export type {
  Answer,
  BackgroundWork,
  CacheEditPin,
  Edit,
  Phase,
  Strategy,
  StrategyPorts,
  StrategySession,
  View,
} from "./strategy/port.ts";
export { nothing } from "./strategy/port.ts";
export { summarizeOnly } from "./strategy/summarize-only.ts";
export { truncateOldest } from "./strategy/truncate-oldest.ts";
export type { ToolOutcome, ToolPort } from "./tool-port.ts";
