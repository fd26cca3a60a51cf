export type { ContextByOrigin, LoopEvent, LoopFact } from "./events.ts";
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
