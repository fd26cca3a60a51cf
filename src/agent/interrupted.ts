import type { UserMessage } from "../transcript/index.ts";

/** What a call is answered with whose tool did not finish: it may have run, in part or whole. */
export const interruptedText = "The tool was interrupted before it finished.";

export function interruptedResult(toolUseId: string, uuid: string, timestamp: number): UserMessage {
  const content = [{ type: "tool_result", tool_use_id: toolUseId, content: interruptedText, is_error: true }] as const;
  return { kind: "user", uuid, timestamp, content };
}
