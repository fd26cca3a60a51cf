import type { Block, ToolUseBlock, Usage } from "../../transcript/index.ts";
import type { AskReply } from "../ports.ts";

/** An answer to a question beside the conversation, as a client had it. */
export interface AskedResponse {
  readonly content: readonly Block[];
  /** Blocks that were cut: their text is none, but a call among them is a call (FC3). */
  readonly unfinished: readonly Block[];
  readonly stopReason: string | null;
  readonly usage: Usage | null;
}

/** What such an answer says: all its text, and the tools that it called. */
export function askReply({ content, unfinished, stopReason, usage }: AskedResponse): AskReply {
  const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n\n");
  const toolCalls = [...content, ...unfinished].filter((block): block is ToolUseBlock => block.type === "tool_use");
  return { kind: "answer", text, stopReason, toolCalls, usage };
}
