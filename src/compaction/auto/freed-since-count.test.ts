import { expect, test } from "vitest";
import type { TokenCount } from "../../tokens/index.ts";
import { bookClearing, bookFreed, freedFrom } from "./freed-since-count.ts";

const counted = (messageUuid: string, firstPartIndex: number): TokenCount => ({
  tokens: 170_000,
  basis: { messageUuid, firstPartIndex, exact: 160_000 },
  estimated: 10_000,
});
const clearing = {
  toolUseIds: ["a", "b"],
  tokensFreed: 900,
  freedAt: [
    { index: 2, tokens: 400 },
    { index: 6, tokens: 500 },
  ],
};

test("AC5: what was cleared before the response that the count is based on is taken off; what came after is estimated anew", () => {
  const count = counted("m5", 5);
  expect(freedFrom(count, bookClearing(count, null, clearing))).toBe(400);
});

test("AC5: a message at the place of that response is estimated anew, too", () => {
  const count = counted("m5", 6);
  expect(freedFrom(count, bookClearing(count, null, clearing))).toBe(400);
});

test("AC5: where all is estimated, what was booked before is taken off nothing", () => {
  const freed = bookClearing(counted("m5", 5), null, clearing);
  expect(freedFrom({ tokens: 10, basis: null, estimated: 10 }, freed)).toBe(0);
});

test("AC5: two clearings since one count add up", () => {
  const count = counted("m9", 9);
  expect(bookClearing(count, bookClearing(count, null, clearing), clearing)).toEqual({
    basisUuid: "m9",
    tokens: 1_800,
  });
});

test("AC5: a newer response counts for itself, and nothing is taken off", () => {
  const freed = bookClearing(counted("m5", 5), null, clearing);
  expect(freedFrom(counted("m7", 7), freed)).toBe(0);
  expect(bookClearing(counted("m7", 7), freed, clearing)).toEqual({ basisUuid: "m7", tokens: 900 });
});

test("AC5: without any usage all is estimated, and nothing is booked", () => {
  expect(bookClearing({ tokens: 10, basis: null, estimated: 10 }, null, clearing)).toBeNull();
});

test("AC5: a snip's tokens and a clearing's are booked against the same count; without any usage there is none", () => {
  const count = counted("m5", 5);
  expect(freedFrom(count, bookFreed(count, bookClearing(count, null, clearing), 1_000))).toBe(1_400);
  expect(bookFreed({ tokens: 10, basis: null, estimated: 10 }, null, 1_000)).toBeNull();
});
