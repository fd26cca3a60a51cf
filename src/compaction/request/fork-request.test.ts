import { expect, test } from "vitest";
import {
  aBoundary,
  aModel,
  anAssistant,
  aResultMessage,
  aThinking,
  aToolUse,
  aUser,
  inOrder,
} from "../../testing/index.ts";
import type { WireRequest } from "../../transcript/index.ts";
import type { AskRequest } from "../ports.ts";
import { prepareMessages } from "./build-request.ts";
import type { MainThread } from "./fork-request.ts";
import { forkRequest } from "./fork-request.ts";

const main = aModel("claude-opus-5-5");
const small = aModel("claude-haiku-4-5");
const messages = inOrder([
  aUser("Before."),
  aBoundary(),
  aUser("Go."),
  ...Array.from({ length: 30 }, (_, i) => [
    anAssistant([aThinking(`thought ${i}`), aToolUse(`t${i}`)], { id: `msg_${i}`, model: main.id }),
    aResultMessage(`t${i}`, `result ${i}`),
  ]).flat(),
]);
const live = messages.slice(2);
const thread: MainThread = {
  frame: {
    pins: [{ messageUuid: "m4", toolUseIds: ["t0"] }],
    carryPins: true,
    system: "Be careful.",
    tools: [{ name: "Read" }],
    model: { ...main, cacheEditing: true },
    answersAs: main.id,
    thinking: { type: "adaptive" },
  },
  messages,
  latestChangeUuid: null,
  previousLength: 1,
};
const same: AskRequest = {
  purpose: "compact",
  messages,
  instruct: "Summarise.",
  system: "same",
  tools: "same",
  thinking: "same",
  cacheEdits: "same",
  model: "main",
  maxOutput: 8_000,
};
const instruct = aUser("Summarise.");
const fork = (more: Partial<AskRequest> = {}, of: Partial<MainThread> = {}, other?: typeof small): WireRequest =>
  forkRequest({ ...same, ...more }, { ...thread, ...of }, instruct, other);
const says = (wire: WireRequest) => JSON.stringify(wire.messages);
const thoughts = (wire: WireRequest) => says(wire).split('"type":"thinking"').length - 1;
const firstMarked = (wire: WireRequest) =>
  wire.messages.findIndex(({ content }) => JSON.stringify(content).includes("cache_control"));

test("FC3: a fork that shares all begins with the main thread's bytes, and the instruction goes last", () => {
  const wire = fork();
  expect(wire).toMatchObject({ model: main.id, max_tokens: 8_000, thinking: { type: "adaptive" }, stream: true });
  expect(JSON.stringify([wire.system, wire.tools])).toContain("Be careful.");
  expect(wire.tools).toMatchObject([{ name: "Read" }]);
  expect(wire.messages).toHaveLength(live.length);
  expect(says(wire)).not.toContain("Before.");
  expect(JSON.stringify(wire.messages.at(-1))).toContain("Summarise.");
  expect(thoughts(wire)).toBe(30);
  expect(says(wire)).toContain("cache_edits");
  expect(firstMarked(wire)).toBe(0);
});

test("FC3: where the main thread remembers its wire messages, a fork of all of it is made from those, any other is not", () => {
  const asked: { readonly messages: readonly unknown[]; readonly ending: unknown }[] = [];
  const prepare: MainThread["prepare"] = (parts, ending) => {
    asked.push({ messages: parts.messages, ending });
    return prepareMessages({ ...parts, messages: [...parts.messages, ending] });
  };
  expect(fork({}, { prepare })).toEqual(fork());
  expect(asked).toEqual([{ messages, ending: instruct }]);
  const others: readonly Partial<AskRequest>[] = [
    { messages: messages.slice(0, -2) },
    { messages: messages.slice(4) },
    { system: "none" },
    { tools: "none" },
    { model: "small" },
  ];
  for (const other of others) expect(fork(other, { prepare })).toEqual(fork(other));
  expect(asked).toHaveLength(1);
});

test("FC3, M7: what is not shared is its own, and thinking goes with the prefix it was bound to", () => {
  const own = fork({ system: { own: "Take notes." } });
  expect(JSON.stringify(own.system)).toContain("Take notes.");
  expect([thoughts(own), firstMarked(own) > 0]).toEqual([0, true]);
  const unbound = { frame: { ...thread.frame, model: { ...main, prefixBound: false } } };
  expect(thoughts(fork({ system: { own: "Take notes." } }, unbound))).toBe(0);
  const none = fork({ system: "none" });
  expect(["system" in none, thoughts(none)]).toEqual([false, 0]);
  const bare = fork({ tools: "none" });
  expect(["tools" in bare, thoughts(bare)]).toEqual([false, 0]);
  expect(firstMarked(bare)).toBeGreaterThan(0);
});

test("FC3: thinking and cache edits can be left out on their own", () => {
  const still = fork({ thinking: "off" });
  expect(still.thinking ?? { type: "disabled" }).toEqual({ type: "disabled" });
  const cleared = fork({ cacheEdits: "none" });
  expect(says(cleared)).not.toContain("cache_edits");
  expect(says(cleared)).toContain("Old tool result content cleared");
});

test("MC4: the small model answers by its own name and carries no edits of another cache", () => {
  const able = { ...small, cacheEditing: true };
  const wire = fork({ model: "small" }, {}, able);
  expect([wire.model, thoughts(wire), says(wire).includes("cache_edits")]).toEqual([small.id, 0, false]);
  expect(firstMarked(wire)).toBeGreaterThan(0);
  expect(fork({}, {}, able).model).toBe(main.id);
  expect(fork({ model: "small" }).model).toBe(main.id);
});

test("M7, RC8: only a fork of the conversation itself stands on its prefix: part of it, all of it, or more", () => {
  for (const part of [live, live.slice(0, 21), [...messages, aUser("And more.")]]) {
    const wire = fork({ messages: part });
    expect([thoughts(wire) > 0, firstMarked(wire)]).toEqual([true, part.length > 25 ? 0 : firstMarked(wire)]);
  }
  const changed = live.map((message, i) => (i === 0 ? { ...message } : message));
  expect(thoughts(fork({ messages: changed }))).toBe(0);
  expect(firstMarked(fork({ messages: changed }))).toBeGreaterThan(0);
  const late = live.map((message, i) => (i === live.length - 1 ? { ...message } : message));
  expect(thoughts(fork({ messages: late }))).toBe(0);
  expect(thoughts(fork({}, { latestChangeUuid: "m4" }))).toBe(29);
});
