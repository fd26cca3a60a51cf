import type { Message } from "../../transcript/index.ts";
import type { CompactorPorts } from "../context.ts";

/** Estimate of a whole next request: system prompt and tools (`overheadTokens`), and the live messages, attachments included (FC9). */
export function estimateRequest(
  live: readonly Message[],
  overheadTokens: number,
  estimator: CompactorPorts["estimator"],
): number {
  return overheadTokens + estimator.total(live.reduce((sum, message) => sum + estimator.message(message), 0));
}

/**
 * The size of a request before and after a compaction, in tokens, both by the same measure: the count port's where it can tell both,
 * else the estimate (FC9, AC8). Never rejects.
 */
export async function measureBoth(
  before: readonly Message[],
  after: readonly Message[],
  overheadTokens: number,
  { count, estimator }: Pick<CompactorPorts, "count" | "estimator">,
): Promise<{ readonly before: number; readonly after: number }> {
  const counted = count === undefined ? null : { before: await count(before), after: await count(after) };
  if (counted?.before != null && counted.after != null) return { before: counted.before, after: counted.after };
  return {
    before: estimateRequest(before, overheadTokens, estimator),
    after: estimateRequest(after, overheadTokens, estimator),
  };
}
