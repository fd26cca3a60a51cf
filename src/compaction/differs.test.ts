import { expect, test } from "vitest";
import type { ConfigInput } from "./check-config.ts";
import { defaultConfig } from "./config.ts";
import { resolveConfig } from "./resolve-config.ts";

/** Where the library does other than the original on purpose: the rule, the key, and the value that gives the original's behaviour. */
const differences: readonly (readonly [rule: string, key: string, original: ConfigInput])[] = [
  ["MC3", "micro.cached.commit", { micro: { cached: { commit: "on-send" } } }],
  ["AC6", "auto.breaker.countAborts", { auto: { breaker: { countAborts: true } } }],
  ["AC8", "auto.thrashGuard", { auto: { thrashGuard: null } }],
  ["FC2", "full.fork.preparation", { full: { fork: { preparation: "always" } } }],
  ["FC9", "full.keepNewestUserMessage", { full: { keepNewestUserMessage: false } }],
  ["PT1", "full.tooLong.keepAnchors", { full: { tooLong: { keepAnchors: false } } }],
  ["PT2", "full.tooLong.scaleRetry", { full: { tooLong: { scaleRetry: false } } }],
  ["SM5", "sessionMemory.resumedWithoutId", { sessionMemory: { resumedWithoutId: "last-message" } }],
];

test.each(differences)(
  "%s: the original's way is a value of %s, not the default, and nothing else changes with it",
  (_, key, original) => {
    const at = (config: unknown): unknown =>
      key.split(".").reduce((value, name) => (value as Record<string, unknown>)[name], config);
    const { config, notices } = resolveConfig(original);
    expect(notices).toEqual([]);
    expect(at(config)).toEqual(at(original));
    expect(at(config)).not.toEqual(at(defaultConfig));
    expect(differingKeys(defaultConfig, config)).toEqual([key]);
  },
);

/** Dotted paths of what two configs do not share. */
function differingKeys(a: unknown, b: unknown, path = ""): readonly string[] {
  if (Object.is(a, b)) return [];
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return [path];
  return Object.keys(a).flatMap((key) =>
    differingKeys(
      (a as Record<string, unknown>)[key],
      (b as Record<string, unknown>)[key],
      path === "" ? key : `${path}.${key}`,
    ),
  );
}
