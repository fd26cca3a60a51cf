import { expect, test } from "vitest";
import { defaultConfig } from "../config.ts";
import type { ExtractionMeter } from "./extraction-trigger.ts";
import { freshMeter, meterContext, resetMeter, shouldExtract } from "./extraction-trigger.ts";

const config = defaultConfig.sessionMemory;
const at = (meter: ExtractionMeter, ...sizes: readonly number[]) => sizes.reduce(meterContext, meter);

test("SM1: the first notes are due when the context passes 10 000 tokens", () => {
  expect(shouldExtract(at(freshMeter, 9_999), true, config)).toBe(false);
  expect(shouldExtract(at(freshMeter, 10_000), true, config)).toBe(true);
});

test("SM1: then every 5 000 tokens added, after three tool calls or a response without one", () => {
  const meter = at(resetMeter(at(freshMeter, 10_000)), 15_000);
  expect(shouldExtract(meter, true, config)).toBe(false);
  expect(shouldExtract(meter, false, config)).toBe(true);
  expect(shouldExtract({ ...meter, toolCalls: 3 }, true, config)).toBe(true);
  expect(shouldExtract({ ...at(resetMeter(at(freshMeter, 10_000)), 14_999), toolCalls: 9 }, false, config)).toBe(false);
});

test("SM1: a compaction subtracts nothing: what was added before it still counts", () => {
  const meter = at(resetMeter(at(freshMeter, 160_000)), 163_000, 30_000, 32_000);
  expect(meter.addedTokens).toBe(5_000);
  expect(shouldExtract(meter, false, config)).toBe(true);
});

test("SM1: an extraction starts the count anew", () => {
  const meter = resetMeter({ ...at(freshMeter, 20_000), toolCalls: 7 });
  expect(meter).toMatchObject({ addedTokens: 0, toolCalls: 0, contextTokens: 20_000 });
});
