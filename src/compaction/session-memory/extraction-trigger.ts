import type { SessionMemoryConfig } from "../config.ts";

/** What decides when notes are taken (SM1). Plain data. */
export interface ExtractionMeter {
  /** Size of the context when it was looked at last; null before that. */
  readonly contextTokens: number | null;
  /** Tokens that came in since the last extraction. A compaction subtracts nothing. */
  readonly addedTokens: number;
  readonly toolCalls: number;
  /** The first extraction has its own line. */
  readonly hasExtracted: boolean;
}

export const freshMeter: ExtractionMeter = { contextTokens: null, addedTokens: 0, toolCalls: 0, hasExtracted: false };

/** The meter after a look at the context. Only growth counts. */
export function meterContext(meter: ExtractionMeter, contextTokens: number): ExtractionMeter {
  const grown = Math.max(0, contextTokens - (meter.contextTokens ?? 0));
  return { ...meter, contextTokens, addedTokens: meter.addedTokens + grown };
}

/** Whether notes are due, once a round's results are in: at the first line, then by what came in and by what was done. */
export function shouldExtract(
  meter: ExtractionMeter,
  lastResponseHasToolCall: boolean,
  { extraction }: SessionMemoryConfig,
): boolean {
  if (!meter.hasExtracted) return (meter.contextTokens ?? 0) >= extraction.firstAtTokens;
  if (meter.addedTokens < extraction.everyTokens) return false;
  return meter.toolCalls >= extraction.toolCallsBetween || !lastResponseHasToolCall;
}

/** The meter when an extraction starts. */
export function resetMeter(meter: ExtractionMeter): ExtractionMeter {
  return { ...meter, addedTokens: 0, toolCalls: 0, hasExtracted: true };
}
