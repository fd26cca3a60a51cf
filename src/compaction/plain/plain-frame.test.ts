import { expect, test } from "vitest";
import type { WireRequest } from "../../transcript/index.ts";
import { UnknownModel } from "./plain-error.ts";
import { readFrame } from "./plain-frame.ts";

const frameOf = (more: object = {}) => readFrame({ model: "claude-opus-4-5", max_tokens: 8_000, ...more });
const wire = (more: Partial<WireRequest> = {}): WireRequest => ({
  model: "x",
  max_tokens: 20_000,
  messages: [],
  ...more,
});

test("what stands before the messages is weighed: system prompt, as text or blocks, and tools", () => {
  expect(frameOf().overheadTokens).toBe(0);
  expect(frameOf({ system: "x".repeat(400) }).overheadTokens).toBe(100);
  const blocks = [{ type: "text", text: "x".repeat(399) }, { type: "text", text: "y".repeat(400) }, { type: "odd" }];
  expect(frameOf({ system: blocks }).overheadTokens).toBe(Math.ceil(801 / 4));
  const tools = [{ name: "Read" }];
  expect(frameOf({ system: "x".repeat(400), tools }).overheadTokens).toBe(
    100 + Math.ceil(JSON.stringify(tools).length / 4),
  );
});

test("the frame's parts are the request's, with nothing where it has none, and no cache edits", () => {
  expect(frameOf().parts).toMatchObject({ pins: [], carryPins: false, system: "", tools: [], thinking: null });
  expect(frameOf().parts.answersAs).toBe("claude-opus-4-5");
  expect(() => readFrame({ model: "unheard-of", max_tokens: 1 })).toThrow(UnknownModel);
  expect(() => readFrame({ model: "unheard-of", max_tokens: 1 })).toThrow(/^The model unheard-of is not in the table/);
});

test("top-level cache control and stream do not travel; everything else of the request does, under its own model name", () => {
  const frame = frameOf({ cache_control: { type: "ephemeral" }, stream: false, metadata: { user_id: "u" } });
  expect(frame.mainBody(wire({ stream: true }))).toEqual({
    model: "claude-opus-4-5",
    max_tokens: 20_000,
    messages: [],
    metadata: { user_id: "u" },
  });
});

test.each([
  [{ type: "auto", disable_parallel_tool_use: true }, true],
  [{ type: "none" }, true],
  [{ type: "any" }, false],
  [{ type: "tool", name: "Read" }, false],
])("a fork keeps the tool choice %o: %s, and only with tools", (tool_choice, kept) => {
  const frame = frameOf({ tools: [{ name: "Read" }], tool_choice });
  const tools = [{ name: "Read" }];
  expect("tool_choice" in frame.forkBody(wire({ tools }))).toBe(kept);
  expect(frame.forkBody(wire())).not.toHaveProperty("tool_choice");
  expect(frame.mainBody(wire({ tools }))).toMatchObject({ tool_choice });
});

test("a fork has no form of answer forced on it, and nothing in the place of what is left out", () => {
  const frame = frameOf({ stop_sequences: ["x"], output_format: {}, output_config: { format: {} } });
  expect(Object.keys(frame.forkBody(wire())).toSorted()).toEqual(["max_tokens", "messages", "model"]);
  expect(frameOf().forkBody(wire())).not.toHaveProperty("output_config");
});

test("thinking goes out as the caller wrote it, unless it rests or its budget would not fit", () => {
  const own = { type: "enabled", budget_tokens: 10_000, display: "summarized" };
  const frame = frameOf({ thinking: own });
  const made = { type: "enabled", budget_tokens: 4_000 } as const;
  const thinkingOf = (request: object) => (request as WireRequest).thinking;
  expect(thinkingOf(frame.mainBody(wire({ thinking: made })))).toEqual(own);
  expect(thinkingOf(frame.forkBody(wire({ thinking: made, max_tokens: 10_001 })))).toEqual(own);
  expect(thinkingOf(frame.forkBody(wire({ thinking: made, max_tokens: 10_000 })))).toEqual(made);
  expect(thinkingOf(frame.forkBody(wire({ thinking: { type: "disabled" } })))).toEqual({ type: "disabled" });
  expect(frame.forkBody(wire())).not.toHaveProperty("thinking");
  const adaptive = frameOf({ thinking: { type: "adaptive", display: "omitted" } });
  expect(thinkingOf(adaptive.mainBody(wire({ thinking: { type: "adaptive" } })))).toEqual({
    type: "adaptive",
    display: "omitted",
  });
  expect(thinkingOf(frameOf().mainBody(wire({ thinking: { type: "disabled" } })))).toEqual({ type: "disabled" });
});
