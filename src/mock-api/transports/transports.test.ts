import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Anthropic from "@anthropic-ai/sdk";
import { afterEach, expect, test } from "vitest";
import { createRng, stableHash } from "../../determinism/index.ts";
import { createMockApi } from "../create-mock-api.ts";
import type { MockEvent } from "../event.ts";
import type { Fault } from "../fault.ts";
import type { MockApi } from "../mock-api.ts";
import type { ModelPort } from "../ports.ts";
import { createFetch } from "./fetch.ts";
import type { Loopback } from "./loopback.ts";
import { listen } from "./loopback.ts";
import { createMswServer } from "./msw.ts";
import { latencyHeader } from "./response.ts";

const speaks: ModelPort = (request, { rng }) => ({
  content: [
    { kind: "thinking", thinking: "naïve café 漢字 🙂 ".repeat(rng.integer(1, 9)) },
    {
      kind: "text",
      text: `${request.messages.length} messages: 漢字かな 🙂 ${"more words ".repeat(rng.integer(1, 200))}`,
    },
    { kind: "tool-call", name: "Read", input: { path: `src/${rng.hex(6)}.ts`, note: "🙂" } },
  ],
  trace: [],
});
const faults: readonly Fault[] = [
  { id: "busy", kind: "overloaded", match: { probability: 0.2 } },
  { id: "cut", kind: "stream-cut", match: { nth: 4 }, with: { afterBytes: 777 } },
  { id: "wrong", kind: "usage-wrong", match: { nth: 6 }, with: { nan: true } },
];
const tools = [{ name: "Read", input_schema: { type: "object" as const } }];

interface Session {
  readonly seen: string;
  readonly observed: readonly MockEvent[];
}

/** Twelve rounds of a tool loop by the SDK; what the client saw, and what the server saw. */
async function session(
  options: (api: MockApi) => Promise<{ client: Anthropic; end?: () => unknown }>,
): Promise<Session> {
  const observed: MockEvent[] = [];
  const api = createMockApi({
    model: speaks,
    rng: createRng(11),
    now: () => 0,
    faults,
    observer: (event) => observed.push(event),
  });
  const { client, end } = await options(api);
  const seen: unknown[] = [];
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: "go" }];
  for (let round = 1; round <= 12; round++) {
    const headers = {
      "x-longhaul-source": "main",
      "x-longhaul-round": String(round),
      "x-longhaul-turn": "1",
      "x-longhaul-attempt": "1",
    };
    const ask = { model: "claude-opus-5-5", max_tokens: 4_000, messages, tools };
    try {
      const answer =
        round % 3 === 0
          ? await client.messages.create(ask, { headers })
          : await client.messages.stream(ask, { headers }).finalMessage();
      seen.push(answer);
      const id = answer.content.find((block) => block.type === "tool_use")?.id ?? "";
      messages.push(
        { role: "assistant", content: answer.content },
        { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "ok" }] },
      );
    } catch (error) {
      seen.push(error instanceof Anthropic.APIError ? [error.status, error.requestID] : "broken stream");
    }
  }
  await end?.();
  return { seen: stableHash(JSON.stringify(seen)), observed };
}

let open: Loopback | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

test("A1: fetch, MSW and loopback give one run", async () => {
  const overFetch = await session(async (api) => ({
    client: new Anthropic({ apiKey: "k", fetch: createFetch(api), maxRetries: 0 }),
  }));
  const overMsw = await session(async (api) => {
    const server = createMswServer(api);
    server.listen();
    return { client: new Anthropic({ apiKey: "k", maxRetries: 0 }), end: server.close };
  });
  const overLoopback = await session(async (api) => {
    open = await listen(api, { port: 0 });
    return { client: new Anthropic({ apiKey: "k", baseURL: open.url, maxRetries: 0 }) };
  });
  expect(overMsw).toEqual(overFetch);
  expect(overLoopback).toEqual(overFetch);
  const kinds = overFetch.observed.map((event) => event.kind);
  expect(kinds).toContain("refused");
  expect(kinds.filter((kind) => kind === "served").length).toBeGreaterThan(6);
});

test("A1: the direct path gives the events that the others send as bytes", async () => {
  const call = {
    method: "POST",
    path: "/v1/messages",
    headers: { "x-api-key": "k", "x-longhaul-source": "main" },
    body: {
      model: "claude-opus-5-5",
      max_tokens: 4_000,
      messages: [{ role: "user", content: "go" }],
      tools,
      stream: true,
    },
  };
  const make = (): MockApi => createMockApi({ model: speaks, rng: createRng(11), now: () => 0 });
  const direct = make().serve(call);
  const sent = await createFetch(make())("https://api.anthropic.com/v1/messages", {
    method: "POST",
    headers: call.headers,
    body: JSON.stringify(call.body),
  });
  const lines = (await sent.text()).split("\n").filter((line) => line.startsWith("data: "));
  expect(direct.body).toEqual({ kind: "events", events: lines.map((line) => JSON.parse(line.slice(6))) });
});

test("S1: bodies are cut at seeded places, also inside a character, and the same seed cuts at the same places", async () => {
  const read = async (): Promise<Uint8Array[]> => {
    const api = createMockApi({ model: speaks, rng: createRng(11), now: () => 0, chunking: 40 });
    const body = JSON.stringify({
      model: "claude-opus-5-5",
      max_tokens: 4_000,
      messages: [{ role: "user", content: "go" }],
      stream: true,
    });
    const response = await createFetch(api)("https://api.anthropic.com/v1/messages", {
      method: "POST",
      headers: { "x-api-key": "k" },
      body,
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) chunks.push(chunk);
    return chunks;
  };
  const chunks = await read();
  expect(await read()).toEqual(chunks);
  expect(chunks.length).toBeGreaterThan(10);
  expect(chunks.some((chunk) => ((chunk[0] ?? 0) & 0xc0) === 0x80)).toBe(true);
});

test("S2: our client gets the latency as a header, with byte offsets that begin events", async () => {
  const api = createMockApi({ model: speaks, rng: createRng(11), now: () => 0 });
  const body = JSON.stringify({
    model: "claude-opus-5-5",
    max_tokens: 4_000,
    messages: [{ role: "user", content: "go" }],
    stream: true,
  });
  const post = (headers: Record<string, string>): Promise<Response> =>
    createFetch(api)("https://api.anthropic.com/v1/messages", {
      method: "POST",
      headers: { "x-api-key": "k", ...headers },
      body,
    });
  expect((await post({})).headers.get(latencyHeader)).toBeNull();
  const response = await post({ "x-longhaul-source": "main" });
  const { first, at } = JSON.parse(response.headers.get(latencyHeader) ?? "") as {
    first: number;
    at: [number, number][];
  };
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(first).toBeGreaterThan(900);
  expect(at.map(([offset]) => bytes.subarray(offset, offset + 25).toString())).toEqual(
    Array(2).fill("event: content_block_stop"),
  );
});

test("A1: under MSW a request to anywhere but the API is refused, even one that would be answered", async () => {
  const elsewhere = createServer((_, response) => response.end("reached"));
  await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
  expect(await (await fetch(url)).text()).toBe("reached");
  const server = createMswServer(createMockApi({ model: speaks, rng: createRng(1), now: () => 0 }));
  server.listen();
  try {
    await expect(fetch(url)).rejects.toThrow();
  } finally {
    server.close();
    elsewhere.close();
  }
});

test("A1: loopback waits in real time only when it is given a clock, and a stall leaves foreign clients hanging", async () => {
  const slept: number[] = [];
  const stall: Fault = { id: "s", kind: "stream-stall", match: { nth: 2 }, with: { never: true, afterEvents: 3 } };
  const api = createMockApi({ model: speaks, rng: createRng(11), now: () => 0, faults: [stall] });
  open = await listen(api, { port: 0, sleep: async (ms) => void slept.push(ms) });
  const client = new Anthropic({ apiKey: "k", baseURL: open.url, maxRetries: 0 });
  const ask = { model: "claude-opus-5-5", max_tokens: 4_000, messages: [{ role: "user" as const, content: "go" }] };
  await client.messages.stream(ask).finalMessage();
  expect(slept[0]).toBeGreaterThan(900);
  expect(slept).toHaveLength(3);
  const stream = await client.messages.create({ ...ask, stream: true });
  let events = 0;
  const reading = (async () => {
    for await (const _ of stream) events++;
  })();
  await expect.poll(() => events).toBe(2);
  stream.controller.abort();
  await reading;
  expect(events).toBe(2);
});

test("A1: a port that is taken is an error, and closing frees it", async () => {
  const api = createMockApi({ model: speaks, rng: createRng(1), now: () => 0 });
  open = await listen(api, { port: 0 });
  await expect(listen(api, { port: open.port })).rejects.toThrow(/EADDRINUSE/);
  await open.close();
  open = await listen(api, { port: open.port });
});
