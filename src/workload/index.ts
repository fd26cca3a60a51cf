export { typicalSurvival } from "./assumptions.ts";
export { type ComparedFigure, compareCorpus } from "./compare-corpus.ts";
export { type CorpusSamples, corpusMix, sampleCorpus } from "./corpus.ts";
export { createWorkload } from "./create-workload.ts";
export { converse, type DryConversation, type DryOptions } from "./dry-conversation.ts";
export { type FactKind, factKinds, type ModelTrace } from "./trace.ts";
export {
  type AnswerBlock,
  type Fact,
  type FactCensus,
  type GoalOutline,
  type ModelContext,
  type ModelReply,
  type NoteTakerProfileName,
  noteTakerProfileNames,
  type ProfileName,
  profileNames,
  type SimulatedUser,
  type SummariserProfileName,
  summariserProfileNames,
  type ToolCall,
  type ToolOutcome,
  type UserAction,
  type VisibleFacts,
  type Workload,
  type WorkloadOptions,
  type WorkloadOverrides,
} from "./workload.ts";
