import fc from "fast-check";
import { expect, test } from "vitest";
import {
  aBoundary,
  aNotice,
  anAssistant,
  anAttachment,
  anImage,
  aResultMessage,
  aThinking,
  aToolResult,
  aToolUse,
  aUser,
  disorderedTranscript,
  validTranscript,
} from "../testing/index.ts";
import type { Block } from "../transcript/index.ts";
import {
  estimateBlock,
  estimateMessage,
  estimateMessageTokens,
  roughTokenCount,
  roughTokenSum,
  walkedJsonLength,
  walkingEstimator,
} from "./index.ts";

test("T1: characters by four, by two where the caller says so, not rounded", () => {
  expect(roughTokenCount("")).toBe(0);
  expect(roughTokenCount("abcde")).toBe(1.25);
  expect(roughTokenCount('{"a":1}', 2)).toBe(3.5);
});

test("T2: every kind of block has its weight; signatures, ids and wrappers have none", () => {
  const document: Block = {
    type: "document",
    source: { type: "text", media_type: "text/plain", data: "x".repeat(90_000) },
  };
  const edits: Block = { type: "cache_edits", edits: [{ type: "delete", tool_use_id: "toolu_any" }] };
  const weights: readonly (readonly [Block, number])[] = [
    [{ type: "text", text: "12345678" }, 2],
    [{ type: "thinking", thinking: "1234", signature: "s".repeat(400) }, 1],
    [{ type: "redacted_thinking", data: "12345678" }, 2],
    [aToolUse("toolu_any", "Read", { a: 1 }), ("Read".length + '{"a":1}'.length) / 4],
    [aToolUse("toolu_any", "Read", null), ("Read".length + "{}".length) / 4],
    [aToolResult("toolu_any", "12345678"), 2],
    [aToolResult("toolu_any", [{ type: "text", text: "1234" }, anImage(), document]), 4001],
    [anImage(), 2000],
    [document, 2000],
    [{ type: "compaction", content: "abc" }, JSON.stringify({ type: "compaction", content: "abc" }).length / 4],
    [aToolUse("toolu_any", "Read", () => "no JSON"), "Read".length / 4],
    [edits, JSON.stringify(edits).length / 4],
    [{ type: "opaque", wire: { type: "new", n: 1 } }, '{"type":"new","n":1}'.length / 4],
  ];
  for (const [block, tokens] of weights) expect(estimateBlock(block)).toBe(tokens);
});

test("T3: only what is sent counts, an attachment by its rendered form; the padded estimate is the sum by 4/3, rounded up", () => {
  const messages = [aUser("1234"), aNotice("not sent"), aBoundary(), anAttachment("1234"), anAssistant("12345678")];
  expect(messages.map(estimateMessage)).toEqual([1, 0, 0, 1, 2]);
  expect(roughTokenSum(messages)).toBe(4);
  expect(estimateMessageTokens(messages)).toBe(6);
  expect(estimateMessageTokens([aUser("12345678"), aResultMessage("t1", "1234")])).toBe(4);
  expect(estimateMessageTokens([])).toBe(0);
});

test("B2: walking gives the exact length of a JSON text in which nothing is escaped, and never more than the exact rule", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = JSON.stringify(value);
      const escapes = JSON.stringify(json).length - json.length - 2;
      if (escapes === (json.match(/"/g) ?? []).length) expect(walkedJsonLength(value)).toBe(json.length);
      expect(walkedJsonLength(value)).toBeLessThanOrEqual(json.length);
    }),
  );
  fc.assert(
    fc.property(fc.oneof(validTranscript(), disorderedTranscript()), (messages) => {
      for (const message of messages)
        expect(walkingEstimator.message(message)).toBeLessThanOrEqual(estimateMessage(message));
    }),
  );
});

test("B2: walking leaves out what JSON leaves out", () => {
  for (const value of [
    { a: undefined, b: [undefined, null] },
    [() => 1],
    { n: Number.NaN, m: -0.5 },
    {},
    [],
    [[]],
    "",
    1e21,
  ]) {
    expect(walkedJsonLength(value)).toBe(JSON.stringify(value).length);
  }
});

test("thinking weighs what it says", () => {
  expect(estimateBlock(aThinking("12345678"))).toBe(2);
});

test("T2: a block or a message that nobody has heard of is an error, never without weight", () => {
  expect(() => estimateBlock({ type: "unheard-of" } as never)).toThrow();
  expect(() => estimateMessage({ kind: "unheard-of" } as never)).toThrow();
});
