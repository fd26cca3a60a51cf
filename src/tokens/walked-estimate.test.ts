import { expect, test } from "vitest";
import { aBoundary, aNotice, aToolUse, aUser } from "../testing/index.ts";
import { walkedJsonLength, walkingEstimator } from "./index.ts";

test("B2: walking weighs a call by its name and its input, none as an empty one, and every other block as the rule of thumb does", () => {
  const { block } = walkingEstimator;
  expect(block(aToolUse("t", "Read", { a: [1, 20, true] }))).toBe(("Read".length + '{"a":[1,20,true]}'.length) / 4);
  expect(block(aToolUse("t", "Read", null))).toBe(("Read".length + "{}".length) / 4);
  expect(block(aToolUse("t", "Read", { text: 'say "so"' }))).toBe(("Read".length + '{"text":"say "so""}'.length) / 4);
  expect(block({ type: "text", text: "12345678" })).toBe(2);
});

test("B2: walking weighs a message by its blocks, and what is never sent by nothing", () => {
  const { message } = walkingEstimator;
  expect(
    message(
      aUser([
        { type: "text", text: "1234" },
        { type: "text", text: "12345678" },
      ]),
    ),
  ).toBe(3);
  expect(message(aBoundary())).toBe(0);
  expect(message(aNotice("not sent"))).toBe(0);
});

test("B2: what has no JSON text has no length; in a list it is null, in an object it is not there", () => {
  for (const value of [undefined, () => 1, Symbol("s")]) {
    expect(walkedJsonLength(value)).toBe(0);
    expect(walkedJsonLength([value, 1])).toBe("[null,1]".length);
    expect(walkedJsonLength({ a: value, b: 1 })).toBe('{"b":1}'.length);
  }
  expect(walkedJsonLength(12n)).toBe(0);
});

test("B2: numbers are as long as they are written", () => {
  for (const value of [0, -0, 7, 9, 10, -1, 0.5, 9.5, 1e21]) {
    expect([value, walkedJsonLength(value)]).toEqual([value, JSON.stringify(value).length]);
  }
});
