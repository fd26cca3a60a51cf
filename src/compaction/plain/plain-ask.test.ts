import { expect, test } from "vitest";
import type { AskRequest } from "../ports.ts";
import { plainAsk } from "./plain-ask.ts";
import type { PlainCall, PlainResponse } from "./plain-options.ts";

const question: AskRequest = {
  purpose: "compact",
  messages: [],
  instruct: "Sum up.",
  system: "same",
  tools: "same",
  thinking: "same",
  cacheEdits: "none",
  model: "main",
  maxOutput: 10,
};
const usage = { input_tokens: 1, output_tokens: 2 };
const response = (content: PlainResponse["content"]): PlainResponse => ({
  id: "m",
  model: "x",
  content,
  stop_reason: "end_turn",
  usage,
});

test("FC3: texts are joined by a blank line, calls are told apart, nothing else is text", async () => {
  const call = { type: "tool_use", id: "t", name: "Read", input: {} };
  const text = (of: string) => ({ type: "text", text: of });
  const calls: [object, PlainCall][] = [];
  const ask = plainAsk(
    () => ({ body: 1 }),
    async (body, call_) => {
      calls.push([body, call_]);
      return response([{ type: "thinking", thinking: "hm" } as { type: string }, text("a"), call, text("b")]);
    },
  );
  expect(await ask(question)).toEqual({
    kind: "answer",
    text: "a\n\nb",
    stopReason: "end_turn",
    toolCalls: [call],
    usage,
  });
  expect(calls).toEqual([[{ body: 1 }, { source: "compact" }]]);
});

test("FC11: an abort is a value: before anything is sent, and when the client throws for it", async () => {
  const user = new AbortController();
  let sent = 0;
  const ask = plainAsk(
    () => ({}),
    async (_, { signal }) => {
      sent++;
      expect(signal).toBe(user.signal);
      user.abort();
      throw new Error("aborted");
    },
  );
  expect(await ask({ ...question, signal: user.signal })).toEqual({ kind: "aborted" });
  expect(await ask({ ...question, signal: user.signal })).toEqual({ kind: "aborted" });
  expect(sent).toBe(1);
});

test("a refusal is a value, never a rejection", async () => {
  const refused = { status: 529, error: { error: { type: "overloaded_error", message: "Overloaded" } } };
  const ask = plainAsk(
    () => ({}),
    async () => Promise.reject(refused),
  );
  expect(await ask(question)).toEqual({ kind: "error", error: { class: "overloaded", text: "Overloaded" } });
});
