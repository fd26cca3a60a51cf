import { blockFromWire } from "../../transcript/index.ts";
import type { AskPort, AskRequest } from "../ports.ts";
import { askReply } from "../request/ask-reply.ts";
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
      const answer = await create(bodyOf(request), { source, ...(signal && { signal }) });
      const { content, stop_reason: stopReason, usage } = answer;
      return askReply({ content: content.map(blockFromWire), unfinished: [], stopReason, usage });
    } catch (thrown) {
      return signal?.aborted ? { kind: "aborted" } : { kind: "error", error: classifyThrown(thrown) };
    }
  };
}
