import { ink } from "./ink.ts";

/** What was to be shown, one line each: whether it holds, and the figures. */
export function findingLines(
  findings: readonly { readonly says: string; readonly holds: boolean; readonly figures: string }[],
): readonly string[] {
  return findings.map(({ says, holds, figures }) => `${holds ? "holds " : ink.bad("FAILS ")} ${says} (${figures})`);
}
