import fc from "fast-check";
import { expect, test } from "vitest";
import {
  aNotice,
  anAssistant,
  aResultMessage,
  aToolUse,
  aUser,
  disorderedTranscript,
  validTranscript,
} from "../../testing/index.ts";
import { roughTokenSum } from "../../tokens/index.ts";
import type { Message } from "../../transcript/index.ts";
import { groupByApiRound } from "../../transcript/index.ts";
import type { TooLongRequest, TruncationPolicy } from "./truncate-head.ts";
import { isTruncationMarker, truncateHeadForRetry } from "./truncate-head.ts";

/** Nothing but the rounds counts. */
const policy: TruncationPolicy = { dropPercent: 20, scaleRetry: true, keepAnchors: false };
const anchored: TruncationPolicy = { ...policy, keepAnchors: true };
const original: TruncationPolicy = { dropPercent: 20, scaleRetry: false, keepAnchors: false };
const marker = { uuid: "marker", timestamp: 0 };

/** One round: a call and its result, 1 000 rough tokens together. */
function round(i: number, chars = 4_000): readonly Message[] {
  const call = aToolUse(`t${i}`, "Read", {});
  return [
    anAssistant([call], { uuid: `a${i}`, id: `r${i}` }),
    aResultMessage(`t${i}`, "x".repeat(chars - 6), { uuid: `u${i}` }),
  ];
}
const rounds = (count: number): readonly Message[] => [
  aUser("x".repeat(4_000), { uuid: "opening" }),
  ...Array.from({ length: count }, (_, i) => round(i)).flat(),
];
const refused = (messages: readonly Message[], text: string, more: Partial<TooLongRequest> = {}): TooLongRequest => ({
  error: { class: "overflow", text },
  maxOutput: 0,
  sentTokens: roughTokenSum(messages),
  fixedTokens: 0,
  ...more,
});

test("PT1: without figures a fifth of the groups falls, the oldest first, and a marker stands first", () => {
  const messages = rounds(10);
  const cut = truncateHeadForRetry(messages, refused(messages, "Prompt is too long"), policy, marker);
  expect(cut?.messages.slice(1)).toEqual(messages.slice(3));
  expect(isTruncationMarker(cut?.messages[0])).toBe(true);
  expect(cut).toMatchObject({ droppedMessages: 3, gap: null });
});

test("PT1: the marker of an earlier retry is stripped before anything is counted", () => {
  let messages = rounds(4);
  for (const groupsLeft of [4, 3, 2, 1]) {
    const cut = truncateHeadForRetry(messages, refused(messages, "Prompt is too long"), policy, marker);
    expect(cut?.messages.filter(isTruncationMarker)).toHaveLength(1);
    messages = cut?.messages ?? [];
    expect(groupByApiRound(messages.slice(1))).toHaveLength(groupsLeft);
  }
});

test("PT1: the summary of an earlier compaction stays while rounds can go, and the marker follows it", () => {
  const summary = aUser("All that came before.", { uuid: "summary", isCompactSummary: true });
  let messages: readonly Message[] = [summary, ...rounds(6)];
  for (let retry = 0; retry < 3; retry++) {
    messages =
      truncateHeadForRetry(messages, refused(messages, "Prompt is too long"), anchored, marker)?.messages ?? [];
    expect(messages[0]).toBe(summary);
    expect(messages[1]?.uuid).toBe("opening");
    expect(isTruncationMarker(messages[2])).toBe(true);
    expect(messages.filter(isTruncationMarker)).toHaveLength(1);
  }
  const whole = [summary, ...rounds(6)];
  expect(truncateHeadForRetry(whole, refused(whole, "Prompt is too long"), original, marker)?.messages).not.toContain(
    summary,
  );
});

test("PT1: the newest human message stays while rounds can go, so that whoever summarises knows what was asked", () => {
  let messages = rounds(8);
  for (let retry = 0; retry < 3; retry++) {
    messages =
      truncateHeadForRetry(messages, refused(messages, "Prompt is too long"), anchored, marker)?.messages ?? [];
    expect(messages[0]?.uuid).toBe("opening");
    expect(messages.filter(isTruncationMarker)).toHaveLength(1);
  }
});

test("PT1: what is kept by name is not counted as dropped", () => {
  const messages = rounds(10);
  const cut = truncateHeadForRetry(messages, refused(messages, "Prompt is too long"), anchored, marker);
  expect(cut?.droppedMessages).toBe(2);
});

test("PT1: a human message of 20 000 tokens is kept by name, a longer one goes with its round", () => {
  const keptFirst = (chars: number): boolean => {
    const messages = [aUser("x".repeat(chars), { uuid: "long" }), ...rounds(9).slice(1)];
    const cut = truncateHeadForRetry(messages, refused(messages, "Prompt is too long"), anchored, marker);
    return cut?.messages[0]?.uuid === "long";
  };
  expect([keptFirst(80_000), keptFirst(80_001)]).toEqual([true, false]);
});

test("PT1: where nothing has to go, what was sent comes back as it was, summaries and markers at their places", () => {
  const summary = aUser("All that came before.", { uuid: "summary", isCompactSummary: true });
  const whole = rounds(4);
  const shortened = truncateHeadForRetry(whole, refused(whole, "Prompt is too long"), anchored, marker);
  const messages = [summary, ...(shortened?.messages ?? [])];
  const request = refused(messages, "1010 tokens > 1000", { sentTokens: roughTokenSum(messages) + 5_000 });
  expect(truncateHeadForRetry(messages, request, anchored, marker)?.messages).toEqual(messages);
});

test("PT1: a marker that stands alone is nothing to send", () => {
  const whole = rounds(4);
  const first = truncateHeadForRetry(whole, refused(whole, "Prompt is too long"), policy, marker)?.messages[0];
  expect(isTruncationMarker(first)).toBe(true);
  const messages = [first as Message];
  for (const each of [policy, anchored])
    expect(truncateHeadForRetry(messages, refused(messages, "Prompt is too long"), each, marker)).toBeNull();
});

test("PT1: a marker is told by its kind, by being nobody's words, and by its text", () => {
  const whole = rounds(4);
  const first = truncateHeadForRetry(whole, refused(whole, "Prompt is too long"), policy, marker)?.messages[0];
  const text = first?.kind === "user" ? first.content : [];
  expect(isTruncationMarker(aUser(text, { isMeta: true }))).toBe(true);
  expect(isTruncationMarker(aUser(text))).toBe(false);
  expect(isTruncationMarker(aUser("Other words.", { isMeta: true }))).toBe(false);
  expect(isTruncationMarker(aUser([], { isMeta: true }))).toBe(false);
  expect(isTruncationMarker({ ...anAssistant(text), isMeta: true } as never)).toBe(false);
  expect(isTruncationMarker(undefined)).toBe(false);
});

test("PT1: a summary goes, too, when nothing else is left", () => {
  const summary = aUser("x".repeat(4_000), { uuid: "summary", isCompactSummary: true });
  const messages = [summary, anAssistant("short", { uuid: "a", id: "r" })];
  const cut = truncateHeadForRetry(messages, refused(messages, "Prompt is too long"), anchored, marker);
  expect(cut?.messages).not.toContain(summary);
});

test("PT1: nothing to drop and nothing to cut is null", () => {
  for (const messages of [[], [aUser("x".repeat(9_000))], [anAssistant("x".repeat(9_000))], [aNotice("local")]])
    for (const text of ["Prompt is too long", "300 tokens > 200"])
      expect(truncateHeadForRetry(messages, refused(messages, text), policy, marker)).toBeNull();
});

test("PT2: the gap and the room for the answer fall, scaled by what the server counted", () => {
  const messages = rounds(99); // 100 groups of 1 000, counted as 2 000 each
  const request = refused(messages, "200000 tokens > 190000 maximum", { maxOutput: 20_000 });
  const cut = truncateHeadForRetry(messages, request, policy, marker);
  expect(cut?.gap).toBe(30_000);
  expect(groupByApiRound(cut?.messages.slice(1) ?? [])).toHaveLength(84); // 15 for the gap, 1 for the marker
});

test("PT2: when what is left is exactly what may be sent, no more falls", () => {
  const messages = rounds(99);
  const some = truncateHeadForRetry(messages, refused(messages, "Prompt is too long"), policy, marker);
  const markerTokens = roughTokenSum((some?.messages ?? []).slice(0, 1));
  const error = { class: "overflow", text: "too long", tokens: 100_000, limit: 90_000 + markerTokens } as const;
  const cut = truncateHeadForRetry(messages, refused(messages, "", { error }), policy, marker);
  expect(cut?.droppedTokens).toBe(10_000 - markerTokens);
});

test("PT2: a refusal before this one that was no larger tells nothing", () => {
  const messages = rounds(79);
  const sentTokens = roughTokenSum(messages);
  const leftAfter = (previous?: TooLongRequest["previous"]): number | undefined =>
    truncateHeadForRetry(
      messages,
      refused(messages, "210000 tokens > 200500 maximum", previous ? { previous } : {}),
      policy,
      marker,
    )?.messages.length;
  const usual = leftAfter();
  for (const tokens of [200_000, 210_000]) expect(leftAfter({ tokens, sentTokens: sentTokens + 20_000 })).toBe(usual);
  for (const sent of [sentTokens - 1_000, sentTokens])
    expect(leftAfter({ tokens: 250_000, sentTokens: sent })).toBe(usual);
});

test("PT2: the original takes the bare gap and does not scale", () => {
  const messages = rounds(99);
  const request = refused(messages, "200000 tokens > 190500 maximum", { maxOutput: 20_000 });
  const cut = truncateHeadForRetry(messages, request, original, marker);
  expect(cut?.gap).toBe(9_500);
  expect(groupByApiRound(cut?.messages.slice(1) ?? [])).toHaveLength(90);
});

test("PT2: a later retry is scaled by what the last drop really freed", () => {
  const messages = rounds(79);
  const previous = { tokens: 250_000, sentTokens: roughTokenSum(messages) + 20_000 };
  const request = refused(messages, "210000 tokens > 200500 maximum", { previous });
  const cut = truncateHeadForRetry(messages, request, policy, marker);
  expect(groupByApiRound(cut?.messages.slice(1) ?? [])).toHaveLength(75); // 40 000 by 20 000 rough: 9 500 are 4 750
});

test("PT2: an answer that filled the window asks for its own length", () => {
  const messages = rounds(99);
  const request = refused(messages, "", { error: "window-exceeded", maxOutput: 20_000 });
  expect(truncateHeadForRetry(messages, request, policy, marker)?.gap).toBe(20_000);
});

test("PT3: no marker where a user message stands first", () => {
  const messages = [aUser("x".repeat(400)), ...round(0, 40_000)];
  const sentTokens = roughTokenSum(messages) + 5_000; // preparation has freed them already
  const cut = truncateHeadForRetry(messages, refused(messages, "1010 tokens > 1000", { sentTokens }), policy, marker);
  expect(cut?.messages).toEqual(messages);
  expect(cut?.droppedMessages).toBe(0);
});

test("PT4: a first round shorter than the marker takes the next one with it", () => {
  const messages = [aUser("go"), ...round(0), ...round(1)];
  const cut = truncateHeadForRetry(messages, refused(messages, "Prompt is too long"), policy, marker);
  expect(cut?.messages.slice(1)).toEqual(round(1));
});

test("PT4: the last round stays; its largest results are cut in the middle", () => {
  const messages = [
    ...round(0),
    anAssistant([aToolUse("big", "Bash", {}), aToolUse("small", "Bash", {})], { id: "last" }),
    aResultMessage("big", `head${"x".repeat(400_000)}tail`),
    aResultMessage("small", "y".repeat(1_000)),
  ];
  const cut = truncateHeadForRetry(messages, refused(messages, "130000 tokens > 30000 maximum"), policy, marker);
  expect(cut?.messages.at(-1)).toBe(messages.at(-1));
  const text = JSON.stringify(cut?.messages.at(-2));
  expect(text).toMatch(/head.*was cut.*tail/s);
  expect(roughTokenSum(cut?.messages ?? [])).toBeLessThan(30_000);
});

test("PT4: of two rounds one falls, and the other stays whole; of one, as much is cut as has to go", () => {
  const two = rounds(1);
  const cut = truncateHeadForRetry(two, refused(two, "Prompt is too long"), policy, marker);
  expect(cut?.messages.slice(1)).toEqual(round(0));
  const one = round(0, 40_000);
  const shortened = truncateHeadForRetry(one, refused(one, "10000 tokens > 9900 maximum"), policy, marker);
  expect(shortened?.droppedTokens).toBeGreaterThanOrEqual(100);
  expect(shortened?.droppedTokens).toBeLessThan(200);
});

test("PT4: with one group left, each retry cuts further and then gives up", () => {
  let messages: readonly Message[] = round(0, 40_000);
  const sizes = [roughTokenSum(messages)];
  for (let i = 0; i < 100; i++) {
    const cut = truncateHeadForRetry(messages, refused(messages, "Prompt is too long"), policy, marker);
    if (cut === null) break;
    messages = cut.messages;
    sizes.push(roughTokenSum(messages));
  }
  expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
  expect(sizes.length).toBeGreaterThan(5);
  expect(sizes.at(-1)).toBeLessThan(200);
});

const anyError = fc.oneof(
  fc.constantFrom("Prompt is too long", "5 tokens > 900000 maximum", "2 + 2 > 1"),
  fc.tuple(fc.nat(300_000), fc.nat(300_000)).map(([n, m]) => `${n} tokens > ${m} maximum`),
);

test("PT4: every retry is smaller than the one before, the marker included, until there is none", () => {
  fc.assert(
    fc.property(
      fc.oneof(validTranscript({ maxRounds: 5 }), disorderedTranscript({ maxRounds: 5 })),
      fc.array(anyError, { minLength: 8, maxLength: 8 }),
      fc.boolean(),
      (transcript, errors, scaleRetry) => {
        let messages = transcript;
        let previous: TooLongRequest["previous"];
        for (const text of errors) {
          const request = refused(messages, text, {
            maxOutput: 20_000,
            fixedTokens: 500,
            ...(previous ? { previous } : {}),
          });
          const cut = truncateHeadForRetry(
            messages,
            request,
            { dropPercent: 20, scaleRetry, keepAnchors: scaleRetry },
            marker,
          );
          if (cut === null) return;
          expect(roughTokenSum(cut.messages)).toBeLessThan(roughTokenSum(messages));
          expect(cut.droppedTokens).toBeCloseTo(roughTokenSum(messages) - roughTokenSum(cut.messages));
          expect(cut.messages.length).toBeGreaterThan(0);
          expect(cut.messages[0]?.kind).not.toBe("assistant");
          previous = { tokens: 250_000, sentTokens: request.sentTokens };
          messages = cut.messages;
        }
      },
    ),
    { numRuns: Number(process.env.LONGHAUL_CASES ?? 1000) },
  );
});

test("PT2: for uniform content one retry is enough, whichever way the estimate is off", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 8, max: 40 }),
      fc.integer({ min: 25, max: 400 }),
      fc.integer({ min: 0, max: 20_000 }),
      fc.integer({ min: 30, max: 95 }),
      (count, percentOff, fixedTokens, percentOfWindow) => {
        const messages = rounds(count);
        const trueTokens = (of: readonly Message[]): number =>
          Math.ceil(((roughTokenSum(of) + fixedTokens) * percentOff) / 100);
        const maxOutput = 1_000;
        const window = Math.floor((trueTokens(messages) * percentOfWindow) / 100);
        const smallest = trueTokens([...round(0), aUser("x".repeat(200))]) + maxOutput;
        fc.pre(window > smallest);
        const request = refused(messages, `${trueTokens(messages)} tokens > ${window} maximum`, {
          fixedTokens,
          maxOutput,
        });
        const cut = truncateHeadForRetry(messages, request, policy, marker);
        expect(trueTokens(cut?.messages ?? messages) + maxOutput).toBeLessThanOrEqual(window + 1);
      },
    ),
    { numRuns: Number(process.env.LONGHAUL_CASES ?? 1000) },
  );
});

test("PT1: what is left is the input's own end, so no pair is split", () => {
  fc.assert(
    fc.property(validTranscript(), (messages) => {
      const cut = truncateHeadForRetry(messages, refused(messages, "Prompt is too long"), policy, marker);
      if (cut === null || groupByApiRound(messages).length < 2) return;
      const left = cut.messages.filter((message) => !isTruncationMarker(message));
      const start = messages.length - left.length;
      if (cut.droppedMessages > 0)
        expect(groupByApiRound(messages).some((group) => group[0] === messages[start])).toBe(true);
      expect(left.map((message) => message.uuid)).toEqual(messages.slice(start).map((message) => message.uuid));
    }),
  );
});
