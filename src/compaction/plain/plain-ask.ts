import type { ToolUseBlock } from "../../transcript/index.ts";
import { blockFromWire } from "../../transcript/index.ts";
import type { AskPort, AskReply, AskRequest } from "../ports.ts";
import { classifyThrown } from "../request/thrown-error.ts";
import type { PlainCall, PlainResponse } from "./plain-options.ts";

/** Questions beside the conversation, over the caller's own `create`: what the summariser and the note taker ask by (FC3, SM1). */
export function plainAsk(
  bodyOf: (request: AskRequest) => object,
  create: (body: object, call: PlainCall) => Promise<PlainResponse>,
): AskPort {
  return async (request) => {
    const { purpose: source, signal } = request;
    if (signal?.aborted) return { kind: "aborted" };
    try {
      return answerOf(await create(bodyOf(request), { source, ...(signal && { signal }) }));
    } catch (thrown) {
      return signal?.aborted ? { kind: "aborted" } : { kind: "error", error: classifyThrown(thrown) };
    }
  };
}

function answerOf({ content, stop_reason: stopReason, usage }: PlainResponse): AskReply {
  const blocks = content.map(blockFromWire);
  const text = blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n\n");
  const toolCalls = blocks.filter((block): block is ToolUseBlock => block.type === "tool_use");
  return { kind: "answer", text, stopReason, toolCalls, usage };
}
