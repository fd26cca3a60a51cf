import { expect, test } from "vitest";
import type { Reply } from "../../testing/index.ts";
import { aToolUse, createVirtualClock, scriptedServer } from "../../testing/index.ts";
import type { ClientEvent } from "./client-port.ts";
import { createSdkClient } from "./sdk-client.ts";

const say = (text: string) => ({ type: "text", text }) as const;

async function ask(
  reply: Reply,
  abortAfterMs?: number,
): Promise<{ events: ClientEvent[]; tookMs: number; headers: Headers[] }> {
  const clock = createVirtualClock(5_000);
  const server = scriptedServer(clock, [reply]);
  const client = createSdkClient({ apiKey: "key", baseUrl: "http://scripted", fetch: server.fetch, clock });
  const user = new AbortController();
  const request = { model: "claude-opus-4-6", max_tokens: 100, messages: [{ role: "user" as const, content: "hi" }] };
  return clock.run(async () => {
    if (abortAfterMs !== undefined) clock.timer(abortAfterMs, () => user.abort());
    const events: ClientEvent[] = [];
    const call = { request, source: "compact" as const, turn: 3, round: 14, attempt: 2, signal: user.signal };
    for await (const event of client.send(call)) events.push(event);
    return { events, tookMs: clock.now() - 5_000, headers: server.headers };
  });
}

const failureOf = async (reply: Reply) => {
  const { events } = await ask(reply);
  const last = events.at(-1);
  if (last?.kind !== "failed") throw new Error(`no failure, but ${last?.kind}`);
  expect(events.filter(({ kind }) => kind === "complete")).toEqual([]);
  return last.failure;
};

test("a whole answer ends in `complete`, and says where it was asked from", async () => {
  const { events, headers } = await ask({ kind: "message", content: [say("a"), aToolUse("t1", "Read", { x: "ü" })] });
  expect(events.map(({ kind }) => kind)).toEqual(["started", "block", "block", "complete"]);
  const named = ["source", "turn", "round", "attempt"].map((name) => headers[0]?.get(`x-longhaul-${name}`));
  expect(named).toEqual(["compact", "3", "14", "2"]);
  expect(headers[0]?.get("x-stainless-retry-count")).toBe("0");
});

test.each([1, 2, 3, 4, 5])(
  "S3: a stream cut after %s events is a failure, though the SDK ends in silence",
  async (events) => {
    const failure = await failureOf({ kind: "message", content: [say("abc")], cutAfterEvents: events });
    expect(failure.error).toEqual({ class: "transient", text: "the stream ended before the message did" });
  },
);

test("S3: a body that stalls is given up after two minutes of silence", async () => {
  const { events, tookMs } = await ask({ kind: "message", content: [say("abc")], stallAfterEvents: 3 });
  expect(events.at(-1)).toMatchObject({ kind: "failed", failure: { error: { text: "the stream stalled" } } });
  expect(tookMs).toBe(120_000);
});

test("a slow stream that keeps coming is not given up", async () => {
  const { events } = await ask({ kind: "message", content: [say("abc")], delayMs: 100_000 });
  expect(events.at(-1)?.kind).toBe("complete");
});

test("S3: a server that never answers is given up after ten minutes", async () => {
  const { events, tookMs } = await ask({ kind: "silence" });
  expect(events).toMatchObject([{ kind: "failed", failure: { error: { text: "the server did not answer in time" } } }]);
  expect(tookMs).toBe(600_000);
});

test("S3: the user's abort ends an answer as `aborted`, wherever it stands", async () => {
  const stalled = await ask({ kind: "message", content: [say("abc")], stallAfterEvents: 3 }, 1_000);
  expect(stalled.events.at(-1)).toEqual({ kind: "aborted" });
  expect(stalled.tookMs).toBe(1_000);
  expect((await ask({ kind: "silence" }, 1_000)).events).toEqual([{ kind: "aborted" }]);
});

test("S3: an error event keeps its class, and is never an answer", async () => {
  const errorAfterEvents = { events: 3, type: "overloaded_error", message: "Overloaded" };
  const failure = await failureOf({ kind: "message", content: [say("abc")], errorAfterEvents });
  expect(failure).toMatchObject({ error: { class: "overloaded", text: "Overloaded" }, status: null });
});

test.each([
  [
    "HTML",
    { contentType: "text/html; charset=utf-8", body: "<html>busy</html>" },
    "200 with text/html in place of an event stream",
  ],
  ["nothing", { contentType: "text/event-stream", body: "" }, "the stream held no message"],
  ["no type", { contentType: "", body: "" }, "200 with no content type in place of an event stream"],
  ["JSON", { contentType: "application/json", body: "{}" }, "200 with application/json in place of an event stream"],
  [
    "broken data",
    { contentType: "text/event-stream", body: "event: message_start\ndata: {oops\n\n" },
    "malformed stream: data that is not JSON",
  ],
])("S3: a 200 with %s is transient", async (_name, { contentType, body }, text) => {
  expect((await failureOf({ kind: "bytes", status: 200, contentType, body })).error).toEqual({
    class: "transient",
    text,
  });
});

test("a 502 with an HTML body is transient, and its text is ours", async () => {
  const failure = await failureOf({
    kind: "bytes",
    status: 502,
    contentType: "text/html",
    body: "<h1>Bad Gateway</h1>",
  });
  expect(failure.error).toEqual({ class: "transient", text: "HTTP 502 without a readable error body" });
});

test("no connection is transient, and its text is ours", async () => {
  expect((await failureOf({ kind: "no-connection" })).error).toEqual({
    class: "transient",
    text: "no connection to the server",
  });
});

test.each([
  [{ "retry-after": "30" }, 30_000],
  [{ "retry-after": " 1.5 " }, 1_500],
  [{ "retry-after-ms": "250", "retry-after": "30" }, 250],
  [{ "retry-after": "Thu, 01 Jan 1970 00:00:15 GMT" }, 10_000],
  [{ "retry-after": "Thu, 01 Jan 1970 00:00:01 GMT" }, 0],
  [{ "retry-after": "soon" }, null],
  [{ "retry-after": "in 5" }, null],
  [{ "retry-after": "5 s" }, null],
  [{ "retry-after": "12.345" }, 12_345],
  [{ "retry-after-ms": "x", "retry-after": "3" }, 3_000],
  [{}, null],
] as const)("RC5: %o means %s ms from now", async (headers, expected) => {
  const failure = await failureOf({
    kind: "refusal",
    status: 429,
    type: "rate_limit_error",
    message: "slow down",
    headers,
  });
  expect(failure.retryAfterMs).toBe(expected);
});

test("requests go to the address that was given, by the names that the API has, as a stream", async () => {
  const seen: { url: string; body: unknown }[] = [];
  const clock = createVirtualClock(0);
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    seen.push({ url: String(input), body: JSON.parse(String(init?.body)) });
    throw new TypeError("fetch failed");
  };
  const request = { model: "m", max_tokens: 1, messages: [] };
  const { signal } = new AbortController();
  for (const baseUrl of [undefined, "http://here"]) {
    const client = createSdkClient({ apiKey: "key", clock, fetch, ...(baseUrl === undefined ? {} : { baseUrl }) });
    for await (const _ of client.send({ request, source: "main", turn: 1, round: 1, attempt: 1, signal }));
  }
  expect(seen).toEqual(
    ["https://api.anthropic.com", "http://here"].map((url) => ({
      url: `${url}/v1/messages`,
      body: { ...request, stream: true },
    })),
  );
});

test("without a fetch of its own the client takes the platform's", async () => {
  const client = createSdkClient({ apiKey: "key", baseUrl: "http://127.0.0.1:1", clock: createVirtualClock(0) });
  const request = { model: "m", max_tokens: 1, messages: [] };
  const { signal } = new AbortController();
  const events: ClientEvent[] = [];
  for await (const event of client.send({ request, source: "main", turn: 1, round: 1, attempt: 1, signal }))
    events.push(event);
  expect(events).toMatchObject([{ kind: "failed", failure: { error: { text: "no connection to the server" } } }]);
});

test("a signal that is aborted already sends nothing", async () => {
  const clock = createVirtualClock(0);
  const server = scriptedServer(clock, []);
  const client = createSdkClient({ apiKey: "key", baseUrl: "http://scripted", fetch: server.fetch, clock });
  const request = { model: "m", max_tokens: 1, messages: [] };
  const events: ClientEvent[] = [];
  const signal = AbortSignal.abort();
  for await (const event of client.send({ request, source: "main", turn: 1, round: 1, attempt: 1, signal }))
    events.push(event);
  expect(events).toEqual([{ kind: "aborted" }]);
  expect(server.requests).toHaveLength(0);
});

test("x-should-retry is passed on", async () => {
  const told = async (headers: Record<string, string>) =>
    (await failureOf({ kind: "refusal", status: 529, type: "overloaded_error", message: "x", headers })).shouldRetry;
  expect([await told({ "x-should-retry": "true" }), await told({ "x-should-retry": "false" }), await told({})]).toEqual(
    [true, false, null],
  );
});

test("an answer that is left early frees its connection", async () => {
  const clock = createVirtualClock(0);
  let seen: AbortSignal | undefined;
  const server = scriptedServer(clock, [{ kind: "message", content: [say("abc")], stallAfterEvents: 3 }]);
  const fetch = (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    seen = init?.signal ?? undefined;
    return server.fetch(input, init);
  };
  const client = createSdkClient({ apiKey: "key", baseUrl: "http://scripted", fetch, clock });
  const request = { model: "m", max_tokens: 1, messages: [] };
  const signal = new AbortController().signal;
  await clock.run(async () => {
    for await (const _ of client.send({ request, source: "main", turn: 1, round: 1, attempt: 1, signal })) break;
  });
  expect(seen?.aborted).toBe(true);
});
