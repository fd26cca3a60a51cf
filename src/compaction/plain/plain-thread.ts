import type {
  AssistantMessage,
  Block,
  Message,
  PlainMessage,
  UserMessage,
  WireRequest,
} from "../../transcript/index.ts";
import { blockFromWire, messagesFromWire } from "../../transcript/index.ts";
import type { AskRequest, ClockPort } from "../ports.ts";
import { buildRequest } from "../request/build-request.ts";
import type { MainThread } from "../request/fork-request.ts";
import { forkRequest } from "../request/fork-request.ts";
import type { PlainFrame } from "./plain-frame.ts";
import type { PlainResponse } from "./plain-options.ts";
import type { PlainThreadState } from "./plain-state.ts";

/** The transcript of a plain session, and the requests that are made from it. */
export interface PlainThread {
  state(): PlainThreadState;
  add(params: readonly PlainMessage[]): void;
  /** What waits goes to the end of the messages. */
  takeWaiting(): void;
  /** Puts what a layer made of the messages in their place; the same array changes nothing. */
  rewrite(messages: readonly Message[]): void;
  answered(response: PlainResponse): void;
  mainRequest(maxTokens: number): WireRequest;
  forkRequest(request: AskRequest): WireRequest;
}

export function createPlainThread(
  frame: PlainFrame,
  { clock, uuid }: { readonly clock: ClockPort; readonly uuid: () => string },
  start: PlainThreadState,
): PlainThread {
  let state = start;
  // Whatever name the server gives it: a session has one model.
  const modelId = frame.parts.model.id;
  /** Messages of the last request, null after the prefix was rewritten (RC8). */
  let previousLength: number | null = null;

  const append = (...messages: readonly Message[]): void => {
    state = { ...state, messages: [...state.messages, ...messages] };
  };
  const mainThread = (): MainThread => ({
    frame: frame.parts,
    messages: state.messages,
    latestChangeUuid: state.latestChangeUuid,
    previousLength,
  });

  const takeWaiting = (): void => {
    if (state.waiting === null) return;
    append(state.waiting);
    state = { ...state, waiting: null };
  };

  return {
    state: () => state,
    takeWaiting,
    add(params) {
      const from = { model: modelId, timestamp: clock.now() };
      for (const message of messagesFromWire(params.map(unmarked), { uuid }, from)) {
        if (message.kind === "user" && !message.content.some(isResult)) {
          const before = state.waiting?.content ?? [];
          state = { ...state, waiting: { ...message, content: [...before, ...message.content] } };
          continue;
        }
        // An answer stands after what it answers; results may come while something waits.
        if (message.kind === "assistant") takeWaiting();
        append(message);
      }
    },
    rewrite(messages) {
      if (messages === state.messages) return;
      state = { ...state, messages, latestChangeUuid: messages.at(-1)?.uuid ?? null };
      previousLength = null;
    },
    answered({ id, content, stop_reason: stopReason, usage }) {
      const answer: AssistantMessage = {
        kind: "assistant",
        uuid: uuid(),
        timestamp: clock.now(),
        id,
        model: modelId,
        content: content.map(blockFromWire),
        stopReason,
        usage,
      };
      append(answer);
    },
    mainRequest(maxTokens) {
      const { latestChangeUuid: upTo, ...main } = mainThread();
      const { wire } = buildRequest({ ...main.frame, ...main, rebound: { upTo }, maxTokens });
      previousLength = wire.messages.length;
      return wire;
    },
    forkRequest(request) {
      const content: readonly Block[] = [{ type: "text", text: request.instruct }];
      const instruct: UserMessage = { kind: "user", uuid: uuid(), timestamp: clock.now(), content, isMeta: true };
      return forkRequest(request, mainThread(), instruct);
    },
  };
}

function isResult(block: Block): boolean {
  return block.type === "tool_result";
}

/** Breakpoints are placed with each request anew (RC8): those of a message would stay where they were. */
function unmarked(param: PlainMessage): PlainMessage {
  if (typeof param.content === "string" || !param.content.some((block) => "cache_control" in block)) return param;
  const content = param.content.map((block) => {
    const { cache_control: _, ...rest } = block as { readonly type: string; readonly cache_control?: unknown };
    return rest;
  });
  return { ...param, content };
}
