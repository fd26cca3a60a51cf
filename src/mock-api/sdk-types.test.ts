import Anthropic from "@anthropic-ai/sdk";
import { expect, expectTypeOf, test } from "vitest";
import { createRng } from "../determinism/index.ts";
import type { ModelPort } from "./index.ts";
import { createFetch, createMockApi } from "./index.ts";
import type { StreamEvent } from "./stream/stream-event.ts";

type Beta = Anthropic.Beta.Messages.BetaMessage;

/**
 * The unions of SDK 1.14 that the mock knows. A new member in the SDK makes these lines fail to compile, and so `npm run check`: then decide
 * whether the mock sends it.
 */
test("drift: the SDK's unions of events, deltas and stop reasons are those that the mock was written against", () => {
  type Events = Anthropic.RawMessageStreamEvent["type"];
  expectTypeOf<Events>().toEqualTypeOf<Exclude<StreamEvent["type"], "ping" | "error">>();
  expectTypeOf<Anthropic.Beta.Messages.BetaRawMessageStreamEvent["type"]>().toEqualTypeOf<Events>();
  expectTypeOf<Anthropic.RawContentBlockDelta["type"]>().toEqualTypeOf<
    "text_delta" | "input_json_delta" | "citations_delta" | "thinking_delta" | "signature_delta"
  >();
  expectTypeOf<Anthropic.Beta.Messages.BetaRawContentBlockDelta["type"]>().toEqualTypeOf<
    Anthropic.RawContentBlockDelta["type"] | "compaction_delta"
  >();
  expectTypeOf<Anthropic.StopReason>().toEqualTypeOf<
    | "end_turn"
    | "max_tokens"
    | "stop_sequence"
    | "tool_use"
    | "pause_turn"
    | "refusal"
    | "model_context_window_exceeded"
  >();
  expectTypeOf<NonNullable<Beta["stop_reason"]>>().toEqualTypeOf<Anthropic.StopReason | "compaction">();
  expectTypeOf<keyof Anthropic.Usage>().toEqualTypeOf<
    | "input_tokens"
    | "cache_creation_input_tokens"
    | "cache_read_input_tokens"
    | "cache_creation"
    | "output_tokens"
    | "output_tokens_details"
    | "server_tool_use"
    | "service_tier"
    | "inference_geo"
    | "speed"
  >();
  expectTypeOf<NonNullable<Anthropic.Diagnostics["cache_miss_reason"]>["type"]>().toEqualTypeOf<
    | "model_changed"
    | "system_changed"
    | "tools_changed"
    | "messages_changed"
    | "previous_message_not_found"
    | "unavailable"
  >();
});

const speaks: ModelPort = () => ({
  content: [
    { kind: "thinking", thinking: "h" },
    { kind: "text", text: "word" },
    { kind: "tool-call", name: "Read", input: { a: 1 } },
  ],
  trace: [],
});
const client = (): Anthropic =>
  new Anthropic({
    apiKey: "k",
    maxRetries: 0,
    fetch: createFetch(createMockApi({ model: speaks, rng: createRng(1), now: () => 0 })),
  });
const ask = {
  model: "claude-opus-5-5",
  max_tokens: 1_000,
  messages: [{ role: "user" as const, content: "hi" }],
  tools: [{ name: "Read", input_schema: { type: "object" as const } }],
};

test("A5: a message carries every field that the types require, and null where it means nothing", async () => {
  const message = await client().messages.create(ask);
  const usageKeys = [
    "input_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
    "cache_creation",
    "output_tokens",
  ];
  expect(Object.keys(message.usage)).toEqual([
    ...usageKeys,
    "output_tokens_details",
    "server_tool_use",
    "service_tier",
    "inference_geo",
    "speed",
  ]);
  expect(message).toMatchObject({
    type: "message",
    role: "assistant",
    stop_details: null,
    stop_sequence: null,
    container: null,
    diagnostics: null,
  });
  expect(message.content).toMatchObject([
    { signature: expect.any(String) },
    { citations: null },
    { caller: { type: "direct" }, input: { a: 1 } },
  ]);
});

test("A5: beta responses carry the beta's fields, others do not", async () => {
  const beta = await client().beta.messages.create({ ...ask, betas: ["context-management-2025-06-27"] });
  expect(beta).toMatchObject({ context_management: null, usage: { iterations: null, fallback_credit: null } });
  expect(await client().messages.create(ask)).not.toHaveProperty("context_management");
});

test("S1: the events come in their order, a signature once and last in its block", async () => {
  const types: string[] = [];
  for await (const event of await client().messages.create({ ...ask, stream: true }))
    types.push(event.type === "content_block_delta" ? event.delta.type : event.type);
  expect(types).toEqual([
    ...["message_start", "content_block_start", "thinking_delta", "signature_delta", "content_block_stop"],
    ...["content_block_start", "text_delta", "content_block_stop"],
    ...["content_block_start", "input_json_delta", "input_json_delta", "content_block_stop"],
    ...["message_delta", "message_stop"],
  ]);
});

test("A2: models are listed in pages and found by id", async () => {
  const ids: string[] = [];
  for await (const model of client().models.list({ limit: 5 })) ids.push(model.id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toContain("claude-opus-5-5");
  const one = await client().models.retrieve("claude-haiku-4-5");
  expect(one).toMatchObject({ id: "claude-haiku-4-5", line: "haiku", max_input_tokens: 200_000 });
  await expect(client().models.retrieve("nope")).rejects.toThrow("model: nope");
});

test("S1: stop sequences, a cut at max_tokens in the middle of a tool call, and tools that were not offered", async () => {
  const stopped = await client().messages.create({ ...ask, stop_sequences: ["or"] });
  expect(stopped).toMatchObject({ stop_reason: "stop_sequence", stop_sequence: "or" });
  expect(stopped.content.at(-1)).toMatchObject({ text: "w" });
  const cut = await client().messages.create({ ...ask, max_tokens: 8 });
  expect(cut).toMatchObject({ stop_reason: "max_tokens", usage: { output_tokens: 8 } });
  const { tools: _, ...without } = ask;
  expect((await client().messages.create(without)).stop_reason).toBe("end_turn");
});
