import { estimateMessageTokens, tokenCountWithEstimation } from "../../tokens/index.ts";
import type { View } from "./port.ts";

/** Tokens of the next request, the waiting message included: the last exact figure where it still holds, else the estimate (T5). */
export function viewTokens(view: View): number {
  const { projection, pending, overhead, limits, lastUsage } = view;
  const overheadTokens = overhead.system + overhead.tools;
  const waiting = pending === null ? 0 : estimateMessageTokens([pending]);
  if (lastUsage === null || lastUsage.olderThanLastEdit) {
    const live = projection.slice(projection.findLastIndex((message) => message.kind === "boundary") + 1);
    return estimateMessageTokens(live) + overheadTokens + waiting;
  }
  return tokenCountWithEstimation(projection, { overheadTokens, window: limits.window }) + waiting;
}

/** Where the reference strategies act: the same line as auto-compact's (AC1, AC2). Tokens. */
export function actingLine({ limits }: View): number {
  return limits.window - Math.min(limits.maxOutput, 20_000) - 13_000;
}
