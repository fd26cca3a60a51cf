import { expect, test } from "vitest";
import { readEnvironment } from "./environment.ts";
import { resolveConfig } from "./resolve-config.ts";

const WINDOW = "LONGHAUL_CONTEXT_WINDOW";
const PERCENT = "LONGHAUL_AUTOCOMPACT_PCT";
const SWITCH = "DISABLE_COMPACT";

test.each<[variable: string, written: string, why: string]>([
  [WINDOW, "abc", "it is not a plain decimal number"],
  [WINDOW, "1".repeat(400), "it is too large"],
  [WINDOW, "0", "it must be at least 1 token"],
  [WINDOW, "0.9", "it must be at least 1 token"],
  [PERCENT, "abc", "it is not a plain decimal number"],
  [PERCENT, "0", "it must be above 0 and at most 100"],
  [PERCENT, "100.5", "it must be above 0 and at most 100"],
  [SWITCH, "maybe", "a switch is 1, true, yes or on; 0, false, no, off or empty"],
])("AC4: %s=%s is ignored, and it says why", (variable, written, why) => {
  const { notices } = readEnvironment({ [variable]: written });
  expect(notices).toEqual([
    { variable, value: written, text: `${variable}=${JSON.stringify(written)} is ignored: ${why}.` },
  ]);
});

test("AC4: numbers are plain decimals: windows whole tokens from 1 up, percents as they are", () => {
  const window = (written: string) => readEnvironment({ [WINDOW]: written }).settings.contextWindow?.value;
  const percent = (written: string) => readEnvironment({ [PERCENT]: written }).settings.autoCompactPercent?.value;
  expect([window("1"), window("1.75"), window(" 50000 ")]).toEqual([1, 1, 50_000]);
  expect([percent("50.25"), percent("0.5"), percent("100")]).toEqual([50.25, 0.5, 100]);
});

test("AC4: every word of a switch is understood, in either case", () => {
  const isOn = (written: string): boolean => {
    const { settings, notices } = readEnvironment({ [SWITCH]: written });
    expect(notices).toEqual([]);
    return settings.disableCompact;
  };
  expect(["1", "true", "YES", "on"].map(isOn)).toEqual([true, true, true, true]);
  expect(["0", "false", "No", "OFF", "", " "].map(isOn)).toEqual([false, false, false, false, false, false]);
  expect(readEnvironment({ DISABLE_CLAUDE_CODE_SM_COMPACT: "1" }).settings.sessionMemory).toBe("disable");
});

test("AC4: a percent of the environment takes the place of the config's; a window only lowers it", () => {
  const limits = { autoCompactPercent: 50, contextWindowCap: 100_000 };
  const { config } = resolveConfig({ limits }, { [PERCENT]: "60", [WINDOW]: "150000" });
  expect(config.limits).toMatchObject({ autoCompactPercent: 60, contextWindowCap: 100_000 });
});

test("AC4: what leaves no threshold is a notice in the environment and an error in the config, each with its reason", () => {
  expect(resolveConfig({}, { [WINDOW]: "30000" }).notices.map(({ text }) => text)).toEqual([
    `${WINDOW}="30000" is ignored: it would leave no room below the auto-compact threshold.`,
  ]);
  expect(() => resolveConfig({ limits: { contextWindowCap: 30_000 } })).toThrow(
    "allowed is what leaves an auto-compact threshold above 0",
  );
});
