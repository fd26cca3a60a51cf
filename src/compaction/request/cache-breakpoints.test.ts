import { expect, test } from "vitest";
import type { WireBlock, WireMessage } from "../../transcript/index.ts";
import {
  countBreakpoints,
  systemWithBreakpoint,
  toolsWithBreakpoint,
  withMessageBreakpoints,
} from "./cache-breakpoints.ts";

const cache_control = { type: "ephemeral" };
const text = (words = "x"): WireBlock => ({ type: "text", text: words });
const user = (...content: WireBlock[]): WireMessage => ({
  role: "user",
  content: content.length > 0 ? content : [text()],
});
const answer = (...content: WireBlock[]): WireMessage => ({
  role: "assistant",
  content: content.length > 0 ? content : [text()],
});
const many = (type: string, count: number): WireBlock[] => Array.from({ length: count }, () => ({ type }));

/** Where the breakpoints stand, as [message, block]. */
const marks = (messages: readonly WireMessage[], previousLength: number | null = null, fixed?: number) =>
  withMessageBreakpoints(messages, previousLength, fixed).flatMap(({ content }, i) =>
    typeof content === "string" ? [] : content.flatMap((block, j) => (block.cache_control ? [[i, j]] : [])),
  );

test("RC8: the last user message and the one before are marked, as far as breakpoints are left", () => {
  const messages = [user(), answer(), user(), answer(), user(), answer()];
  expect(marks(messages)).toEqual([
    [2, 0],
    [4, 0],
  ]);
  expect(marks(messages, null, 0)).toEqual([
    [2, 0],
    [4, 0],
  ]);
  expect(marks(messages, null, 3)).toEqual([[4, 0]]);
  expect(marks(messages, null, 4)).toEqual([]);
  expect(marks([user(), answer(), user()])).toEqual([
    [0, 0],
    [2, 0],
  ]);
  expect(marks([user()])).toEqual([[0, 0]]);
  expect(marks([answer()])).toEqual([]);
});

test("RC8: from 21 new positions on the second one stands where the last request ended; a run of calls or of results counts once", () => {
  const grown = (...content: WireBlock[]) => [user(), answer(...content), user(), answer(), user()];
  const usual = [
    [2, 0],
    [4, 0],
  ];
  const kept = [
    [0, 0],
    [4, 0],
  ];
  expect(marks(grown(...many("text", 19)), 1)).toEqual(usual);
  expect(marks(grown(...many("text", 20)), 1)).toEqual(kept);
  expect(marks(grown(...many("text", 20)), null)).toEqual(usual);
  expect(marks(grown(...many("text", 20)), 0)).toEqual(usual);
  expect(marks(grown(...many("text", 20)), 99)).toEqual(usual);
  for (const type of ["tool_use", "tool_result"]) {
    expect(marks(grown(...many(type, 40)), 1)).toEqual(usual);
    expect(marks(grown(...many("text", 18), ...many(type, 9)), 1)).toEqual(usual);
    expect(marks(grown(...many("text", 19), ...many(type, 9)), 1)).toEqual(kept);
  }
  const mixed = Array.from({ length: 10 }, () => [...many("tool_use", 2), ...many("tool_result", 2)]).flat();
  expect(marks(grown(...mixed), 1)).toEqual(kept);
  const plain: WireMessage = { role: "assistant", content: "plain words, more than twenty of them by letters" };
  const words = [user(), ...Array.from({ length: 19 }, () => plain), user(), answer(), user()];
  expect(marks(words, 1)).toEqual([
    [20, 0],
    [22, 0],
  ]);
  expect(marks([user(), plain, ...words.slice(1)], 1)).toEqual([
    [0, 0],
    [23, 0],
  ]);
  const before = [...many("text", 30)];
  expect(marks([user(...before), ...grown(...many("text", 19)).slice(1)], 1)).toEqual(usual);
});

test("V6: a breakpoint stands on the last block that may carry one, and nowhere where none may", () => {
  const bare = [{ type: "thinking" }, { type: "redacted_thinking" }, { type: "cache_edits" }, text("")];
  for (const block of bare) {
    expect(marks([user(text(), block)])).toEqual([[0, 0]]);
    expect(withMessageBreakpoints([user(block)], null)).toEqual([user(block)]);
  }
});

test("RC8: words without a block get one to carry the breakpoint", () => {
  const given: WireMessage[] = [{ role: "user", content: "Go." }];
  expect(withMessageBreakpoints(given, null)).toEqual([
    { role: "user", content: [{ type: "text", text: "Go.", cache_control }] },
  ]);
  expect(given).toEqual([{ role: "user", content: "Go." }]);
});

test("RC8: system and tools end in a breakpoint, unless they brought their own; what is empty is left out", () => {
  expect(systemWithBreakpoint("")).toEqual({});
  expect(systemWithBreakpoint([])).toEqual({});
  expect(systemWithBreakpoint("Hi.")).toEqual({ system: [{ type: "text", text: "Hi.", cache_control }] });
  const own = [{ ...text("a"), cache_control }, text("b")];
  expect(systemWithBreakpoint(own)).toEqual({ system: own });
  expect(systemWithBreakpoint([text("a"), text("b")])).toEqual({
    system: [text("a"), { ...text("b"), cache_control }],
  });
  expect(toolsWithBreakpoint([])).toEqual({});
  expect(toolsWithBreakpoint([{ name: "A" }, { name: "B" }])).toEqual({
    tools: [{ name: "A" }, { name: "B", cache_control }],
  });
  expect([countBreakpoints(own), countBreakpoints([]), countBreakpoints(undefined)]).toEqual([1, 0, 0]);
});
