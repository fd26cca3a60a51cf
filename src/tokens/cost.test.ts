import { expect, test } from "vitest";
import { aUsage } from "../testing/index.ts";
import type { ModelInfo } from "./index.ts";
import { costOf, findModel, models } from "./index.ts";

function model(id: string): ModelInfo {
  const found = findModel(id);
  if (found === undefined) throw new RangeError(`no model ${id}`);
  return found;
}

test("K5: every kind of token at its own rate", () => {
  const usage = aUsage({
    input_tokens: 1000,
    output_tokens: 2000,
    cache_read_input_tokens: 100_000,
    cache_creation_input_tokens: 30_000,
    cache_creation: { ephemeral_5m_input_tokens: 10_000, ephemeral_1h_input_tokens: 20_000 },
  });
  const { dollars, byKind } = costOf(usage, model("claude-opus-4-6"));
  expect(byKind.uncached).toBeCloseTo(0.005, 12);
  expect(byKind.output).toBeCloseTo(0.05, 12);
  expect(byKind.cacheRead).toBeCloseTo(0.05, 12);
  expect(byKind.cacheWrite).toBeCloseTo(0.0625 + 0.2, 12);
  expect(dollars).toBeCloseTo(0.3675, 12);
});

test("K5: writes that are not split are 5-minute ones; figures that are none count as nothing", () => {
  const usage = aUsage({
    cache_creation_input_tokens: 1_000_000,
    input_tokens: Number.NaN,
    cache_read_input_tokens: null,
  });
  expect(costOf(usage, model("claude-sonnet-4-5")).dollars).toBeCloseTo(3.75, 12);
});

test("K5: haiku-5-5 costs five times as much, the whole request, above 100 000 input tokens", () => {
  const haiku = model("claude-haiku-5-5");
  const short = aUsage({ input_tokens: 50_000, cache_read_input_tokens: 50_000, output_tokens: 1000 });
  const long = aUsage({ input_tokens: 50_001, cache_read_input_tokens: 50_000, output_tokens: 1000 });
  expect(costOf(short, haiku).dollars).toBeCloseTo(0.005 + 0.0005 + 0.0005, 12);
  expect(costOf(long, haiku).byKind.output).toBeCloseTo(5 * 0.0005, 12);
});

test("K5: what is written to the cache counts towards a long context, for five minutes as for an hour", () => {
  const haiku = model("claude-haiku-5-5");
  const written = (split: object): number =>
    costOf(aUsage({ input_tokens: 60_000, output_tokens: 1000, ...split }), haiku).byKind.output;
  expect(written({ cache_creation_input_tokens: 40_001 })).toBeCloseTo(5 * 0.0005, 12);
  const hour = { cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 40_001 } };
  expect(written({ cache_creation_input_tokens: 40_001, ...hour })).toBeCloseTo(5 * 0.0005, 12);
});

test("K5: inference in the US costs 1.1 times as much", () => {
  const usage = aUsage({ input_tokens: 1_000_000 });
  expect(costOf(usage, model("claude-opus-5"), { inferenceGeo: "us" }).dollars).toBeCloseTo(5.5, 12);
});

test("K5: the table keeps its own rules: writes 1.25 and 2 times the input price, output 5 times", () => {
  expect(models.length).toBeGreaterThanOrEqual(17);
  for (const { dollarsPerMTok: price } of models) {
    expect(price.cacheWrite5m / price.input).toBeCloseTo(1.25, 9);
    expect(price.cacheWrite1h / price.input).toBeCloseTo(2, 9);
    expect(price.output / price.input).toBeCloseTo(5, 9);
    expect(price.cacheRead / price.input).toBeLessThanOrEqual(0.1 + 1e-9);
  }
});

test("a model is found by its id and by a dated snapshot of it, and what the file leaves out has its usual value", () => {
  expect(findModel("claude-opus-4-5-20251101")).toBe(model("claude-opus-4-5"));
  expect(findModel("claude-opus-4")).toBeUndefined();
  expect(findModel("claude-opus-5-99")).toBeUndefined();
  expect(findModel("claude-opus-4-5-next-20251101")).toBeUndefined();
  expect(findModel("claude-opus-4-5-202511011")).toBeUndefined();
  expect(model("claude-opus-4-6")).toMatchObject({
    prefixBound: false,
    forcedToolChoice: true,
    longContext: null,
    tokenizer: "old",
  });
  expect(model("claude-opus-5-5")).toMatchObject({
    prefixBound: true,
    forcedToolChoice: false,
    contextWindow: 1_000_000,
  });
});
