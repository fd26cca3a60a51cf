import fc from "fast-check";
import { expect, test } from "vitest";
import type { ConfigInput } from "./check-config.ts";
import { resolveConfig } from "./resolve-config.ts";
import {
  autoCompactThreshold,
  blockingLimit,
  effectiveWindow,
  mustBlock,
  tokenWarningState,
  usedWindow,
} from "./thresholds.ts";

const model = { contextWindow: 200_000, maxOutput: 64_000 };
const configOf = (input: ConfigInput = {}) => resolveConfig(input).config;
const config = configOf();

test("AC1: the effective window is the window less what a summary may need", () => {
  expect(effectiveWindow(model, config)).toBe(180_000);
  expect(effectiveWindow({ contextWindow: 200_000, maxOutput: 8_000 }, config)).toBe(192_000);
});

test("AC2: a 200K window is compacted from 167 000 tokens on", () => {
  expect(autoCompactThreshold(model, config)).toBe(167_000);
});

test("AC3: warning and error stand 20 000 below auto-compact, blocking 3 000 below the effective window", () => {
  const at = (count: number) => tokenWarningState(count, model, config);
  expect(at(146_999)).toMatchObject({ isAboveWarning: false, isAboveError: false });
  expect(at(147_000)).toMatchObject({ isAboveWarning: true, isAboveError: true, isAboveAutoCompact: false });
  expect(at(166_999)).toMatchObject({ isAboveAutoCompact: false });
  expect(at(167_000)).toMatchObject({ isAboveAutoCompact: true, isAtBlockingLimit: false, percentLeft: 0 });
  expect(at(177_000)).toMatchObject({ isAtBlockingLimit: true });
  expect(at(83_500).percentLeft).toBe(50);
});

test("AC3: with auto-compact off the lines are drawn from the effective window", () => {
  const off = configOf({ auto: { autoCompactEnabled: false } });
  expect(tokenWarningState(159_999, model, off).isAboveWarning).toBe(false);
  expect(tokenWarningState(160_000, model, off)).toMatchObject({ isAboveWarning: true, isAboveAutoCompact: false });
});

test("AC3: right after a compaction no warning is shown, but the blocking limit still is", () => {
  const state = tokenWarningState(190_000, model, config, true);
  expect(state).toMatchObject({ isAboveWarning: false, isAboveError: false, isAtBlockingLimit: true });
});

test("AC3: only the main thread of a proactive conversation is blocked, and not right after a compaction", () => {
  expect(mustBlock(177_000, model, config, "main", false)).toBe(true);
  expect(mustBlock(176_999, model, config, "main", false)).toBe(false);
  expect(mustBlock(177_000, model, config, "main", true)).toBe(false);
  expect(mustBlock(177_000, model, config, "compact", false)).toBe(false);
  expect(mustBlock(177_000, model, config, "session_memory", false)).toBe(false);
  for (const mode of ["reactive-only", "collapse"] as const) {
    expect(mustBlock(177_000, model, configOf({ auto: { mode } }), "main", false)).toBe(false);
  }
});

test("AC4: a cap lowers the window and never raises it", () => {
  expect(usedWindow(model, configOf({ limits: { contextWindowCap: 100_000 } }))).toBe(100_000);
  expect(usedWindow(model, configOf({ limits: { contextWindowCap: 500_000 } }))).toBe(200_000);
});

test("AC4: a percentage makes auto-compact earlier and never later, whatever it is", () => {
  fc.assert(
    fc.property(fc.double({ min: 1, max: 100, noNaN: true }), (autoCompactPercent) => {
      const threshold = autoCompactThreshold(model, configOf({ limits: { autoCompactPercent } }));
      expect(threshold).toBe(Math.min(167_000, Math.floor((180_000 * autoCompactPercent) / 100)));
    }),
  );
});

test("AC4: a blocking limit of one's own takes the place of the default", () => {
  expect(blockingLimit(model, configOf({ limits: { blockingLimitTokens: 50_000 } }))).toBe(50_000);
});

test("AC3: where no room is left at all, nothing is left", () => {
  const left = (contextWindow: number): number =>
    tokenWarningState(500, { contextWindow, maxOutput: 20_000 }, resolveConfig().config).percentLeft;
  expect([left(33_000), left(30_000)]).toEqual([0, 0]);
  const none = tokenWarningState(0, { contextWindow: 33_000, maxOutput: 20_000 }, resolveConfig().config);
  expect(none.percentLeft).toBe(0);
});
