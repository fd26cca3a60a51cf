import Anthropic from "@anthropic-ai/sdk";
import { expect, test } from "vitest";
import { createRng } from "../determinism/index.ts";
import type { ModelPort } from "./index.ts";
import { createFetch, createMockApi } from "./index.ts";

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

test("S1: the SDK's stream helper builds of the events what the plain answer holds", async () => {
  const plain = await client().messages.create(ask);
  const stream = client().messages.stream(ask);
  const told: string[] = [];
  stream.on("text", (delta, snapshot) => told.push(`text ${delta} of ${snapshot}`));
  stream.on("thinking", (delta) => told.push(`thinking ${delta}`));
  stream.on("signature", (signature) => told.push(`signature ${signature.length > 20}`));
  stream.on("inputJson", (_, snapshot) => told.push(`input ${JSON.stringify(snapshot)}`));
  stream.on("contentBlock", ({ type }) => told.push(`whole ${type}`));
  const message = await stream.finalMessage();
  expect(told).toEqual([
    ...["thinking h", "signature true", "whole thinking", "text word of word", "whole text"],
    ...["input {}", 'input {"a":1}', "whole tool_use"],
  ]);
  expect(message).toMatchObject({ ...plain });
  expect(await client().messages.stream(ask).finalText()).toBe("word");
});

test("A2: tokens are counted as they are billed, plain and in beta, before and after the server's own edits", async () => {
  const { max_tokens: _, ...countable } = ask;
  const { usage } = await client().messages.create(ask);
  expect(await client().messages.countTokens(countable)).toEqual({ input_tokens: usage.input_tokens });
  const counted = await client().beta.messages.countTokens({ ...countable, betas: ["context-management-2025-06-27"] });
  expect(counted).toEqual({ input_tokens: usage.input_tokens, context_management: null });
  await expect(client().messages.countTokens({ ...countable, messages: [] })).rejects.toThrow("at least one message");
});

test("K4: the beta client clears old tool results on the server, streamed and not, and is told what went", async () => {
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: "go" }];
  for (let n = 0; n < 6; n++) {
    const id = `id${n}`;
    messages.push(
      { role: "assistant", content: [{ type: "tool_use", id, name: "Read", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "a long result ".repeat(400) }] },
    );
  }
  const edit = { type: "clear_tool_uses_20250919", trigger: { type: "tool_uses", value: 4 } } as const;
  const managed = { ...ask, messages, betas: ["context-management-2025-06-27"], context_management: { edits: [edit] } };
  const answer = await client().beta.messages.create(managed);
  const cleared = { type: "clear_tool_uses_20250919", cleared_tool_uses: 3, cleared_input_tokens: expect.any(Number) };
  expect(answer.context_management).toEqual({ applied_edits: [cleared] });
  const streamed = await client().beta.messages.stream(managed).finalMessage();
  expect(streamed.context_management).toEqual(answer.context_management);
  expect(streamed.usage.input_tokens).toBe(answer.usage.input_tokens);
});
