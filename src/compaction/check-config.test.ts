import { expect, test } from "vitest";
import { ConfigError, checkConfig } from "./check-config.ts";
import { defaultConfig } from "./config.ts";

const halfOpen = { kind: "half-open", afterRounds: 1 };
const policies = 'allowed is { kind: "latched" } or { kind: "half-open", afterRounds: a whole number from 1 up }';

/** The input that sets one key, named by its path. */
const at = (path: string, value: unknown): object =>
  path.split(".").reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object;
const read = (config: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((inner, key) => Reflect.get(inner as object, key), config);

test.each<[path: string, value: unknown]>([
  ["micro.timeBased.gapThresholdMinutes", 0],
  ["micro.timeBased.gapThresholdMinutes", 0.5],
  ["micro.timeBased.gapThresholdMinutes", Number.MAX_SAFE_INTEGER],
  ["limits.autoCompactPercent", 100],
  ["limits.autoCompactPercent", Number.MIN_VALUE],
  ["limits.autoCompactPercent", null],
  ["limits.summaryReserveTokens", 0],
  ["micro.cached.keepRecent", 1],
  ["micro.marker", "gone"],
  ["micro.compactableTools", []],
  ["micro.compactableTools", ["Read", "Bash"]],
  ["auto.mode", "collapse"],
  ["auto.autoCompactEnabled", false],
  ["auto.breaker.policy", { kind: "latched" }],
  ["auto.breaker.policy", halfOpen],
  ["auto.thrashGuard", null],
  ["auto.thrashGuard.compactions", 5],
])("AC4: the config takes %s: %j", (path, value) => {
  expect(read(checkConfig(at(path, value)), path)).toEqual(value);
});

test.each<[path: string, value: unknown, says: string]>([
  ["micro.timeBased.gapThresholdMinutes", -0.1, "is -0.1; allowed is a number from 0 up"],
  ["micro.timeBased.gapThresholdMinutes", "5", 'is "5"; allowed is a number from 0 up'],
  ["micro.timeBased.gapThresholdMinutes", Number.NaN, "is NaN; allowed is"],
  ["micro.timeBased.gapThresholdMinutes", Number.POSITIVE_INFINITY, "is Infinity; allowed is"],
  ["limits.autoCompactPercent", 100.1, "allowed is a number above 0, at most 100, or null"],
  ["limits.autoCompactPercent", 0, "allowed is a number above 0"],
  ["limits.summaryReserveTokens", -1, "allowed is a whole number from 0 up"],
  ["limits.summaryReserveTokens", 1.5, "allowed is a whole number from 0 up"],
  ["micro.cached.keepRecent", 0, "allowed is a whole number from 1 up"],
  ["micro.marker", "", "allowed is a text that is not empty"],
  ["micro.marker", 5, "allowed is a text that is not empty"],
  ["micro.compactableTools", "Read", "allowed is a list of texts"],
  ["micro.compactableTools", { length: 1 }, "allowed is a list of texts"],
  ["micro.compactableTools", ["Read", 5], "allowed is a list of texts"],
  ["auto.mode", "off", 'allowed is "proactive" or "reactive-only" or "collapse"'],
  ["auto.mode", 5, 'allowed is "proactive" or "reactive-only" or "collapse"'],
  ["auto.autoCompactEnabled", "true", "allowed is true or false"],
  ["auto.breaker.policy", null, policies],
  ["auto.breaker.policy", 5, policies],
  ["auto.breaker.policy", "latched", policies],
  ["auto.breaker.policy", {}, policies],
  ["auto.breaker.policy", { kind: "half-open" }, policies],
  ["auto.breaker.policy", { kind: "half-open", afterRounds: 0 }, policies],
  ["auto.breaker.policy", { kind: "open", afterRounds: 1 }, policies],
  ["limits", 5, "is 5; allowed is an object with contextWindowCap, summaryReserveTokens"],
  ["limits", null, "is null; allowed is an object with"],
  ["limits", [], "is []; allowed is an object with"],
  ["limits.window", 5, "is 5; allowed is no key of that name, but contextWindowCap, summaryReserveTokens"],
  ["micro.marker", Symbol.iterator, "is Symbol(Symbol.iterator); allowed"],
])("AC4: the config refuses %s: %j", (path, value, says) => {
  const refused = () => checkConfig(at(path, value));
  expect(refused).toThrow(ConfigError);
  expect(refused).toThrow(`Compaction config: ${path} is `);
  expect(refused).toThrow(says);
});

test("AC4: what is no object at all is refused as a whole, and the error says what it is", () => {
  for (const whole of [null, 5, []]) expect(() => checkConfig(whole as never)).toThrow("(whole) is ");
  expect(() => checkConfig(null as never)).toThrow("an object with limits, micro, auto, full, sessionMemory");
  const error = new ConfigError("limits", 5, "less");
  expect([error.name, error.path, error.value, error.allowed]).toEqual(["ConfigError", "limits", 5, "less"]);
  expect(checkConfig({})).toEqual(defaultConfig);
});
