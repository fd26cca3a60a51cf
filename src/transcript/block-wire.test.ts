import { expect, test } from "vitest";
import { anImage, aToolUse } from "../testing/index.ts";
import { blockFromWire, blockToWire } from "./index.ts";

type Wire = { readonly type: string; readonly [field: string]: unknown };

const media = (source: unknown): readonly Wire[] => ["image", "document"].map((type) => ({ type, source }));
const known: readonly Wire[] = [
  { type: "text", text: "" },
  { type: "thinking", thinking: "hm" },
  { type: "redacted_thinking", data: "xyz" },
  { type: "tool_use", id: "t1", name: "Read", input: {} },
  { type: "tool_result", tool_use_id: "t1", content: "out" },
  { type: "compaction", content: "so far" },
  { type: "compaction", content: null },
  { type: "cache_edits", edits: [] },
  ...media({ type: "base64", media_type: "image/png", data: "" }),
  ...media({ type: "text", media_type: "text/plain", data: "words" }),
  ...media({ type: "url", url: "https://example.com" }),
  ...media({ type: "file", file_id: "file_1" }),
];
const strange: readonly Wire[] = [
  { type: "text", text: 5 },
  { type: "thinking" },
  { type: "redacted_thinking", data: null },
  { type: "tool_use", id: "t1" },
  { type: "tool_use", name: "Read" },
  { type: "tool_result", content: "out" },
  { type: "compaction" },
  { type: "cache_edits", edits: "none" },
  { type: "server_tool_use", id: "s1", name: "web_search" },
  ...media(undefined),
  ...media(null),
  ...media("aGVsbG8="),
  ...media({ type: "base64" }),
  ...media({ type: "text" }),
  ...media({ type: "url" }),
  ...media({ type: "file" }),
  ...media({ type: "content", data: "x", url: "x", file_id: "x" }),
  ...media({ type: "url", data: "x" }),
];

test.each(known)("M3: a block of a known kind with the fields it needs is read as it is: $type", (wire) => {
  expect(blockFromWire(wire)).toBe(wire);
  expect(blockToWire(blockFromWire(wire))).toBe(wire);
});

test.each(strange)("M3: a broken or an unknown block is carried whole: $type", (wire) => {
  expect(blockFromWire(wire)).toEqual({ type: "opaque", wire });
  expect(blockToWire(blockFromWire(wire))).toBe(wire);
});

test("M3: inside a result, what a result may hold is read, and everything else is carried whole, beside it", () => {
  const text = { type: "text", text: "a" };
  const document = { type: "document", source: { type: "url", url: "u" } };
  const nested = aToolUse("t2");
  const reference = { type: "tool_reference", tool_name: "Read" };
  const parts = [text, anImage(), document];
  const whole = { type: "tool_result", tool_use_id: "t1", content: parts };
  expect(blockFromWire(whole)).toBe(whole);
  expect(blockToWire(blockFromWire(whole))).toBe(whole);
  const mixed = { ...whole, content: [...parts, nested, reference] };
  expect(blockFromWire(mixed)).toEqual({
    ...whole,
    content: [...parts, { type: "opaque", wire: nested }, { type: "opaque", wire: reference }],
  });
  expect(blockToWire(blockFromWire(mixed))).toEqual(mixed);
});
