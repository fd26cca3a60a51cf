import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Message } from "../transcript/index.ts";
import { irregularityKinds, readTranscript, TranscriptError, writeClaudeCode } from "./index.ts";

const fixture = readFileSync(new URL("./fixtures/irregular-session.jsonl", import.meta.url));

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const read = (text: string | Uint8Array, size = 65_536) =>
  readTranscript(inChunks(typeof text === "string" ? new TextEncoder().encode(text) : text, size));

const line = (fields: object): string =>
  JSON.stringify({
    type: "user",
    uuid: "u",
    timestamp: "2026-01-01T00:00:00.000Z",
    message: { content: "hi" },
    ...fields,
  });

test("L3: the fixture holds every irregularity, each reported with its count, and is read to its end", async () => {
  const { format, messages, irregularities } = await read(fixture);
  expect(format).toBe("claude-code");
  expect(Object.keys(irregularities).sort()).toEqual(Object.keys(irregularityKinds).sort());
  expect(irregularities).toMatchInlineSnapshot(`
    {
      "boundary-without-metadata": 1,
      "cut-record": 1,
      "dangling-parent": 1,
      "duplicate-record": 1,
      "empty-thinking": 1,
      "glued-records": 1,
      "half-written-last-line": 1,
      "kept-before-boundary": 4,
      "line-separator": 1,
      "no-final-newline": 1,
      "no-timestamp": 1,
      "not-a-record": 1,
      "nul-run": 1,
      "placeholder-output": 1,
      "result-without-tool-use": 1,
      "several-sessions": 1,
      "sidechain": 3,
      "starts-in-mid-chain": 1,
      "synthetic-message": 1,
      "time-backwards": 1,
      "tool-use-without-result": 1,
      "unknown-block": 1,
      "unknown-record": 4,
      "usage-missing": 2,
      "usage-repeated": 221,
    }
  `);
  expect(messages.filter((message) => message.kind === "boundary")).toHaveLength(2);
});

test("L3: where a file is cut into chunks changes nothing, even inside a character", async () => {
  const whole = await read(fixture);
  expect(await read(fixture, 1_000)).toEqual(whole);
  expect(await read(fixture.subarray(0, 40_000), 7)).toEqual(await read(fixture.subarray(0, 40_000)));
});

test("L2: parts of one response keep its id and their own place in the file", async () => {
  const { messages } = await read(fixture);
  const parallel = messages.filter(
    (message) => message.kind === "assistant" && message.content[0]?.type === "tool_use",
  );
  const ids = parallel.map((message) => (message.kind === "assistant" ? message.id : ""));
  expect(new Set(ids).size).toBeLessThan(ids.length);
});

test("L3: two records glued on one line are two messages", async () => {
  const { messages, irregularities } = await read(`${line({ uuid: "a" })}${line({ uuid: "b" })}\n`);
  expect(messages.map((message) => message.uuid)).toEqual(["a", "b"]);
  expect(irregularities["glued-records"]).toBe(1);
});

test("L3: a record cut in the middle loses itself only, wherever it is cut", async () => {
  const record = line({ uuid: "cut", message: { content: [{ type: "text", text: 'say "{" and \\ {"type":1}' }] } });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: record.length - 1 }), async (at) => {
      const { messages } = await read(
        `${line({ uuid: "a" })}\n${record.slice(0, at)}${line({ uuid: "b" })}\n${line({ uuid: "c" })}\n`,
      );
      expect(messages.map((message) => message.uuid)).toEqual(["a", "b", "c"]);
    }),
  );
});

test("L2: the form is told by the records, never by the first line", async () => {
  const { format, messages } = await read(`{"type":"summary"}\n\n[]\n${line({ uuid: "a" })}\n`);
  expect([format, messages.length]).toEqual(["claude-code", 1]);
});

test("L1: plain Anthropic messages are read as an array or an object, on one line or on many", async () => {
  const list = [
    { role: "user", content: "hi" },
    { role: "assistant", content: [{ type: "text", text: "hello" }] },
  ];
  for (const text of [JSON.stringify(list), JSON.stringify({ model: "m", messages: list }, null, 2)]) {
    const { format, messages } = await read(text);
    expect(format).toBe("anthropic-messages");
    expect(messages.map((message) => message.kind)).toEqual(["user", "assistant"]);
  }
});

test("a file without a conversation is refused in one sentence that says what is read", async () => {
  for (const text of ["", "hello", "[]", '{"messages": [{"role": "robot"}]}', "\0\0\0"]) {
    await expect(read(text)).rejects.toThrow(TranscriptError);
  }
});

test("L4: what is written is read back equal", async () => {
  const { messages } = await read(fixture);
  const text = writeClaudeCode(messages, { sessionId: "s", cwd: "/", version: "2.1.40" });
  expect((await read(text)).messages).toEqual(messages);
});

test("L3: an odd record never stops the reader", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          fc.json(),
          fc.string(),
          fc.object().map((o) => line({ ...o })),
        ),
        { maxLength: 8 },
      ),
      async (lines) => {
        const { messages } = await read([...lines, line({ uuid: "last" })].join("\n"));
        expect(messages.at(-1)?.uuid).toBe("last");
      },
    ),
  );
});

test("L4: messages of every kind survive the round trip", async () => {
  const base = { timestamp: 1_700_000_000_123 };
  const messages: Message[] = [
    { ...base, uuid: "1", kind: "user", content: [{ type: "text", text: "x\u2028y" }], isMeta: true },
    {
      ...base,
      uuid: "2",
      kind: "attachment",
      attachment: { kind: "skill", name: "s" },
      content: [{ type: "text", text: "t" }],
    },
    { ...base, uuid: "3", kind: "notice", text: "n" },
    {
      ...base,
      uuid: "4",
      kind: "boundary",
      trigger: "manual",
      tokensBefore: 5,
      tokensAfter: 2,
      messagesSummarized: 3,
      lastUuidBefore: "3",
      keptUuids: ["1"],
    },
    {
      ...base,
      uuid: "5",
      kind: "assistant",
      id: "m",
      model: "x",
      content: [{ type: "opaque", wire: { type: "new", a: 1 } }],
      stopReason: null,
      usage: null,
    },
  ];
  expect((await read(writeClaudeCode(messages, { sessionId: "s", cwd: "/", version: "1" }))).messages).toEqual(
    messages,
  );
});
