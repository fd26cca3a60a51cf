import { expect, test } from "vitest";
import { nearest } from "./nearest.ts";

test("the nearest word is offered, and none where nothing is near", () => {
  const known = ["session", "strategy", "seeds", "expect"];
  expect(nearest("sesion", known)).toBe("session");
  expect(nearest("expects", known)).toBe("expect");
  expect(nearest("kubernetes", known)).toBeUndefined();
});
