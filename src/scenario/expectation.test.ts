import fc from "fast-check";
import { expect, test } from "vitest";
import type { Expectation } from "./expectation.ts";
import { ExpectationError, parseExpectation, passes } from "./expectation.ts";

test("Y3: every form of the specification is read", () => {
  expect(parseExpectation("violations{kind:constraint} == 0")).toEqual({
    text: "violations{kind:constraint} == 0",
    subject: { kind: "metric", name: "violations", labels: { kind: "constraint" }, percentile: null },
    test: { kind: "compare", operator: "==", value: 0 },
    orNone: false,
  } satisfies Expectation);
  expect(parseExpectation("p(99):request_tokens < 200_000").subject).toMatchObject({ percentile: 99 });
  expect(parseExpectation("compactions{layer:full} between 1 and 3").test).toEqual({
    kind: "between",
    low: 1,
    high: 3,
  });
  expect(parseExpectation("event(breaker_opened) at_most 1").test).toMatchObject({ operator: "<=", value: 1 });
  expect(parseExpectation("event(microcompact{path:time}) at_least 1").subject).toMatchObject({
    kind: "event",
    labels: { path: "time" },
  });
  expect(parseExpectation("event(breaker_opened) <= 1").test).toEqual(parseExpectation("rounds at_most 1").test);
  expect(parseExpectation("ends == completed").test).toEqual({ kind: "is", equal: true, word: "completed" });
  expect(parseExpectation("violations == 0 or none").orNone).toBe(true);
});

test.each([
  ["violations", "expected `METRIC"],
  ["violations = 0", "expected one of at_least at_most exactly =="],
  ["violations == zero", '"zero" is not a number'],
  ["violations == 1e3", '"1e3" is not a number'],
  ["violations{kind} == 0", '"kind" is no label:value'],
  ["event(microcompact) once", "expected one of at_least at_most exactly =="],
  ["event(microcompact at_least 1", "expected `METRIC"],
  ["ends == happily", "a run ends == completed, stuck or failed"],
  ["dollars between 3 and 1", "holds for nothing"],
  ["p(101):tokens > 1", "a percentile lies between 0 and 100"],
])("Y3: %s is refused with what is allowed", (text, why) => {
  expect(() => parseExpectation(text)).toThrow(ExpectationError);
  expect(() => parseExpectation(text)).toThrow(why);
});

test("a comparison says of any two numbers what the operator says", () => {
  const holds: Record<string, (a: number, b: number) => boolean> = {
    "==": (a, b) => a === b,
    "!=": (a, b) => a !== b,
    "<": (a, b) => a < b,
    "<=": (a, b) => a <= b,
    ">": (a, b) => a > b,
    ">=": (a, b) => a >= b,
  };
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(holds)), fc.nat(5), fc.nat(5), (operator, a, b) => {
      expect(passes(parseExpectation(`rounds ${operator} ${b}`).test, a)).toBe(holds[operator]?.(a, b));
    }),
  );
});

test("a word never passes a test of numbers, nor a number one of words", () => {
  expect(passes(parseExpectation("rounds != 3").test, "completed")).toBe(false);
  expect(passes(parseExpectation("rounds between 0 and 9").test, "completed")).toBe(false);
  expect(passes(parseExpectation("ends != failed").test, "completed")).toBe(true);
});
