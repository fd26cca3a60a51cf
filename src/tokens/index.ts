export type { ModelInfo } from "./model-info.ts";
