import { expect, test } from "vitest";
import { createRig, refusalText, user } from "../test-rig.ts";

test("V2: a request holds at most 100 000 messages", () => {
  const said = (count: number): string | undefined =>
    refusalText(createRig().send({ messages: Array(count).fill(user("x")) }));
  expect(said(100_001)).toBe("messages: List should have at most 100000 items after validation, not 100001");
  expect(said(100_000)).toBeUndefined();
});
