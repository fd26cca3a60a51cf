import { expect, test } from "vitest";
import { createVirtualClock } from "../../testing/index.ts";
import type { ClientEvent } from "./client-port.ts";
import type { ObjectClientOptions } from "./object-client.ts";
import { createObjectClient } from "./object-client.ts";

const start = { type: "message_start", message: { id: "m", model: "x", usage: null } };
const stop = { type: "message_stop" };
const header = { "retry-after": "2" };
const refusal = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };

async function ask(
  answer: (clock: { sleep(ms: number, signal?: AbortSignal): Promise<void> }) => ObjectClientOptions["answer"],
) {
  const clock = createVirtualClock(0);
  const client = createObjectClient({ clock, answer: answer(clock) });
  const request = { model: "m", max_tokens: 1, messages: [] };
  const signal = new AbortController().signal;
  const call = { request, source: "main" as const, turn: 1, round: 2, attempt: 3, signal };
  return clock.run(async () => {
    const events: ClientEvent[] = [];
    for await (const event of client.send(call)) events.push(event);
    return { last: events.at(-1), atMs: clock.now() };
  });
}

async function* given(...events: { type: string }[]): AsyncGenerator<{ type: string }> {
  yield* events;
}

test("A1: events as objects make the same answer, pings aside", async () => {
  const { last } = await ask(() => async (_call, headers) => {
    expect(headers["x-longhaul-round"]).toBe("2");
    return { kind: "events", events: given(start, { type: "ping" }, stop) };
  });
  expect(last).toMatchObject({ kind: "complete", response: { messageId: "m" } });
});

test("A1: a refusal, an error event, a cut and a broken connection are classified as over HTTP", async () => {
  const refused = await ask(() => async () => ({ kind: "refused", status: 529, headers: header, body: refusal }));
  expect(refused.last).toMatchObject({ failure: { error: { class: "overloaded" }, status: 529, retryAfterMs: 2_000 } });
  const inStream = await ask(() => async () => ({ kind: "events", events: given(start, refusal) }));
  expect(inStream.last).toMatchObject({ failure: { error: { class: "overloaded" }, status: null } });
  const cut = await ask(() => async () => ({ kind: "events", events: given(start) }));
  expect(cut.last).toMatchObject({ failure: { error: { text: "the stream ended before the message did" } } });
  const broken = await ask(() => () => Promise.reject(new Error("reset")));
  expect(broken.last).toMatchObject({
    failure: { error: { class: "transient", text: "no connection to the server" } },
  });
});

test("S3: events that stop coming are given up after two minutes", async () => {
  const { last, atMs } = await ask((clock) => async (_call, _headers, signal) => ({
    kind: "events",
    events: (async function* () {
      yield start;
      await clock.sleep(Number.POSITIVE_INFINITY, signal);
    })(),
  }));
  expect(last).toMatchObject({ kind: "failed", failure: { error: { text: "the stream stalled" } } });
  expect(atMs).toBe(120_000);
});
