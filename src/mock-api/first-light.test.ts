import Anthropic from "@anthropic-ai/sdk";
import { expect, test } from "vitest";
import { createRng } from "../determinism/index.ts";
import type { MockApi, ModelPort } from "./index.ts";
import { createFetch, createMockApi, createMswServer } from "./index.ts";

const echo: ModelPort = (request) => ({
  content: [
    { kind: "thinking", thinking: "let me see" },
    { kind: "text", text: `you sent ${request.messages.length} messages, naïve café 漢字` },
    { kind: "tool-call", name: "Read", input: { path: "a.ts" } },
  ],
  trace: [],
});
const api = (): MockApi => createMockApi({ model: echo, rng: createRng(1), now: () => 0, chunking: 7 });
const tools = [{ name: "Read", input_schema: { type: "object" as const } }];
const ask = {
  model: "claude-opus-5-5",
  max_tokens: 1000,
  messages: [{ role: "user" as const, content: "hi" }],
  thinking: { type: "adaptive" as const },
  tools,
};

test("S1: the SDK reads a streamed and a plain answer as the same message", async () => {
  const client = new Anthropic({ apiKey: "k", fetch: createFetch(api()), maxRetries: 0 });
  const streamed = await client.messages.stream(ask).finalMessage();
  const plain = await new Anthropic({ apiKey: "k", fetch: createFetch(api()), maxRetries: 0 }).messages.create(ask);
  expect({ ...streamed, usage: streamed.usage }).toMatchObject({
    content: plain.content,
    stop_reason: "tool_use",
    id: plain.id,
  });
  expect(streamed.usage.input_tokens).toBe(plain.usage.input_tokens);
  expect(plain.content.map((block) => block.type)).toEqual(["thinking", "text", "tool_use"]);
});

test("A1: over MSW the SDK is answered, and a request to anywhere else is refused", async () => {
  const server = createMswServer(api());
  server.listen();
  try {
    const client = new Anthropic({ apiKey: "k", maxRetries: 0 });
    const answer = await client.messages.create(ask);
    expect(answer.stop_reason).toBe("tool_use");
    await expect(fetch("https://example.com/anything")).rejects.toThrow();
    await expect(fetch("https://api.anthropic.com/elsewhere")).rejects.toThrow();
  } finally {
    server.close();
  }
});
