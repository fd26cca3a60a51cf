import fc from "fast-check";
import { expect, test } from "vitest";
import {
  aBoundary,
  aModel,
  anAssistant,
  aResultMessage,
  aThinking,
  aToolUse,
  aUser,
  disorderedTranscript,
} from "../../testing/index.ts";
import type { Message, WireMessage } from "../../transcript/index.ts";
import { findTranscriptProblems } from "../../transcript/index.ts";
import type { RequestParts } from "./build-request.ts";
import { buildRequest, clearedResultText } from "./build-request.ts";
import { withMessageBreakpoints } from "./cache-breakpoints.ts";
import { thinkingFor } from "./thinking-for.ts";

const bound = aModel("claude-opus-5-5");
const unbound = aModel("claude-opus-4-6");
const old = aModel("claude-opus-4-5");
const by = (model: { id: string }) => ({ model: model.id });

const build = (messages: readonly Message[], more: Partial<RequestParts> = {}) =>
  buildRequest({
    messages,
    pins: [],
    carryPins: true,
    rebound: { upTo: null },
    system: "Be careful.",
    tools: [{ name: "Read" }, { name: "Write" }],
    model: unbound,
    answersAs: (more.model ?? unbound).id,
    thinking: { type: "adaptive" },
    maxTokens: 8_000,
    previousLength: null,
    ...more,
  });
const wireOf = (...args: Parameters<typeof build>) => build(...args).wire;
const blocks = ({ content }: WireMessage) => (typeof content === "string" ? [] : content);
const thinkingIn = (messages: readonly WireMessage[]) =>
  messages.flatMap(blocks).flatMap((block) => (block.type === "thinking" ? [block.thinking] : []));
const marked = (messages: readonly WireMessage[]) =>
  messages.flatMap((message, i) => blocks(message).flatMap((block, j) => (block.cache_control ? [[i, j]] : [])));

const rounds = (model: { id: string }, n: number): readonly Message[] =>
  Array.from({ length: n }, (_, i) => [
    anAssistant([aThinking(`thought ${i}`), aToolUse(`t${i}`, "Read", { i })], {
      id: `m${i}`,
      uuid: `a${i}`,
      ...by(model),
    }),
    aResultMessage(`t${i}`, `result ${i}`, { uuid: `r${i}` }),
  ]).flat();
const talk = (model: { id: string }, n = 3): readonly Message[] => [aUser("go", { uuid: "u" }), ...rounds(model, n)];

test("M6: nothing from before the last boundary is sent", () => {
  const { messages } = wireOf([...talk(unbound), aBoundary(), aUser("after")]);
  expect(messages).toMatchObject([{ role: "user", content: [{ text: "after" }] }]);
});

test("M7: on a prefix-bound model, thinking made before the latest change is left out, later thinking stays", () => {
  const { wire, dropped } = build(talk(bound), { model: bound, rebound: { upTo: "r1" } });
  expect(thinkingIn(wire.messages)).toEqual(["thought 2"]);
  expect(dropped.rebound).toBe(2);
});

test("M7: on other models kept thinking stays byte for byte", () => {
  expect(thinkingIn(wireOf(talk(unbound), { rebound: { upTo: "r1" } }).messages)).toEqual([
    "thought 0",
    "thought 1",
    "thought 2",
  ]);
});

test("M7: a change that lies behind the boundary drops nothing", () => {
  const messages = [aUser("old", { uuid: "before" }), aBoundary(), ...talk(bound)];
  expect(thinkingIn(wireOf(messages, { model: bound, rebound: { upTo: "before" } }).messages)).toHaveLength(3);
});

test("M7: a request on another frame sends no thinking at all", () => {
  expect(thinkingIn(wireOf(talk(unbound), { rebound: "all" }).messages)).toEqual([]);
});

test("RC4: thinking of another model goes; a name by which the model answers is its own", () => {
  expect(thinkingIn(wireOf(talk(old), { model: unbound }).messages)).toEqual([]);
  const named = { model: unbound, answersAs: "claude-opus-4-6-20260101" };
  expect(thinkingIn(wireOf(talk({ id: "claude-opus-4-6-20260101" }), named).messages)).toHaveLength(3);
});

test("V5: `enabled` thinking rests while a tool loop is open whose answer has lost its thinking", () => {
  const enabled = { type: "enabled", budget_tokens: 4_000 } as const;
  expect(wireOf(talk(unbound), { thinking: enabled }).thinking).toEqual(enabled);
  const { thinking, messages } = wireOf(talk(old), { model: unbound, thinking: enabled });
  expect(thinking).toEqual({ type: "disabled" });
  expect(thinkingIn(messages)).toEqual([]);
  const closed = [...talk(old), anAssistant("done", by(old)), aUser("next")];
  expect(wireOf(closed, { model: unbound, thinking: enabled }).thinking).toEqual(enabled);
});

test("V5: with thinking off no thinking is sent", () => {
  expect(thinkingIn(wireOf(talk(unbound), { thinking: { type: "disabled" } }).messages)).toEqual([]);
});

test.each([
  ["claude-opus-4-6", { type: "adaptive" }, { type: "adaptive" }],
  ["claude-opus-4-5", { type: "adaptive" }, { type: "enabled", budget_tokens: 4_000 }],
  ["claude-opus-5-5", { type: "enabled", budget_tokens: 2_000 }, { type: "adaptive" }],
  ["claude-opus-5-5", { type: "disabled" }, null],
  ["claude-opus-4-6", { type: "disabled" }, { type: "disabled" }],
  ["claude-opus-4-6", { type: "enabled", budget_tokens: 9_000 }, { type: "enabled", budget_tokens: 4_000 }],
  ["claude-opus-4-6", null, null],
] as const)("V5: on %s, a wish for %o becomes %o", (id, wish, expected) => {
  expect(thinkingFor(aModel(id), wish, 8_000)).toEqual(expected);
});

test("V5: a budget below the least that the API takes is no thinking", () => {
  expect(thinkingFor(old, { type: "adaptive" }, 2_000)).toBeNull();
});

test("MC3: a pinned block stands at its message in every request that carries it, with no change to the results", () => {
  const pins = [{ messageUuid: "r2", toolUseIds: ["t0", "t1"] }];
  const { messages } = wireOf(talk(unbound), { pins });
  const edits = [
    { type: "delete", tool_use_id: "t0" },
    { type: "delete", tool_use_id: "t1" },
  ];
  expect(blocks(messages[6] as WireMessage).at(-1)).toEqual({ type: "cache_edits", edits });
  expect(JSON.stringify(messages)).toContain("result 0");
});

test.each([
  ["another frame", { carryPins: false }],
  ["a model without cache editing", { model: aModel("claude-haiku-4-5") }],
])("MC3: %s sends no pins, and the marker where they would have deleted", (_name, more) => {
  const text = JSON.stringify(
    wireOf(talk(unbound), { pins: [{ messageUuid: "r2", toolUseIds: ["t0"] }], ...more }).messages,
  );
  expect(text).not.toContain("cache_edits");
  expect(text).not.toContain("result 0");
  expect(text).toContain(clearedResultText);
  expect(text).toContain("result 1");
});

test("RC8: four breakpoints: system, last tool, last user message and the one before", () => {
  const { system, tools, messages } = wireOf(talk(unbound));
  expect(system).toMatchObject([{ cache_control: { type: "ephemeral" } }]);
  expect(tools?.map((tool) => tool.cache_control)).toEqual([undefined, { type: "ephemeral" }]);
  expect(marked(messages)).toEqual([
    [4, 0],
    [6, 0],
  ]);
});

test("RC8: a breakpoint never stands on a cache edit or an empty text", () => {
  const { messages } = wireOf(talk(unbound), { pins: [{ messageUuid: "r2", toolUseIds: ["t0"] }] });
  expect(marked(messages)).toEqual([
    [4, 0],
    [6, 0],
  ]);
});

test("RC8: where more than 20 positions were added, the second breakpoint stands where the last request ended", () => {
  const texts = (n: number) => Array.from({ length: n }, () => ({ type: "text", text: "x" }));
  const long: WireMessage[] = [
    { role: "user", content: texts(1) },
    { role: "assistant", content: texts(1) },
    { role: "user", content: texts(1) },
    { role: "assistant", content: texts(21) },
    { role: "user", content: texts(1) },
    { role: "assistant", content: texts(1) },
    { role: "user", content: texts(1) },
  ];
  expect(marked(withMessageBreakpoints(long, 3))).toEqual([
    [2, 0],
    [6, 0],
  ]);
  expect(marked(withMessageBreakpoints(long, null))).toEqual([
    [4, 0],
    [6, 0],
  ]);
  const short = long.with(3, { role: "assistant", content: texts(5) });
  expect(marked(withMessageBreakpoints(short, 3))).toEqual([
    [4, 0],
    [6, 0],
  ]);
  const calls = Array.from({ length: 30 }, (_, i) => ({ type: "tool_use", id: `t${i}` }));
  const parallel = long.with(3, { role: "assistant", content: calls });
  expect(marked(withMessageBreakpoints(parallel, 3))).toEqual([
    [4, 0],
    [6, 0],
  ]);
});

test("RC8: breakpoints change the request's copy, never the transcript", () => {
  const messages = talk(unbound);
  const before = JSON.stringify(messages);
  wireOf(messages);
  expect(JSON.stringify(messages)).toBe(before);
});

test("M4, M5, M7: whatever the transcript, the request is one that the API takes", () => {
  fc.assert(
    fc.property(disorderedTranscript(), fc.nat(), fc.boolean(), (messages, at, all) => {
      const upTo = messages.length === 0 ? null : (messages[at % messages.length]?.uuid ?? null);
      const { wire } = build(messages, { model: bound, rebound: all ? "all" : { upTo } });
      expect(findTranscriptProblems(wire.messages)).toEqual([]);
      expect(marked(wire.messages).length).toBeLessThanOrEqual(2);
    }),
  );
});

test("an empty system prompt and no tools are left out", () => {
  const wire = wireOf([aUser("go")], { system: "", tools: [] });
  expect(Object.keys(wire)).not.toContain("system");
  expect(Object.keys(wire)).not.toContain("tools");
});

test("M7: a change that is not found takes all thinking with it, one behind the boundary takes none, one in the live part what stands up to it", () => {
  const left = (messages: readonly Message[], upTo: string) =>
    thinkingIn(wireOf(messages, { model: bound, rebound: { upTo } }).messages);
  expect(left(talk(bound), "gone")).toEqual([]);
  expect(left(talk(bound), "r0")).toEqual(["thought 1", "thought 2"]);
  const summed = [aUser("before", { uuid: "old" }), aBoundary(), ...talk(bound)];
  expect(left(summed, "old")).toHaveLength(3);
  expect(left(summed, "r0")).toEqual(["thought 1", "thought 2"]);
});

test("RC4: adaptive thinking goes on in a tool loop that has lost its opening; what is not wished for is no field", () => {
  const loop = [aUser("go"), anAssistant([aToolUse("t")], by(unbound)), aResultMessage("t", "ok")];
  expect(wireOf(loop).thinking).toEqual({ type: "adaptive" });
  expect(Object.keys(wireOf(loop, { thinking: null }))).not.toContain("thinking");
});

test("V6, RC8: breakpoints that system and tools brought leave fewer for the messages: four in all", () => {
  const cache_control = { type: "ephemeral" };
  const system = [1, 2].map((n) => ({ type: "text", text: `Part ${n}.`, cache_control }));
  const { messages } = wireOf([aUser("go"), anAssistant("Yes."), aUser("on")], { system });
  expect(marked(messages)).toEqual([[2, 0]]);
});

test("M5: a request tells which repairs it took, and of none that it did not need", () => {
  expect(build(talk(unbound)).repairs).toEqual({});
  const { repairs } = build([aUser("go"), anAssistant([aToolUse("t")], by(unbound)), aUser("on")]);
  expect(Object.values(repairs)).toEqual([1]);
});
