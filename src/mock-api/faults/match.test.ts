import { expect, test } from "vitest";
import type { Fault, FaultMatch } from "../fault.ts";
import type { Rig } from "../test-rig.ts";
import { createRig, messageOf, refusalText, text, user } from "../test-rig.ts";

const overloaded = (match: FaultMatch, times?: number, id = "f"): Fault => ({
  id,
  kind: "overloaded",
  match,
  ...(times === undefined ? {} : { times }),
});
const headers = (source: string, turn = 1, round = 1, attempt = 1): Record<string, string> => ({
  "x-longhaul-source": source,
  "x-longhaul-turn": String(turn),
  "x-longhaul-round": String(round),
  "x-longhaul-attempt": String(attempt),
});
const statuses = (rig: Rig, sent: readonly Record<string, string>[]): number[] =>
  sent.map((each) => rig.send({}, each).status);

test("F1: nth counts all requests, or those of a source", () => {
  const sources = ["main", "compact", "main", "compact"].map((source) => headers(source));
  expect(statuses(createRig({ faults: [overloaded({ nth: 3 })] }), sources)).toEqual([200, 200, 529, 200]);
  expect(statuses(createRig({ faults: [overloaded({ nth: 2, source: "compact" })] }), sources)).toEqual([
    200, 200, 200, 529,
  ]);
});

test("F1: turn, rounds and size are conditions, and all of them must hold", () => {
  const rounds = [1, 2, 3, 4].map((round) => headers("main", 1, round));
  expect(statuses(createRig({ faults: [overloaded({ round: { from: 2, to: 3 } }, 9)] }), rounds)).toEqual([
    200, 529, 529, 200,
  ]);
  expect(statuses(createRig({ faults: [overloaded({ turn: 2 })] }), [headers("main", 1), headers("main", 2)])).toEqual([
    200, 529,
  ]);
  const rig = createRig({ faults: [overloaded({ contextAboveTokens: 1_000 })] });
  expect(rig.send({}).status).toBe(200);
  expect(rig.send({ messages: [user("word ".repeat(3_000))] }).status).toBe(529);
});

test("F1: a fault strikes once unless it says how often, or by chance", () => {
  const five = [1, 2, 3, 4, 5].map((round) => headers("main", 1, round));
  expect(statuses(createRig({ faults: [overloaded({})] }), five)).toEqual([529, 200, 200, 200, 200]);
  expect(statuses(createRig({ faults: [overloaded({}, 2)] }), five)).toEqual([529, 529, 200, 200, 200]);
  expect(statuses(createRig({ faults: [overloaded({ probability: 1 })] }), five)).toEqual([529, 529, 529, 529, 529]);
});

test("F1, D3: adding a fault moves no draw of another", () => {
  const rounds = Array.from({ length: 60 }, (_, round) => headers("main", 1, round));
  const half: Fault = { id: "half", kind: "overloaded", match: { probability: 0.5 } };
  const other: Fault = { id: "other", kind: "api-error", match: { probability: 0.3 } };
  const alone = statuses(createRig({ faults: [half] }), rounds);
  const both = statuses(createRig({ faults: [half, other] }), rounds);
  expect(both.map((status) => status === 529)).toEqual(alone.map((status) => status === 529));
  expect(alone).toContain(529);
  expect(alone).toContain(200);
  expect(both).toContain(500);
});

test("F1: a foreign client's compaction request is recognised by its form", () => {
  const rig = createRig({ faults: [{ id: "f", kind: "empty-summary", match: { source: "compact" } }] });
  expect(messageOf(rig.send({})).content).toMatchObject([{ text: "Understood." }]);
  const asked = messageOf(rig.send({ messages: [user([text("Summarise this in a <summary> block.")])] }));
  expect(asked.content).toMatchObject([{ text: "<analysis>\n</analysis>\n<summary></summary>" }]);
  expect(rig.events.at(-1)).toMatchObject({ source: "compact" });
});

test("F2: prompt-too-long speaks in any provider's words, with or without the gap, and also below the window", () => {
  const said = (settings: Fault["with"]): string | undefined =>
    refusalText(
      createRig({ faults: [{ id: "f", kind: "prompt-too-long", match: {}, with: settings ?? {} }] }).send({}),
    );
  expect(said({ tokens: 207_547, limit: 200_000 })).toBe("prompt is too long: 207547 tokens > 200000 maximum");
  expect(said({ gap: false })).toBe("prompt is too long");
  expect(said({ wording: "bedrock" })).toBe("Input is too long for requested model.");
  const [tokens, limit] = (said({})?.match(/\d+/g) ?? []).map(Number);
  expect(tokens).toBeGreaterThan(limit as number);
});

test("F2: retry-after comes in seconds, milliseconds, as a date, or not at all", () => {
  const after = (settings: Fault["with"]): unknown => {
    const rig = createRig({ faults: [{ id: "f", kind: "rate-limit", match: {}, with: settings ?? {} }] });
    rig.now = Date.UTC(2026, 11, 1);
    const { headers: sent } = rig.send({});
    return sent["retry-after"] ?? sent["retry-after-ms"];
  };
  expect(after({ seconds: 7 })).toBe("7");
  expect(after({ seconds: 7, retryAfter: "ms" })).toBe("7000");
  expect(after({ seconds: 7, retryAfter: "date" })).toBe("Tue, 01 Dec 2026 00:00:07 GMT");
  expect(after({ retryAfter: "none" })).toBeUndefined();
});

test("F2: after a cache flush nothing is read that was written before", () => {
  const ask = {
    model: "claude-opus-4-8",
    messages: [user([text("word ".repeat(6_000), { cache_control: { type: "ephemeral" } })])],
  };
  const rig = createRig({ faults: [{ id: "f", kind: "cache-flush", match: { nth: 3 } }] });
  const reads = [1, 2, 3].map(() => {
    rig.now += 60_000;
    return (messageOf(rig.send(ask)).usage.cache_read_input_tokens as number) > 0;
  });
  expect(reads).toEqual([false, true, false]);
});
