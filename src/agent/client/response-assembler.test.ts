import fc from "fast-check";
import { expect, test } from "vitest";
import type { ClientEvent } from "./client-port.ts";
import { createResponseAssembler, MalformedStream } from "./response-assembler.ts";

const start = { type: "message_start", message: { id: "m", model: "x", usage: { input_tokens: 9, output_tokens: 1 } } };
const end = (stop_reason: string) => [
  { type: "message_delta", delta: { stop_reason }, usage: { output_tokens: 5 } },
  { type: "message_stop" },
];
const open = (index: number, content_block: object) => ({ type: "content_block_start", index, content_block });
const grow = (index: number, delta: object) => ({ type: "content_block_delta", index, delta });
const close = (index: number) => ({ type: "content_block_stop", index });
const textBlock = (index: number, text: string) => [
  open(index, { type: "text", text: "", citations: null }),
  grow(index, { type: "text_delta", text }),
  close(index),
];
const call = (index: number, id: string, ...json: string[]) => [
  open(index, { type: "tool_use", id, name: "Read", input: {}, caller: { type: "direct" } }),
  ...json.map((partial_json) => grow(index, { type: "input_json_delta", partial_json })),
  close(index),
];

function assemble(events: readonly object[]): readonly ClientEvent[] {
  const assembler = createResponseAssembler();
  return events.flatMap((event) => assembler.take(event));
}
const responseOf = (events: readonly object[]) => {
  const last = assemble(events).at(-1);
  if (last?.kind !== "complete") throw new Error(`no response, but ${last?.kind}`);
  return last.response;
};

test("S1: text, thinking and calls are put together from their deltas", () => {
  const response = responseOf([
    start,
    open(0, { type: "thinking", thinking: "", signature: "" }),
    grow(0, { type: "thinking_delta", thinking: "let " }),
    grow(0, { type: "thinking_delta", thinking: "me" }),
    grow(0, { type: "signature_delta", signature: "sig" }),
    close(0),
    ...textBlock(1, "hello"),
    ...call(2, "t1", '{"pa', 'th":"a"}'),
    ...end("tool_use"),
  ]);
  expect(response).toEqual({
    messageId: "m",
    model: "x",
    content: [
      { type: "thinking", thinking: "let me", signature: "sig" },
      { type: "text", text: "hello" },
      { type: "tool_use", id: "t1", name: "Read", input: { path: "a" } },
    ],
    unfinished: [],
    stopReason: "tool_use",
    usage: { input_tokens: 9, output_tokens: 5 },
  });
});

test("S3: blocks that come interleaved keep their own text and the order of their index", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 5 }),
      fc.infiniteStream(fc.nat()),
      (texts, draws) => {
        const queues = texts.map((text, index) => textBlock(index, text));
        const mixed: object[] = [];
        for (const draw of draws) {
          const left = queues.filter((queue) => queue.length > 0);
          if (left.length === 0) break;
          mixed.push(left[draw % left.length]?.shift() ?? {});
        }
        const { content } = responseOf([start, ...mixed, ...end("end_turn")]);
        expect(content).toEqual(texts.map((text) => ({ type: "text", text })));
      },
    ),
  );
});

test("RC3: half a call and unsigned thinking are told apart from whole blocks, and never started", () => {
  const events = [
    start,
    open(0, { type: "thinking", thinking: "", signature: "" }),
    grow(0, { type: "thinking_delta", thinking: "half" }),
    close(0),
    ...textBlock(1, "whole"),
    ...call(2, "t1", '{"path":'),
    ...end("max_tokens"),
  ];
  const response = responseOf(events);
  expect(response.content).toEqual([{ type: "text", text: "whole" }]);
  expect(response.unfinished.map(({ type }) => type)).toEqual(["thinking", "tool_use"]);
  expect(assemble(events).filter(({ kind }) => kind === "block")).toHaveLength(1);
});

test("M3: redacted thinking comes through as it is, and counts as whole", () => {
  const block = { type: "redacted_thinking", data: "c2VjcmV0" };
  const events = [start, open(0, block), close(0), ...end("end_turn")];
  expect(responseOf(events)).toMatchObject({ content: [block], unfinished: [] });
  expect(assemble(events)).toContainEqual({ kind: "block", index: 0, block });
});

test("RC3: a block that was never ended is unfinished, whatever its kind; a call without a name of its own is, too", () => {
  const events = [start, open(0, text), grow(0, { type: "text_delta", text: "half" }), ...end("max_tokens")];
  expect(responseOf(events)).toMatchObject({ content: [], unfinished: [{ type: "text", text: "half" }] });
  expect(assemble(events).map(({ kind }) => kind)).toEqual(["started", "complete"]);
  const nameless = responseOf([start, ...call(0, "", '{"a":1}'), ...end("tool_use")]);
  expect(nameless).toMatchObject({ content: [], unfinished: [{ type: "tool_use", id: "" }] });
  const opaque = responseOf([
    start,
    open(0, { type: "server_tool_use", id: "s1", input: {} }),
    grow(0, { type: "input_json_delta", partial_json: '{"que' }),
    close(0),
    ...end("max_tokens"),
  ]);
  expect(opaque).toMatchObject({ content: [], unfinished: [{ type: "opaque" }] });
});

test("S1: what a block's start holds already is kept: input, thinking, signature", () => {
  const { content } = responseOf([
    start,
    open(0, { type: "thinking", thinking: "all ", signature: "early" }),
    grow(0, { type: "thinking_delta", thinking: "of it" }),
    close(0),
    open(1, { type: "tool_use", id: "t1", name: "Read", input: { path: "a" } }),
    close(1),
    open(2, { type: "tool_use", id: "t2", name: "Read" }),
    close(2),
    ...end("tool_use"),
  ]);
  expect(content).toEqual([
    { type: "thinking", thinking: "all of it", signature: "early" },
    { type: "tool_use", id: "t1", name: "Read", input: { path: "a" } },
    { type: "tool_use", id: "t2", name: "Read", input: {} },
  ]);
});

test("RC3: a call without input is whole only if something follows it or the answer ended by itself", () => {
  const kinds = (events: readonly object[]) => assemble([start, ...call(0, "t1"), ...events]).map(({ kind }) => kind);
  expect(kinds([])).toEqual(["started"]);
  expect(kinds(end("tool_use"))).toEqual(["started", "block", "complete"]);
  expect(kinds(textBlock(1, "x"))).toEqual(["started", "block", "block"]);
  expect(kinds(end("max_tokens"))).toEqual(["started", "complete"]);
  expect(kinds(end("model_context_window_exceeded"))).toEqual(["started", "complete"]);
  expect(kinds([{ type: "message_stop" }])).toEqual(["started", "block", "complete"]);
  expect(kinds([open(1, text)])).toEqual(["started", "block"]);
  expect(responseOf([start, ...call(0, "t1"), ...call(1, "t2"), ...end("tool_use")]).content).toMatchObject([
    { id: "t1" },
    { id: "t2" },
  ]);
  // The second was open when the first was in doubt.
  const nested = [open(0, { type: "text", text: "" }), ...call(1, "t1"), close(0), ...end("max_tokens")];
  expect(responseOf([start, ...nested]).content).toMatchObject([{ type: "text" }, { id: "t1" }]);
});

test("M3: blocks of unknown types come through whole", () => {
  const wire = { type: "server_tool_use", id: "s1", name: "web_search", input: {} };
  const { content } = responseOf([
    start,
    open(0, wire),
    grow(0, { type: "input_json_delta", partial_json: '{"query":"x"}' }),
    close(0),
    open(1, { type: "web_search_tool_result", tool_use_id: "s1", content: [] }),
    close(1),
    ...end("end_turn"),
  ]);
  expect(content).toEqual([
    { type: "opaque", wire: { ...wire, input: { query: "x" } } },
    { type: "opaque", wire: { type: "web_search_tool_result", tool_use_id: "s1", content: [] } },
  ]);
});

test("K4: the server's own summary comes in one delta or whole at its start; a failed one is null", () => {
  const blocks = (...events: object[]) => responseOf([start, ...events, ...end("compaction")]).content;
  const first = { type: "compaction", content: null };
  expect(blocks(open(0, first), grow(0, { type: "compaction_delta", content: "sum" }), close(0))).toEqual([
    { type: "compaction", content: "sum" },
  ]);
  expect(blocks(open(0, { type: "compaction", content: "sum", signature: "s" }), close(0))).toEqual([
    { type: "compaction", content: "sum", signature: "s" },
  ]);
  expect(blocks(open(0, first), grow(0, { type: "compaction_delta", content: null }), close(0))).toEqual([first]);
});

test("unknown events and deltas are passed over", () => {
  const response = responseOf([
    start,
    { type: "ping" },
    { type: "a_new_event", index: 0 },
    open(0, { type: "text", text: "" }),
    grow(0, { type: "a_new_delta", glow: 1 }),
    grow(0, { type: "text_delta", text: null, thinking: 1, partial_json: 2, signature: 3 }),
    { type: "content_block_delta", index: 0, delta: null },
    { type: "content_block_delta", index: 0 },
    { type: "message_delta", delta: null, usage: null },
    { type: "message_delta", delta: { stop_reason: 7 } },
    grow(0, { type: "text_delta", text: "x" }),
    close(0),
    open(1, { type: "tool_use", id: "t", name: "Read", input: {} }),
    grow(1, { type: "a_new_delta", content: "no summary" }),
    grow(1, { type: "input_json_delta", partial_json: 5 }),
    close(1),
    { type: "message_delta", delta: {}, usage: { output_tokens: 5 } },
    { type: "message_stop" },
  ]);
  expect(response).toMatchObject({
    content: [
      { type: "text", text: "x" },
      { type: "tool_use", input: {} },
    ],
    unfinished: [],
    stopReason: null,
  });
  expect(response.content[0]).toEqual({ type: "text", text: "x" });
});

const text = { type: "text", text: "" };
test.each([
  ["message_stop before message_start", [{ type: "message_stop" }]],
  ["a block before message_start", [open(0, text)]],
  ["block 0 started twice", [start, open(0, text), open(0, text)]],
  ["block 0 started twice", [start, ...textBlock(0, "x"), open(0, text)]],
  ["a delta for block 3, which is not open", [start, grow(3, { type: "text_delta", text: "x" })]],
  ["the end of block 0, which is not open", [start, close(0)]],
  ["a block without a type", [start, open(0, {})]],
  ["a block event without an index", [start, { type: "content_block_start", content_block: text }]],
  ["message_start without id and model", [{ type: "message_start", message: { model: "x" } }]],
  ["message_start without id and model", [{ type: "message_start", message: { id: "m" } }]],
  ["message_start without id and model", [{ type: "message_start" }]],
  ["an event without a type", [{ kind: "message_start" }]],
  ["an event without a type", [[]]],
  ["a second message_start", [start, ...textBlock(0, "x"), start]],
  ["a second message_start", [start, ...textBlock(0, "x"), open(1, text), start]],
  ["a second message_start", [start, { ...start, message: { ...start.message, id: "other" } }]],
  ["message_start after message_stop", [start, ...end("end_turn"), start]],
])("S3: %s is malformed, never an answer (%#)", (why, events) => {
  const broken = (): unknown => assemble(events as readonly object[]);
  expect(broken).toThrow(MalformedStream);
  expect(broken).toThrow(`malformed stream: ${why}`);
});

test("S3: the same announcement twice before any content is passed over", () => {
  expect(assemble([start, start]).map(({ kind }) => kind)).toEqual(["started"]);
});

test("usage that the server leaves out is null, and figures given later win", () => {
  const bare = { type: "message_start", message: { id: "m", model: "x" } };
  const stop = { type: "message_stop" };
  expect(responseOf([bare, stop]).usage).toBeNull();
  const late = { type: "message_delta", delta: {}, usage: { input_tokens: null, output_tokens: 7 } };
  expect(responseOf([start, late, stop]).usage).toStrictEqual({ input_tokens: 9, output_tokens: 7 });
  const absent = { type: "message_delta", delta: {}, usage: { input_tokens: undefined, output_tokens: 8 } };
  expect(responseOf([start, absent, stop]).usage).toStrictEqual({ input_tokens: 9, output_tokens: 8 });
});
