import { expect, test } from "vitest";
import type { WireBlock, WireMessage } from "../../transcript/index.ts";
import type { Ttl } from "../facts/block-facts.ts";
import type { Link } from "../facts/link.ts";
import type { Wire } from "../test-rig.ts";
import { assistant, call, createRig, messageOf, refusalText, result, text, user } from "../test-rig.ts";
import { noLosses } from "./losses.ts";
import type { Positions } from "./positions.ts";
import { createPromptCache } from "./prompt-cache.ts";

/** A prompt of one message, whose places have these keys and sizes, with breakpoints at some. */
function prompt(
  places: readonly (readonly [key: number, size: number])[],
  marked: readonly [number, Ttl][],
): Positions {
  const sizes = places.map(([, size]) => size);
  const link = { prev: null, keys: places.map(([key]) => key), sums: sizes, runs: places.map((_, i) => i) };
  const last = { ...link, places: [], placesBefore: 0, tokens: sizes.at(-1) ?? 0 } as unknown as Link;
  const breakpoints = marked.map(([place, ttl]) => ({ link: last, place, ttl }));
  return { last, breakpoints, total: sizes.at(-1) ?? 0, losses: noLosses, toolsKey: 0, systemKey: 0 };
}

test("K2: the least length is a length that is cached", () => {
  const cache = createPromptCache();
  for (const [size, isCached] of [
    [1_024, true],
    [1_023, false],
  ] as const) {
    const asked = prompt([[size, size]], [[0, "5m"]]);
    expect(cache.lookUp(asked, 1_024, 0).write5m).toBe(isCached ? size : 0);
    cache.commit(asked, 1_024, 0, 0);
    expect(cache.lookUp(asked, 1_024, 1).read).toBe(isCached ? size : 0);
  }
});

test("K2: a short entry becomes a long one when it is asked for, and a long one never a short one", () => {
  const minute = 60_000;
  const short = prompt([[7, 2_000]], [[0, "5m"]]);
  const long = prompt([[7, 2_000]], [[0, "1h"]]);
  const readAt = (first: Positions, second: Positions, at: number): number => {
    const cache = createPromptCache();
    cache.commit(first, 1_024, 0, 0);
    cache.commit(second, 1_024, minute, minute);
    return cache.lookUp(short, 1_024, at).read;
  };
  expect(readAt(short, long, 60 * minute)).toBe(2_000);
  expect(readAt(short, long, 61 * minute)).toBe(0);
  expect(readAt(long, short, 61 * minute - 1)).toBe(2_000);
  expect(readAt(short, short, 6 * minute - 1)).toBe(2_000);
  expect(readAt(short, short, 6 * minute)).toBe(0);
});

test("K2: what two requests write at once can be read from the sooner of their answers on", () => {
  const asked = prompt([[7, 2_000]], [[0, "5m"]]);
  const cache = createPromptCache();
  cache.commit(asked, 1_024, 0, 900);
  cache.commit(prompt([[7, 2_000]], [[0, "1h"]]), 1_024, 100, 5_000);
  expect(cache.lookUp(asked, 1_024, 899).read).toBe(0);
  expect(cache.lookUp(asked, 1_024, 900).read).toBe(2_000);
});

test("K2: an entry that has expired is written anew, and is readable only from its new answer on", () => {
  const asked = prompt([[7, 2_000]], [[0, "5m"]]);
  const cache = createPromptCache();
  cache.commit(asked, 1_024, 0, 10);
  cache.commit(asked, 1_024, 300_000, 300_900);
  expect(cache.lookUp(asked, 1_024, 300_500).read).toBe(0);
  expect(cache.lookUp(asked, 1_024, 300_900).read).toBe(2_000);
});

test("K2: of two breakpoints at one size only one is paid", () => {
  const cache = createPromptCache();
  const asked = prompt(
    [
      [1, 2_000],
      [2, 2_000],
      [3, 3_000],
    ],
    [
      [0, "1h"],
      [1, "5m"],
      [2, "5m"],
    ],
  );
  expect(cache.lookUp(asked, 1_024, 0)).toEqual({ read: 0, write1h: 2_000, write5m: 1_000, uncached: 0 });
});

test("K2: what has expired is swept, what lives stays, and a flush leaves nothing", () => {
  const cache = createPromptCache();
  for (let n = 0; n < 4_095; n++) cache.commit(prompt([[n, 2_000]], [[0, "5m"]]), 1_024, 0, 0);
  expect(cache.size).toBe(4_095);
  cache.commit(prompt([[5_000, 2_000]], [[0, "5m"]]), 1_024, 299_999, 0);
  expect(cache.size).toBe(4_096);
  for (let n = 0; n < 4_095; n++) cache.commit(prompt([[10_000 + n, 2_000]], [[0, "5m"]]), 1_024, 300_000, 0);
  expect(cache.size).toBe(4_096 + 4_095);
  cache.commit(prompt([[20_000, 2_000]], [[0, "5m"]]), 1_024, 300_000, 0);
  expect(cache.size).toBe(4_097);
  cache.flush();
  expect(cache.size).toBe(0);
});

const model = "claude-opus-4-8";
const big = "some words that are long enough to be worth it ".repeat(500);
const send = (rig: ReturnType<typeof createRig>, fields: object): Wire => messageOf(rig.send({ model, ...fields }));
const written = ({ usage }: Wire): unknown => usage.cache_creation;

test("V6: a breakpoint of the whole request stands at its last block, once, with its own life", () => {
  const whole = { cache_control: { type: "ephemeral" } };
  const hour = { cache_control: { type: "ephemeral", ttl: "1h" } };
  const total = send(createRig(), { messages: [user(big)] }).usage.input_tokens as number;
  const paid = (fields: object): Wire => send(createRig(), { messages: [user(big)], ...fields });
  expect(written(paid({}))).toEqual({ ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 });
  expect(written(paid({ cache_control: null }))).toEqual({
    ephemeral_5m_input_tokens: 0,
    ephemeral_1h_input_tokens: 0,
  });
  expect(written(paid(whole))).toEqual({ ephemeral_5m_input_tokens: total, ephemeral_1h_input_tokens: 0 });
  expect(written(paid(hour))).toEqual({ ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: total });
  const both = paid({ ...hour, messages: [user([text(big, hour)])] });
  expect(written(both)).toEqual({ ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: total });
  const rig = createRig();
  const effort = { role: "system", content: [], output_config: { effort: "low" } };
  const beta = { "anthropic-beta": "mid-conversation-output-config-2026-07-01" };
  const silent = messageOf(rig.send({ model: "claude-opus-5", ...whole, messages: [user(big), effort] }, beta));
  expect(silent.usage.cache_creation_input_tokens).toBeGreaterThan(2_000);
});

test("V6: the whole's breakpoint is one of its own where another message's is not the last", () => {
  const control = { cache_control: { type: "ephemeral" } };
  const rig = createRig();
  const messages = [user([text(big, control), text("tail")])];
  const { usage } = send(rig, { ...control, messages });
  expect(usage.input_tokens).toBe(0);
  rig.now += 60_000;
  const next = send(rig, { ...control, messages: [...messages, assistant("ok"), user("more")] });
  expect(next.usage.cache_read_input_tokens).toBe(usage.cache_creation_input_tokens);
});

test("A5: diagnostics are null where nothing is asked, hold null where nothing was missed, else the tokens that were", () => {
  const rig = createRig();
  const ask = { messages: [user([text(big, { cache_control: { type: "ephemeral" } })])] };
  const first = send(rig, ask);
  rig.now += 60_000;
  const diagnosed = (diagnostics: unknown, change: object = {}): unknown =>
    send(rig, { ...ask, ...change, diagnostics }).diagnostics;
  expect(diagnosed(undefined)).toBeNull();
  expect(diagnosed(null)).toBeNull();
  expect(diagnosed({})).toEqual({ cache_miss_reason: null });
  expect(diagnosed({ previous_message_id: null })).toEqual({ cache_miss_reason: null });
  expect(diagnosed({ previous_message_id: first.id })).toEqual({ cache_miss_reason: null });
  const size = first.usage.cache_creation_input_tokens;
  expect(diagnosed({ previous_message_id: first.id }, { system: "new" })).toEqual({
    cache_miss_reason: { type: "system_changed", cache_missed_input_tokens: size },
  });
});

test("K3: an edit that names nobody is told by its place, and each deleted result is freed down to its frame", () => {
  const edits = (...ids: string[]): WireBlock => ({
    type: "cache_edits",
    edits: ids.map((tool_use_id) => ({ type: "delete", tool_use_id })),
  });
  const talk = (last: WireBlock[]): WireMessage[] => [
    user("go"),
    assistant([call("a"), call("b")]),
    user([result("a", big), result("b", "short"), ...last] as WireBlock[]),
  ];
  expect(refusalText(createRig().send({ model, messages: talk([text("x"), edits("a", "z")]) }))).toBe(
    "messages.2.content.3.cache_edits.edits.1.tool_use_id: no `tool_result` block with id z stands before this block",
  );
  const paid = (messages: WireMessage[]): number => send(createRig(), { messages }).usage.input_tokens as number;
  const empty = [
    user("go"),
    assistant([call("a"), call("b")]),
    user([result("a", ""), result("b", "short")] as WireBlock[]),
  ];
  expect(paid(talk([edits("a")]))).toBe(paid(empty));
  const rig = createRig();
  const answer = send(rig, { messages: talk([edits("a")]) });
  expect(answer.usage.cache_deleted_input_tokens).toBe(paid(talk([])) - paid(empty));
  const again = send(rig, { messages: [...talk([edits("a")]), assistant("ok"), user([edits("b"), text("on")])] });
  expect(again.usage.cache_deleted_input_tokens).toBeGreaterThan(answer.usage.cache_deleted_input_tokens as number);
});
