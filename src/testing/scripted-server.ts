import type { ClockPort } from "../compaction/index.ts";
import type { Block, WireRequest } from "../transcript/index.ts";

/** An answer with a stream, whole or spoiled. */
export interface MessageReply {
  readonly kind: "message";
  readonly content: readonly Block[];
  readonly id?: string;
  readonly model?: string;
  readonly stopReason?: string;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** The bytes end after so many events, without a word. */
  readonly cutAfterEvents?: number;
  /** The bytes stop coming after so many events, and the connection stays open. */
  readonly stallAfterEvents?: number;
  /** An error event stands in place of the rest. */
  readonly errorAfterEvents?: { readonly events: number; readonly type: string; readonly message: string };
  /** Milliseconds before the byte of each event. */
  readonly delayMs?: number;
}

/** One answer of the scripted server, written out to bytes: nothing of the loop's own code makes them. */
export type Reply =
  | MessageReply
  | {
      readonly kind: "refusal";
      readonly status: number;
      readonly type: string;
      readonly message: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "bytes"; readonly status: number; readonly contentType: string; readonly body: string }
  | { readonly kind: "no-connection" }
  | { readonly kind: "silence" };

export interface ScriptedServer {
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** Bodies of the requests, in order. */
  readonly requests: WireRequest[];
  readonly headers: Headers[];
}

/** Answers the nth request with the nth reply; a function may look at the request. Past the end it refuses, which no test expects. */
export function scriptedServer(
  clock: ClockPort,
  script: readonly Reply[] | ((request: WireRequest, nth: number, headers: Headers) => Reply),
): ScriptedServer {
  const requests: WireRequest[] = [];
  const seen: Headers[] = [];
  const pastTheEnd: Reply = { kind: "refusal", status: 400, type: "invalid_request_error", message: "script ended" };
  return {
    requests,
    headers: seen,
    fetch: async (_input, init) => {
      const request = JSON.parse(String(init?.body)) as WireRequest;
      const headers = new Headers(init?.headers);
      requests.push(request);
      seen.push(headers);
      const nth = requests.length;
      const reply = typeof script === "function" ? script(request, nth, headers) : (script[nth - 1] ?? pastTheEnd);
      return answer(reply, nth, clock, init?.signal ?? new AbortController().signal);
    },
  };
}

async function answer(reply: Reply, nth: number, clock: ClockPort, signal: AbortSignal): Promise<Response> {
  switch (reply.kind) {
    case "no-connection":
      throw new TypeError("fetch failed");
    case "silence":
      await clock.sleep(Number.POSITIVE_INFINITY, signal);
      throw new DOMException("This operation was aborted", "AbortError");
    case "bytes":
      return new Response(reply.body, { status: reply.status, headers: { "content-type": reply.contentType } });
    case "refusal": {
      const { status, type, message, headers = {} } = reply;
      const body = { type: "error", error: { type, message }, request_id: null };
      return new Response(JSON.stringify(body), {
        status,
        headers: { "content-type": "application/json", ...headers },
      });
    }
    case "message":
      return new Response(streamOf(reply, nth, clock, signal), {
        headers: { "content-type": "text/event-stream; charset=utf-8", "request-id": `req_${nth}` },
      });
  }
}

function streamOf(reply: MessageReply, nth: number, clock: ClockPort, signal: AbortSignal): ReadableStream<Uint8Array> {
  const all = eventsOf(reply, nth).map(toBytes);
  const { cutAfterEvents, stallAfterEvents, errorAfterEvents, delayMs } = reply;
  const events = all.slice(0, cutAfterEvents ?? stallAfterEvents ?? errorAfterEvents?.events ?? all.length);
  if (errorAfterEvents !== undefined) {
    const { type, message } = errorAfterEvents;
    const event: StreamEvent = { type: "error", error: { details: null, type, message } };
    events.push(toBytes(event));
  }
  let next = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const bytes = events[next++];
        if (bytes === undefined) {
          if (stallAfterEvents === undefined) return controller.close();
          await clock.sleep(Number.POSITIVE_INFINITY, signal);
          return controller.error(new DOMException("This operation was aborted", "AbortError"));
        }
        if (delayMs !== undefined) await clock.sleep(delayMs, signal);
        if (signal.aborted) return controller.error(new DOMException("This operation was aborted", "AbortError"));
        // In two pieces, so that a border falls inside a line.
        controller.enqueue(bytes.subarray(0, 7));
        controller.enqueue(bytes.subarray(7));
      },
    },
    { highWaterMark: 0 },
  );
}

/** One server-sent event. */
export interface StreamEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

function toBytes(event: StreamEvent): Uint8Array {
  return new TextEncoder().encode(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

/** The events of a whole answer, as mock-api.md S1 lists them. */
export function eventsOf(reply: MessageReply, nth: number): StreamEvent[] {
  const { content, id = `msg_${nth}`, model = "claude-opus-4-5", inputTokens = 1_000, outputTokens = 50 } = reply;
  const calls = content.some((block) => block.type === "tool_use");
  const stopReason = reply.stopReason ?? (calls ? "tool_use" : "end_turn");
  const usage = { input_tokens: inputTokens, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  const message = {
    id,
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
  return [
    { type: "message_start", message: { ...message, usage: { ...usage, output_tokens: 1 } } },
    ...content.flatMap((block, index) => [
      { type: "content_block_start", index, content_block: opened(block) },
      ...deltas(block).map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]),
    {
      type: "message_delta",
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { output_tokens: outputTokens },
    },
    { type: "message_stop" },
  ];
}

function opened(block: Block): object {
  if (block.type === "text") return { type: "text", text: "", citations: null };
  if (block.type === "thinking") return { type: "thinking", thinking: "", signature: "" };
  if (block.type === "tool_use") return { ...block, input: {}, caller: { type: "direct" } };
  return block;
}

function deltas(block: Block): readonly object[] {
  if (block.type === "text") return halves(block.text).map((text) => ({ type: "text_delta", text }));
  if (block.type === "thinking") {
    const thinking = halves(block.thinking).map((text) => ({ type: "thinking_delta", thinking: text }));
    return [...thinking, { type: "signature_delta", signature: block.signature ?? "" }];
  }
  if (block.type !== "tool_use") return [];
  return halves(JSON.stringify(block.input)).map((json) => ({ type: "input_json_delta", partial_json: json }));
}

function halves(text: string): readonly string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}
