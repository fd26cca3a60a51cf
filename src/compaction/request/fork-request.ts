import type { ModelInfo } from "../../tokens/index.ts";
import type { Message, UserMessage, WireRequest } from "../../transcript/index.ts";
import { messagesAfterLastBoundary } from "../../transcript/index.ts";
import type { AskRequest } from "../ports.ts";
import type { PreparedMessages, RequestParts } from "./build-request.ts";
import { buildRequest } from "./build-request.ts";

/** The main thread as it stands: what its forks share with it (FC3). */
export interface MainThread {
  /** Everything of its requests but messages and cap. */
  readonly frame: Omit<RequestParts, "messages" | "maxTokens" | "rebound" | "previousLength">;
  readonly messages: readonly Message[];
  /** The last message that stood when something before it was last changed; null: never (M7). */
  readonly latestChangeUuid: string | null;
  /** Messages of its last request (RC8). */
  readonly previousLength: number | null;
  /** `prepareMessages` over the parts with `ending` after their messages, where the main thread has a way that remembers. */
  readonly prepare?: (parts: RequestParts, ending: UserMessage) => PreparedMessages;
}

/**
 * The wire request of a question outside the main loop. With system, tools, thinking and cache edits `same` it begins with the main thread's bytes,
 * so the prompt cache is shared. `instruct` goes last; `small` answers where the question asks for the small model.
 */
export function forkRequest(
  request: AskRequest,
  main: MainThread,
  instruct: UserMessage,
  small: ModelInfo = main.frame.model,
): WireRequest {
  const { frame } = main;
  const sameFrame = request.system === "same" && request.tools === "same" && request.model === "main";
  const live = messagesAfterLastBoundary(request.messages);
  const mainLive = messagesAfterLastBoundary(main.messages);
  const sameStart = sameFrame && startsLike(live, mainLive);
  const parts: RequestParts = {
    ...frame,
    system: request.system === "same" ? frame.system : request.system === "none" ? "" : request.system.own,
    tools: request.tools === "same" ? frame.tools : [],
    thinking: request.thinking === "same" ? frame.thinking : { type: "disabled" },
    carryPins: request.cacheEdits === "same" && request.model === "main",
    ...(request.model === "small" && { model: small, answersAs: small.id }),
    messages: [...live, instruct],
    // Whatever differs from what the main thread sent is a change now, so all thinking stands after a changed past (M7).
    rebound: sameStart ? { upTo: main.latestChangeUuid } : "all",
    maxTokens: request.maxOutput,
    previousLength: sameStart ? main.previousLength : null,
  };
  const { prepare } = main;
  if (prepare === undefined || !sameStart || live.length !== mainLive.length) return buildRequest(parts).wire;
  return buildRequest(parts, (given) => prepare({ ...given, messages: main.messages }, instruct)).wire;
}

/** Whether the messages are those of the conversation, untouched, from its first on. */
function startsLike(live: readonly Message[], conversation: readonly Message[]): boolean {
  for (let i = 0; i < Math.min(live.length, conversation.length); i++) {
    if (live[i] !== conversation[i]) return false;
  }
  return true;
}
