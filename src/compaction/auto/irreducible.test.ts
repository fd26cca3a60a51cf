import { expect, test } from "vitest";
import { aBoundary, anAssistant, aUser, inOrder } from "../../testing/index.ts";
import { roughEstimator } from "../../tokens/index.ts";
import { resolveConfig } from "../resolve-config.ts";
import { irreducibleTokens } from "./irreducible.ts";

const { config } = resolveConfig();
const human = aUser("x".repeat(3_000));
const messages = inOrder([aUser("First"), anAssistant("y".repeat(9_000)), human, anAssistant("z".repeat(9_000))]);

test("AC8: what no compaction frees is system, tools and the newest human message", () => {
  expect(irreducibleTokens(messages, 5_000, config, roughEstimator)).toBe(5_000 + 1_000);
});

test("AC8, FC9: a human message counts as far as it is kept", () => {
  const long = inOrder([aUser("x".repeat(400_000)), anAssistant("ok")]);
  expect(irreducibleTokens(long, 5_000, config, roughEstimator)).toBe(5_000 + 20_000);
});

test("AC8: a message that waits is sent whole, whatever its length", () => {
  const pending = aUser("x".repeat(300_000));
  expect(irreducibleTokens(messages, 5_000, config, roughEstimator, pending)).toBe(5_000 + 100_000);
});

test("AC8, M6: a human message behind the boundary is not kept", () => {
  const compacted = [...messages, aBoundary({ uuid: "b" }), anAssistant("ok", { uuid: "a" })];
  expect(irreducibleTokens(compacted, 5_000, config, roughEstimator)).toBe(5_000);
});

test("FC9: where the newest message is not kept, as in the original, only system and tools are irreducible", () => {
  const original = resolveConfig({ full: { keepNewestUserMessage: false } }).config;
  expect(irreducibleTokens(messages, 5_000, original, roughEstimator)).toBe(5_000);
});
