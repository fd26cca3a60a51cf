import fc from "fast-check";
import { expect, test } from "vitest";
import { aBoundary, anAssistant, anImage, aResultMessage, aToolUse, aUsage, aUser } from "../testing/index.ts";
import type { Message } from "../transcript/index.ts";
import { charsPerToken } from "./chars-per-token.ts";
import { weighStretch } from "./content-weights.ts";
import { createCalibratedEstimator, createSessionLedger, newestStretch } from "./index.ts";
import { learnRates, ratedKinds, tableBelief } from "./rate-belief.ts";

const at = (kind: string): number => ratedKinds.indexOf(kind as (typeof ratedKinds)[number]);
const weights = (tokens: Readonly<Record<string, number>>, fixed = 0) => ({
  byKind: ratedKinds.map((kind) => tokens[kind] ?? 0),
  fixed,
});
const window = 200_000;

test("T6: each kind's rate is learned from stretches that mix them, whichever way each is off; what never came stays as the table has it", () => {
  const share = fc.double({ min: 0.85, max: 1.15, noNaN: true });
  const mix = fc.record({ prose: fc.nat(3_000), code: fc.nat(3_000), jsonMinified: fc.nat(3_000) });
  fc.assert(
    fc.property(share, share, share, fc.array(mix, { minLength: 60, maxLength: 60 }), (prose, code, json, rounds) => {
      let belief = tableBelief;
      for (const round of rounds) {
        const actual = round.prose * prose + round.code * code + round.jsonMinified * json;
        belief = learnRates(belief, weights(round), actual);
      }
      expect(belief.factors[at("prose")]).toBeCloseTo(prose, 1);
      expect(belief.factors[at("code")]).toBeCloseTo(code, 1);
      expect(belief.factors[at("jsonMinified")]).toBeCloseTo(json, 1);
      expect(belief.factors[at("hex")]).toBe(1);
    }),
    { numRuns: Number(process.env.LONGHAUL_CASES ?? 100) },
  );
});

test("T6: what no rate touches teaches nothing: a stretch of images leaves the rates alone", () => {
  const belief = learnRates(tableBelief, weights({}, 5_000), 5_600);
  expect(belief.factors).toEqual(tableBelief.factors);
  const mixed = learnRates(tableBelief, weights({ code: 1_000 }, 5_000), 6_100);
  expect(mixed.factors[at("code")]).toBeGreaterThan(1);
});

test("T6: a count that cannot be of this stretch changes no belief", () => {
  for (const [tokens, actual] of [
    [1_000, 0],
    [1_000, -50_000],
    [1_000, Number.NaN],
    [1_000, Number.POSITIVE_INFINITY],
    [1_000, 3_001],
    [5_001, 2_000],
    [0, 500],
  ] as const) {
    expect(learnRates(tableBelief, weights({ code: tokens }), actual)).toBe(tableBelief);
  }
  expect(learnRates(tableBelief, weights({ code: 1_000 }), 3_000)).not.toBe(tableBelief);
  expect(learnRates(tableBelief, weights({ code: 5_000 }), 2_000)).not.toBe(tableBelief);
});

test("T6: no rate is believed to be off by more than twice, and a belief goes through JSON", () => {
  let belief = tableBelief;
  for (let i = 0; i < 100; i++) belief = learnRates(belief, weights({ code: 1_000 }), 2_900);
  expect(belief.factors[at("code")]).toBe(2);
  for (let i = 0; i < 1_000; i++) belief = learnRates(belief, weights({ code: 1_000 }), 300);
  expect(belief.factors[at("code")]).toBeGreaterThanOrEqual(0.5);
  expect(JSON.parse(JSON.stringify(belief))).toEqual(belief);
});

test("T6: a stretch is weighed apart by kind, and together it weighs what the estimator says", () => {
  const messages: readonly Message[] = [
    aUser("The build failed because the lock file was written by a newer version of the tool. ".repeat(9)),
    anAssistant([aToolUse("t1", "Read", { file_path: "a.ts" })]),
    aResultMessage("t1", [{ type: "text", text: "今天天气很好我们去公园散步".repeat(40) }, anImage(750, 750)]),
    aBoundary(),
  ];
  const { byKind, fixed } = weighStretch({ messages, texts: ["9f86d081".repeat(20)] }, charsPerToken.new);
  expect(fixed).toBe(750);
  expect(byKind[at("chinese")]).toBeCloseTo((13 * 40) / 1.2, 6);
  expect(byKind[at("hex")]).toBeCloseTo(160 / 1.5, 6);
  const { message, block } = createCalibratedEstimator();
  const whole = messages.reduce((sum, one) => sum + message(one), block({ type: "text", text: "9f86d081".repeat(20) }));
  expect(byKind.reduce((sum, tokens) => sum + tokens, fixed)).toBeCloseTo(whole, 0);
});

const says = (input: number) => ({ usage: aUsage({ input_tokens: input, output_tokens: 5 }) });

test("T6: the newest stretch is what one input has more than the one before, the answer between them included", () => {
  const messages = [
    aUser("go"),
    anAssistant([aToolUse("t1")], { id: "a", ...says(1_000) }),
    aResultMessage("t1", "one"),
    anAssistant([aToolUse("t2")], { id: "b", ...says(1_400) }),
    aResultMessage("t2", "two"),
  ];
  const [opening, first, result] = messages as [Message, Message, Message];
  expect(newestStretch(messages, ["system"], { window })).toEqual({
    messages: [first, result],
    texts: [],
    actual: 400,
  });
  expect(newestStretch(messages.slice(0, 3), ["system"], { window })).toEqual({
    messages: [opening],
    texts: ["system"],
    actual: 1_000,
  });
  expect(newestStretch(messages.slice(0, 1), ["system"], { window })).toBeNull();
});

test("T6: parts of one response are one; usages that cannot be believed are passed over, and so is all before a boundary", () => {
  const split = { id: "b", ...says(1_500) };
  const messages = [
    aUser("go"),
    anAssistant("one", { id: "a", ...says(1_000) }),
    aUser("on"),
    anAssistant("never counted", { id: "n", ...says(900_000) }),
    anAssistant([aToolUse("t1")], { ...split, usage: null }),
    aResultMessage("t1", "r"),
    anAssistant([aToolUse("t2")], split),
  ];
  expect(newestStretch(messages, [], { window })).toEqual({ messages: messages.slice(1, 4), texts: [], actual: 500 });
  const kept = messages.at(-1) as Message;
  const compacted = [aBoundary({ keptUuids: [kept.uuid] }), kept, aUser("more")];
  expect(newestStretch([...messages, ...compacted], [], { window })).toBeNull();
  const after = [...messages, ...compacted, anAssistant("two", { id: "c", ...says(700) })];
  expect(newestStretch(after, ["system"], { window })).toEqual({
    messages: compacted.slice(1),
    texts: ["system"],
    actual: 700,
  });
  expect(newestStretch(messages, [], { window, staleUuids: new Set([kept.uuid]) })?.actual).toBe(1_000);
});

test("T6: blocks weigh as before until a rate has moved by a fiftieth; a ledger looks again only then", () => {
  const code = "if (items[i] === undefined) { return add(sum, items[i + 1]); }\n".repeat(200);
  const messages = [aResultMessage("t1", code)];
  const table = createCalibratedEstimator();
  const guess = table.message(messages[0] as Message);
  let looks = 0;
  const message = (each: Message): number => {
    looks++;
    return table.message(each);
  };
  const ledger = createSessionLedger({ ...table, message });
  ledger.append(messages[0] as Message);
  expect(ledger.estimate()).toBe(Math.ceil(guess));
  const asBefore = table.taught({ messages, texts: [], actual: guess * 1.01 });
  expect(asBefore.message).toBe(table.message);
  expect(asBefore.belief).not.toBe(table.belief);
  const moved = table.taught({ messages, texts: [], actual: guess * 1.14 });
  expect(moved.message).not.toBe(table.message);
  expect(moved.message(messages[0] as Message) / guess).toBeGreaterThan(1.1);
  ledger.useEstimator(moved);
  expect(ledger.sum()).toBe(moved.message(messages[0] as Message));
  expect(looks).toBe(1);
  expect(createCalibratedEstimator({ belief: moved.belief }).block({ type: "text", text: code })).toBe(
    moved.block({ type: "text", text: code }),
  );
});

test("T6: of parts that tell different figures, the one with the largest output counts", () => {
  const part = (input: number, output: number) => ({
    id: "b",
    usage: aUsage({ input_tokens: input, output_tokens: output }),
  });
  const messages = [
    aUser("go"),
    anAssistant("first", { id: "a", ...says(900) }),
    aUser("on"),
    anAssistant("done", part(1_120, 30)),
    anAssistant("begun", part(1_050, 1)),
  ];
  expect(newestStretch(messages, null, { window })).toEqual({ messages: messages.slice(1, 3), texts: [], actual: 220 });
  expect(newestStretch(messages.slice(0, 2), null, { window })).toBeNull();
});

test("T6: one step is the least-squares answer: doubt of 12 % a rate against framing of 25 tokens and 3 % of the count", () => {
  const { factors, covariance } = learnRates(tableBelief, weights({ code: 1_000, prose: 500 }), 1_650);
  const noise = 25 ** 2 + (0.03 * 1_650) ** 2;
  const variance = 0.0144 * (1_000 ** 2 + 500 ** 2) + noise;
  expect(factors[at("code")]).toBeCloseTo(1 + ((0.0144 * 1_000) / variance) * 150, 9);
  expect(factors[at("prose")]).toBeCloseTo(1 + ((0.0144 * 500) / variance) * 150, 9);
  expect(covariance[at("code")]?.[at("prose")]).toBeCloseTo(-(0.0144 ** 2 * 500_000) / variance, 9);
  expect(covariance[at("code")]?.[at("code")]).toBeCloseTo(0.0144 - (0.0144 * 1_000) ** 2 / variance, 9);
});

test("T6: a text of several scripts is weighed apart by its shares", () => {
  const text = `${"z".repeat(400)}${"の".repeat(60)}${"я".repeat(80)}${"🎉".repeat(30)}`;
  const { byKind } = weighStretch({ messages: [], texts: [text] }, charsPerToken.new);
  expect(byKind[at("prose")]).toBeCloseTo(400 / 3.4, 6);
  expect(byKind[at("japanese")]).toBeCloseTo(60 / 1.1, 6);
  expect(byKind[at("otherNonLatin")]).toBeCloseTo(80 / 2, 6);
  expect(byKind[at("emoji")]).toBeCloseTo(60 / 0.4, 6);
  expect(byKind.filter((tokens) => tokens !== 0)).toHaveLength(4);
});

test("T6: from rates that were exchanged, too, blocks weigh as before until one has moved by a fiftieth of them", () => {
  const code = "if (items[i] === undefined) { return add(sum, items[i + 1]); }\n".repeat(2_000);
  const messages = [aResultMessage("t1", code)];
  const guess = createCalibratedEstimator().message(messages[0] as Message);
  let estimator = createCalibratedEstimator();
  for (let i = 0; i < 20; i++) estimator = estimator.taught({ messages, texts: [], actual: guess * 1.4 });
  expect(estimator.message(messages[0] as Message) / guess).toBeCloseTo(1.4, 1);
  expect(estimator.taught({ messages, texts: [], actual: guess * 1.4 }).message).toBe(estimator.message);
});
