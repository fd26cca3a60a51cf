import Anthropic from "@anthropic-ai/sdk";
import { expect, test } from "vitest";
import { createRng } from "../../determinism/index.ts";
import { createMockApi } from "../create-mock-api.ts";
import type { MockEvent } from "../event.ts";
import type { Fault, FaultKind } from "../fault.ts";
import { faultKinds } from "../fault.ts";
import type { ModelPort } from "../ports.ts";
import { createFetch } from "../transports/fetch.ts";
import { latencyHeader } from "../transports/response.ts";

const summary = "The goal is to fix the parser. Port 8081.";
const speaks: ModelPort = (_, { source }) => ({
  content:
    source === "compact"
      ? [{ kind: "text", text: `<analysis>thinking it over</analysis>\n<summary>${summary}</summary>` }]
      : [
          { kind: "text", text: "one sentence and then another sentence ".repeat(10) },
          { kind: "tool-call", name: "Read", input: { path: "a.ts" } },
        ],
  trace: [],
});

/** What a client that knows nothing of the mock met: the SDK without retries, streamed or not. */
interface Met {
  readonly outcome: string;
  readonly texts: readonly string[];
  readonly events: readonly string[];
  readonly message: Anthropic.Message | undefined;
  readonly latency: { readonly first: unknown; readonly at: readonly (readonly [number, unknown])[] } | undefined;
  readonly observed: readonly MockEvent[];
}

interface How {
  readonly stream?: boolean;
  readonly compact?: boolean;
  /** The same was asked before, without the fault, and lies in the cache. */
  readonly again?: boolean;
}

async function meet(fault: Fault, how: How = {}): Promise<Met> {
  const observed: MockEvent[] = [];
  const api = createMockApi({
    model: speaks,
    rng: createRng(3),
    now: () => 60_000 * observed.length,
    faults: [how.again ? { ...fault, match: { nth: 2 } } : fault],
    observer: (event) => observed.push(event),
  });
  let latency: Met["latency"];
  const inner = createFetch(api);
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await inner(input, init);
    latency = JSON.parse(response.headers.get(latencyHeader) ?? "null") ?? undefined;
    return response;
  };
  const client = new Anthropic({
    apiKey: "k",
    fetch,
    maxRetries: 0,
    defaultHeaders: { "x-longhaul-source": how.compact ? "compact" : "main" },
  });
  const ask = {
    model: "claude-opus-4-8",
    max_tokens: 5_000,
    messages: [{ role: "user" as const, content: "word ".repeat(2_000) }],
    tools: [{ name: "Read", input_schema: { type: "object" as const } }],
    cache_control: { type: "ephemeral" as const },
    ...(how.compact ? { thinking: { type: "adaptive" as const } } : {}),
  };
  if (how.again) await client.messages.create(ask);
  const events: string[] = [];
  const texts: string[] = [];
  let message: Anthropic.Message | undefined;
  let outcome = "ended";
  try {
    if (how.stream === false) {
      message = await client.messages.create(ask);
      outcome = typeof message === "string" ? "a string" : outcome;
    } else {
      for await (const event of await client.messages.create({ ...ask, stream: true })) {
        events.push(event.type);
        if (event.type === "content_block_delta" && event.delta.type === "text_delta") texts.push(event.delta.text);
        if (event.type === "message_start") message = event.message;
        if (event.type === "message_delta" && message !== undefined)
          Object.assign(message, { stop_reason: event.delta.stop_reason, last: event.usage });
      }
    }
  } catch (error) {
    outcome =
      error instanceof Anthropic.APIError
        ? `${error.constructor.name} ${error.status}: ${error.message.slice(0, 60)}`
        : String(error);
  }
  return { outcome, texts, events, message, latency, observed };
}

const fault = (kind: FaultKind, settings: Fault["with"] = {}): Fault => ({ id: "f", kind, match: {}, with: settings });

/** What each kind does to the client, and how it is asked for. Each row also proves that the injection was reported once. */
const rows: readonly (readonly [FaultKind, Fault["with"], Parameters<typeof meet>[1], (met: Met) => void])[] = [
  [
    "prompt-too-long",
    {},
    {},
    ({ outcome }) => expect(outcome).toMatch(/400.*prompt is too long: \d+ tokens >|400 \{"type":"error"/),
  ],
  ["rate-limit", {}, {}, ({ outcome }) => expect(outcome).toContain("RateLimitError 429")],
  ["overloaded", {}, {}, ({ outcome }) => expect(outcome).toContain("OverloadedError 529")],
  ["api-error", {}, {}, ({ outcome }) => expect(outcome).toContain("InternalServerError 500")],
  [
    "timeout",
    {},
    {},
    ({ outcome, latency }) =>
      expect([outcome.slice(0, 23), latency?.first]).toEqual(["GatewayTimeoutError 504", 60_000]),
  ],
  ["timeout", { never: true }, {}, ({ latency }) => expect(latency?.first).toBe("never")],
  ["request-too-large", {}, {}, ({ outcome }) => expect(outcome).toContain("413")],
  ["bad-gateway-html", {}, {}, ({ outcome }) => expect(outcome).toContain("502: 502 <html>")],
  ["auth-expired", {}, {}, ({ outcome }) => expect(outcome).toContain("AuthenticationError 401")],
  [
    "long-context-denied",
    {},
    {},
    ({ outcome, observed }) => {
      expect(outcome).toContain("BadRequestError 400: 400");
      expect(observed[1]).toMatchObject({ text: "The long context beta is not yet available for this subscription." });
    },
  ],
  ["connection-reset", {}, {}, ({ outcome }) => expect(outcome).toContain("APIConnectionError undefined")],
  [
    "connection-reset",
    { when: "after-headers", afterBytes: 300 },
    {},
    ({ outcome, events }) => expect([outcome, events[0]]).toEqual(["TypeError: terminated", undefined]),
  ],
  [
    "stream-cut",
    { afterEvents: 4 },
    {},
    ({ outcome, events }) =>
      expect([outcome, events.length, events.includes("message_stop")]).toEqual(["ended", 3, false]),
  ],
  [
    "stream-cut",
    { afterBytes: 900 },
    {},
    ({ outcome, events }) => expect([outcome, events.includes("message_stop")]).toEqual(["ended", false]),
  ],
  [
    "stream-error-event",
    {},
    {},
    ({ outcome }) => expect(outcome).toMatch(/^APIError undefined|^OverloadedError|^InternalServerError undefined/),
  ],
  [
    "stream-stall",
    { seconds: 90, afterEvents: 3 },
    {},
    ({ latency }) => expect(latency?.at.map(([, ms]) => ms)).toContain(90_000),
  ],
  [
    "stream-stall",
    { never: true, afterEvents: 3 },
    {},
    ({ latency }) => expect(latency?.at.map(([, ms]) => ms)).toContain("never"),
  ],
  ["malformed-sse", {}, {}, ({ outcome }) => expect(outcome).toMatch(/SyntaxError|AnthropicError/)],
  [
    "malformed-json-body",
    {},
    { stream: false },
    ({ outcome }) => expect(outcome).toMatch(/SyntaxError|AnthropicError|APIConnectionError/),
  ],
  ["empty-200", {}, {}, ({ outcome, events }) => expect([outcome, events]).toEqual(["ended", []])],
  ["html-200", {}, {}, ({ outcome, events }) => expect([outcome, events]).toEqual(["ended", []])],
  ["html-200", {}, { stream: false }, ({ outcome }) => expect(outcome).toBe("a string")],
  [
    "interleaved-blocks",
    {},
    {},
    ({ events }) => {
      const firstStop = events.indexOf("content_block_stop");
      expect(events.slice(0, firstStop).filter((type) => type === "content_block_start")).toHaveLength(2);
    },
  ],
  [
    "duplicate-message-start",
    {},
    {},
    ({ events }) => expect(events.slice(0, 2)).toEqual(["message_start", "message_start"]),
  ],
  ["usage-missing", {}, {}, ({ message }) => expect(message?.usage).toBeUndefined()],
  [
    "usage-zero",
    {},
    { stream: false },
    ({ message }) =>
      expect(message?.usage).toMatchObject({ input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0 }),
  ],
  [
    "usage-wrong",
    { factor: 10 },
    { stream: false },
    ({ message, observed }) => {
      const served = observed.find((event) => event.kind === "served");
      expect(message?.usage.input_tokens).toBe(10 * (served?.kind === "served" ? served.billed.uncached : 0));
    },
  ],
  ["usage-wrong", { nan: true }, { stream: false }, ({ message }) => expect(message?.usage.input_tokens).toBeNull()],
  [
    "cache-flush",
    {},
    { stream: false, again: true },
    ({ message }) => {
      expect(message?.usage.cache_read_input_tokens).toBe(0);
      expect(message?.usage.cache_creation_input_tokens).toBeGreaterThan(1_000);
    },
  ],
  ["wrong-stop-reason", {}, {}, ({ message }) => expect(message?.stop_reason).toBe("end_turn")],
  [
    "max-tokens-cut",
    { tokens: 5 },
    {},
    ({ message, texts }) => expect([message?.stop_reason, texts.join("").length < 40]).toEqual(["max_tokens", true]),
  ],
  [
    "refusal",
    {},
    { stream: false },
    ({ message }) =>
      expect(message).toMatchObject({ stop_reason: "refusal", content: [], stop_details: { type: "refusal" } }),
  ],
  [
    "context-window-exceeded-stop",
    {},
    {},
    ({ message }) => expect(message?.stop_reason).toBe("model_context_window_exceeded"),
  ],
  [
    "tool-call-instead-of-summary",
    {},
    { compact: true },
    ({ message, texts }) => expect([message?.stop_reason, texts]).toEqual(["tool_use", []]),
  ],
  ["empty-summary", {}, { compact: true }, ({ texts }) => expect(texts.join("")).toContain("<summary></summary>")],
  [
    "whitespace-summary",
    {},
    { compact: true },
    ({ texts }) => expect(texts.join("")).toMatch(/^<summary>\s+<\/summary>$/),
  ],
  [
    "thinking-only",
    {},
    { compact: true },
    ({ texts, events }) =>
      expect([texts, events.filter((type) => type === "content_block_start").length]).toEqual([[], 1]),
  ],
  ["no-tags", {}, { compact: true }, ({ texts }) => expect(texts.join("")).toBe(summary)],
  ["unclosed-summary", {}, { compact: true }, ({ texts }) => expect(texts.join("")).toMatch(/<summary>\n.*8081\.$/)],
  ["unclosed-analysis", {}, { compact: true }, ({ texts }) => expect(texts.join("")).not.toContain("</analysis>")],
  ["nested-summary", {}, { compact: true }, ({ texts }) => expect(texts.join("").match(/<summary>/g)).toHaveLength(2)],
  [
    "html-summary-in-body",
    {},
    { compact: true },
    ({ texts }) => expect(texts.join("")).toContain("<details><summary>Show more</summary>"),
  ],
  ["oversized-summary", {}, { compact: true }, ({ texts }) => expect(texts.join("").length).toBeGreaterThan(8_000)],
  [
    "truncated-summary",
    {},
    { compact: true },
    ({ message, texts }) =>
      expect([message?.stop_reason, texts.join("").includes("8081")]).toEqual(["max_tokens", false]),
  ],
  [
    "error-text-as-summary",
    {},
    { compact: true },
    ({ texts }) => expect(texts.join("")).toBe("API Error: 500 Internal server error"),
  ],
];

test.each(
  rows.map(
    ([kind, settings, how, check]) => [`F2: ${kind} ${JSON.stringify(settings)}`, kind, settings, how, check] as const,
  ),
)("%s reaches the client", async (_, kind, settings, how, check) => {
  const met = await meet(fault(kind, settings), how);
  check(met);
  expect(met.observed.filter((event) => event.kind === "fault_injected")).toMatchObject([
    { fault: "f", faultKind: kind },
  ]);
});

test("F2: every kind of fault has a row above", () => {
  expect([...new Set(rows.map(([kind]) => kind))].sort()).toEqual([...faultKinds].sort());
});

test("F2: without its fault, what was asked before is read from the cache", async () => {
  const { message } = await meet({ ...fault("cache-flush"), times: 0 }, { stream: false, again: true });
  expect(message?.usage.cache_read_input_tokens).toBeGreaterThan(1_000);
});
