import { expect, test } from "vitest";
import type { ConfigInput } from "./check-config.ts";
import { ConfigError } from "./check-config.ts";
import type { CompactionConfig } from "./config.ts";
import { defaultConfig } from "./config.ts";
import { resolveConfig } from "./resolve-config.ts";

const windowOf = (config: CompactionConfig) => config.limits.contextWindowCap;
const percentOf = (config: CompactionConfig) => config.limits.autoCompactPercent;
const blockingOf = (config: CompactionConfig) => config.limits.blockingLimitTokens;
const canCompact = (config: CompactionConfig) => config.auto.compactEnabled;
const canStartItself = (config: CompactionConfig) => config.auto.autoCompactEnabled;
const hasMemory = (config: CompactionConfig) => config.sessionMemory.enabled;

test("AC4: nothing said leaves every default", () => {
  expect(resolveConfig()).toEqual({ config: defaultConfig, notices: [] });
});

const used: readonly [Record<string, string>, (config: CompactionConfig) => unknown, unknown][] = [
  [{ LONGHAUL_CONTEXT_WINDOW: "100000" }, windowOf, 100_000],
  [{ LONGHAUL_CONTEXT_WINDOW: " 50000 " }, windowOf, 50_000],
  [{ CLAUDE_CODE_AUTO_COMPACT_WINDOW: "100000" }, windowOf, 100_000],
  [{ LONGHAUL_CONTEXT_WINDOW: "90000", CLAUDE_CODE_AUTO_COMPACT_WINDOW: "100000" }, windowOf, 90_000],
  [{ LONGHAUL_AUTOCOMPACT_PCT: " 50 " }, percentOf, 50],
  [{ LONGHAUL_AUTOCOMPACT_PCT: "0.5" }, percentOf, 0.5],
  [{ LONGHAUL_AUTOCOMPACT_PCT: "100" }, percentOf, 100],
  [{ CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: "70" }, percentOf, 70],
  [{ LONGHAUL_AUTOCOMPACT_PCT: "60", CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: "70" }, percentOf, 60],
  [{ LONGHAUL_BLOCKING_LIMIT: "120000" }, blockingOf, 120_000],
  [{ DISABLE_COMPACT: "1" }, canCompact, false],
  [{ DISABLE_COMPACT: "TRUE" }, canCompact, false],
  [{ DISABLE_COMPACT: "" }, canCompact, true],
  [{ DISABLE_COMPACT: "off" }, canCompact, true],
  [{ DISABLE_AUTO_COMPACT: "yes" }, canStartItself, false],
  [{ DISABLE_AUTO_COMPACT: "on" }, canStartItself, false],
  [{ DISABLE_AUTO_COMPACT: "no" }, canStartItself, true],
  [{ DISABLE_AUTO_COMPACT: "1" }, canCompact, true],
  [{ DISABLE_CLAUDE_CODE_SM_COMPACT: "1" }, hasMemory, false],
  [{ DISABLE_CLAUDE_CODE_SM_COMPACT: "1", ENABLE_CLAUDE_CODE_SM_COMPACT: "1" }, hasMemory, false],
];
test.each(used)("AC4: %j is used", (env, read, expected) => {
  const { config, notices } = resolveConfig({}, env);
  expect(read(config)).toBe(expected);
  expect(notices).toEqual([]);
});

const ignored: readonly [string, string, (config: CompactionConfig) => unknown, unknown][] = [
  ["LONGHAUL_CONTEXT_WINDOW", "", windowOf, null],
  ["LONGHAUL_CONTEXT_WINDOW", "1e5", windowOf, null],
  ["LONGHAUL_CONTEXT_WINDOW", "abc", windowOf, null],
  ["LONGHAUL_CONTEXT_WINDOW", "NaN", windowOf, null],
  ["LONGHAUL_CONTEXT_WINDOW", "100000x", windowOf, null],
  ["LONGHAUL_CONTEXT_WINDOW", "0", windowOf, null],
  ["LONGHAUL_CONTEXT_WINDOW", "-5", windowOf, null],
  ["LONGHAUL_CONTEXT_WINDOW", "33000", windowOf, null],
  ["LONGHAUL_AUTOCOMPACT_PCT", "0", percentOf, null],
  ["LONGHAUL_AUTOCOMPACT_PCT", "101", percentOf, null],
  ["LONGHAUL_AUTOCOMPACT_PCT", "0.0001", percentOf, null],
  ["LONGHAUL_AUTOCOMPACT_PCT", "50%", percentOf, null],
  ["LONGHAUL_BLOCKING_LIMIT", "Infinity", blockingOf, null],
  ["DISABLE_COMPACT", "maybe", canCompact, true],
  ["DISABLE_AUTO_COMPACT", "2", canStartItself, true],
];
test.each(ignored)("AC4: %s=%j is ignored with a notice", (variable, value, read, expected) => {
  const { config, notices } = resolveConfig({}, { [variable]: value });
  expect(read(config)).toBe(expected);
  expect(notices).toEqual([{ variable, value, text: expect.stringContaining(`${variable}=`) }]);
});

test("AC4: where our own name is unusable its alias serves, and the notice names ours", () => {
  const { config, notices } = resolveConfig(
    {},
    { LONGHAUL_AUTOCOMPACT_PCT: "x", CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: "70" },
  );
  expect(percentOf(config)).toBe(70);
  expect(notices.map(({ variable }) => variable)).toEqual(["LONGHAUL_AUTOCOMPACT_PCT"]);
});

test("AC4: the smallest window that leaves a threshold is one above reserve and buffer", () => {
  expect(windowOf(resolveConfig({}, { LONGHAUL_CONTEXT_WINDOW: "33001" }).config)).toBe(33_001);
});

test("AC4: ENABLE switches session memory on where the config has it off", () => {
  const off = { sessionMemory: { enabled: false } };
  expect(hasMemory(resolveConfig(off).config)).toBe(false);
  expect(hasMemory(resolveConfig(off, { ENABLE_CLAUDE_CODE_SM_COMPACT: "1" }).config)).toBe(true);
});

test("AC4: the environment cannot undo what the config has switched off, nor raise its window", () => {
  const { config } = resolveConfig(
    { auto: { compactEnabled: false }, limits: { contextWindowCap: 90_000 } },
    { DISABLE_COMPACT: "0", LONGHAUL_CONTEXT_WINDOW: "150000" },
  );
  expect(canCompact(config)).toBe(false);
  expect(windowOf(config)).toBe(90_000);
});

const mistakes: readonly [ConfigInput, string][] = [
  [{ limits: { autoCompactPercent: 0 } }, "limits.autoCompactPercent"],
  [{ limits: { autoCompactPercent: 101 } }, "limits.autoCompactPercent"],
  [{ limits: { contextWindowCap: Number.NaN } }, "limits.contextWindowCap"],
  [{ limits: { contextWindowCap: 33_000 } }, "limits"],
  [{ limits: { warningBufferTokens: -1 } }, "limits.warningBufferTokens"],
  [{ micro: { timeBased: { keepRecent: 0 } } }, "micro.timeBased.keepRecent"],
  [{ micro: { marker: "" } }, "micro.marker"],
  [{ auto: { mode: "sometimes" as "collapse" } }, "auto.mode"],
  [{ auto: { breaker: { policy: { kind: "half-open", afterRounds: 0 } } } }, "auto.breaker.policy"],
  [{ sessionMemory: { keep: { maxTokens: "many" as unknown as number } } }, "sessionMemory.keep.maxTokens"],
  [{ full: { directt: {} } } as ConfigInput, "full.directt"],
  [{ sessionMemory: null } as unknown as ConfigInput, "sessionMemory"],
];
test.each(mistakes)("AC4: the config %j is refused, with the place and what is allowed", (input, path) => {
  const refusal = () => resolveConfig(input);
  expect(refusal).toThrow(ConfigError);
  expect(refusal).toThrow(expect.objectContaining({ path }));
  expect(refusal).toThrow(/allowed is/);
});

test("a config overrides what it names and nothing else; lists and policies are taken whole, the thrash guard can be off", () => {
  const { config } = resolveConfig({
    micro: { compactableTools: ["Read"], cached: { triggerThreshold: 3 } },
    auto: { breaker: { policy: { kind: "half-open", afterRounds: 20 } }, thrashGuard: null },
  });
  expect(config).toEqual({
    ...defaultConfig,
    micro: {
      ...defaultConfig.micro,
      compactableTools: ["Read"],
      cached: { ...defaultConfig.micro.cached, triggerThreshold: 3 },
    },
    auto: {
      ...defaultConfig.auto,
      breaker: { ...defaultConfig.auto.breaker, policy: { kind: "half-open", afterRounds: 20 } },
      thrashGuard: null,
    },
  });
});
