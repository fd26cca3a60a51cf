import { expect, test } from "vitest";
import { aBoundary, aNotice, anAssistant, aUser, inOrder } from "../testing/index.ts";
import type { CompactionPlan } from "./plan.ts";
import { applyPlan } from "./plan.ts";

test("a plan's result is its head, what is kept object for object, and its tail", () => {
  const messages = inOrder([aUser("a"), anAssistant("b"), aUser("c"), anAssistant("d")]);
  const boundary = aBoundary();
  const tail = [aNotice("end")];
  const plan: CompactionPlan = {
    layer: "full",
    trigger: "auto",
    head: [boundary],
    keep: { from: 1, to: 3 },
    tail,
    boundary,
    summary: "",
    tokensBefore: 2,
    tokensAfter: 1,
    reattached: [],
  };
  const result = applyPlan(messages, plan);
  expect(result).toEqual([boundary, messages[1], messages[2], tail[0]]);
  expect(result[1]).toBe(messages[1]);
});
