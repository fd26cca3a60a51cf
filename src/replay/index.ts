export type { Irregularities, IrregularityKind } from "./irregularity.ts";
export { irregularityKinds } from "./irregularity.ts";
export type { ReadTranscript } from "./read-transcript.ts";
export { readTranscript, TranscriptError } from "./read-transcript.ts";
export type { SessionStamp } from "./write-claude-code.ts";
export { writeClaudeCode } from "./write-claude-code.ts";
