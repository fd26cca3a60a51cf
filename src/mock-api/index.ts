export { type Fault, type FaultKind, type FaultMatch, faultKinds } from "./fault.ts";
export type { AnswerBlock, ModelAnswer, ModelContext, ModelPort } from "./ports.ts";
