import { expect, test } from "vitest";
import { anAssistant, aResultMessage, aToolUse, aUser, inOrder } from "../../testing/index.ts";
import { roughEstimator } from "../../tokens/index.ts";
import type { Message } from "../../transcript/index.ts";
import { defaultConfig } from "../config.ts";
import { createCachedEdits } from "./cached-edits.ts";
import { clearResults } from "./clear-results.ts";
import type { MicroInput } from "./microcompact.ts";
import { applyMicroPlan, planMicrocompact } from "./microcompact.ts";

const config = defaultConfig.micro;
const model = { id: "m1", cacheEditing: true };

function reads(count: number): readonly Message[] {
  const rounds = Array.from({ length: count }, (_, i) => [
    anAssistant([aToolUse(`t${i}`)], { id: `msg_${i}` }),
    aResultMessage(`t${i}`, "y".repeat(4_000)),
  ]);
  return inOrder([aUser("Read all."), ...rounds.flat()]);
}

const soon = (messages: readonly Message[]) => (messages.at(-1)?.timestamp ?? 0) + 1_000;
const muchLater = (messages: readonly Message[]) => (messages.at(-1)?.timestamp ?? 0) + 3_700_000;

function run(
  edits: ReturnType<typeof createCachedEdits>,
  messages: readonly Message[],
  over: Partial<MicroInput> = {},
) {
  const input = { messages, nowMs: soon(messages), source: "main" as const, model, cachedModelId: "m1", ...over };
  return planMicrocompact(input, edits, config, roughEstimator);
}

function seen(count: number): ReturnType<typeof createCachedEdits> {
  const edits = createCachedEdits(config);
  for (let i = 1; i <= count; i++) {
    run(edits, reads(i));
    edits.commit();
  }
  return edits;
}

test("MC3, MC5: the cached path changes no local message, and tells what the server will free", () => {
  const messages = reads(13);
  const plan = run(seen(12), messages);
  expect(plan).toMatchObject({ kind: "cache-edit", isNew: true });
  if (plan.kind !== "cache-edit") throw new Error("not reached");
  expect(plan.tokensFreed).toBe(8 * (1_000 - config.marker.length / 4));
  expect(applyMicroPlan(messages, plan)).toBe(messages);
});

test("MC3: a block that waits is not reported as new again", () => {
  const edits = seen(12);
  run(edits, reads(13));
  expect(run(edits, reads(13))).toMatchObject({ kind: "cache-edit", isNew: false });
});

test("MC3: switched off, or with a model that cannot edit its cache, no block is made", () => {
  const edits = createCachedEdits(config);
  for (let i = 1; i <= 20; i++) {
    expect(run(edits, reads(i), { model: { id: "m1", cacheEditing: false } })).toEqual({ kind: "none" });
    edits.commit();
  }
  const off = { ...config, cached: { ...config.cached, enabled: false } };
  const messages = reads(20);
  const input = { messages, nowMs: soon(messages), source: "main" as const, model, cachedModelId: "m1" };
  expect(planMicrocompact(input, seen(19), off, roughEstimator)).toMatchObject({ kind: "clear", path: "cached" });
});

test("MC4: a forked agent changes nothing of the main thread's state, and gets no plan", () => {
  const edits = seen(12);
  const before = edits.state();
  for (const source of ["compact", "session_memory", "subagent", "context_collapse"] as const) {
    expect(run(edits, reads(30), { source, nowMs: muchLater(reads(30)) })).toEqual({ kind: "none" });
  }
  expect(edits.state()).toEqual(before);
});

test("MC2: a time-based clearing resets the cached path, and clears what its pins had deleted too", () => {
  const edits = seen(14);
  const deleted = edits.pinned().flatMap(({ toolUseIds }) => toolUseIds);
  const messages = reads(14);
  const plan = run(edits, messages, { nowMs: muchLater(messages) });
  expect(plan).toMatchObject({ kind: "clear", path: "time" });
  if (plan.kind !== "clear") throw new Error("not reached");
  expect(plan.clearing.toolUseIds).toEqual(expect.arrayContaining(deleted));
  expect(plan.clearing.toolUseIds).toHaveLength(9);
  expect(applyMicroPlan(messages, plan)).toEqual(
    clearResults(messages, new Set(plan.clearing.toolUseIds), config.marker),
  );
  expect(edits.pinned()).toEqual([]);
});

test("MC3: another model cannot carry the pins: the results that they name become the marker", () => {
  const edits = seen(14);
  const deleted = edits.pinned().flatMap(({ toolUseIds }) => toolUseIds);
  const messages = reads(14);
  const plan = run(edits, messages, { model: { id: "m2", cacheEditing: true } });
  expect(plan).toMatchObject({ kind: "clear", path: "cached", clearing: { toolUseIds: deleted } });
  expect(edits.pinned()).toEqual([]);
  expect(
    run(edits, applyMicroPlan(messages, plan), { model: { id: "m2", cacheEditing: true }, cachedModelId: null }),
  ).toEqual({
    kind: "none",
  });
});

test("MC5: with nothing to clear the plan is none and the array the same", () => {
  const messages = reads(3);
  const plan = run(createCachedEdits(config), messages);
  expect(plan).toEqual({ kind: "none" });
  expect(applyMicroPlan(messages, plan)).toBe(messages);
});

test("MC3: before the first request no model is known, and the pins of a resumed session stay", () => {
  const edits = seen(14);
  const pins = edits.pinned();
  expect(run(edits, reads(15), { cachedModelId: null }).kind).not.toBe("clear");
  expect(edits.pinned()).toEqual(pins);
});

test("MC2: a gap in which nothing is cleared resets nothing; another model starts from nothing even where nothing is cleared", () => {
  const kept = seen(4);
  const before = kept.state();
  expect(run(kept, reads(4), { nowMs: muchLater(reads(4)) })).toEqual({ kind: "none" });
  expect(kept.state()).toEqual(before);

  const other = seen(4);
  run(other, reads(4), { model: { id: "m2", cacheEditing: true } });
  expect(other.state().live.map(({ seen }) => seen)).toEqual([false, false, false, false]);
});

test("MC3: with a model that cannot edit its cache nothing is registered, and no message is looked into", () => {
  const edits = createCachedEdits(config);
  const blind = reads(20).map(
    (message) =>
      new Proxy(message, {
        get: (target, key) => {
          if (key === "content") throw new Error("looked into");
          return Reflect.get(target, key);
        },
      }),
  );
  expect(run(edits, blind, { model: { id: "m1", cacheEditing: false } })).toEqual({ kind: "none" });
  expect(edits.state()).toEqual(createCachedEdits(config).state());
});

test("MC3: a block that waits when the model changes is cleared here, too", () => {
  const edits = seen(12);
  const messages = reads(13);
  const waiting = run(edits, messages);
  if (waiting.kind !== "cache-edit") throw new Error("not reached");
  const plan = run(edits, messages, { model: { id: "m2", cacheEditing: true } });
  expect(plan).toMatchObject({ kind: "clear", path: "cached", clearing: { toolUseIds: waiting.pin.toolUseIds } });
});

test("MC5: a block that waits frees nothing more where its results were cleared in the meantime", () => {
  const edits = seen(12);
  const waiting = run(edits, reads(13));
  if (waiting.kind !== "cache-edit") throw new Error("not reached");
  const cleared = clearResults(reads(13), new Set(waiting.pin.toolUseIds), config.marker);
  expect(run(edits, cleared)).toEqual({ ...waiting, isNew: false, tokensFreed: 0 });
});
