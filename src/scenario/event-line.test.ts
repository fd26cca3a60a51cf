import { expect, test } from "vitest";
import type { RunEvent } from "../simulate/index.ts";
import { eventLine } from "./event-line.ts";

test("Y6: an event is one line; its maps stand without quotes and without what is null, and long fields are cut", () => {
  const event = { kind: "served", seq: 1, at: 5, turn: 2, round: 3, querySource: "main" };
  const own = { usage: { input: 7, tier: null, cache: { read: 1 } }, ids: ["a", "b"], text: `x\n${"y".repeat(200)}` };
  const line = eventLine({ ...event, ...own } as unknown as RunEvent);
  expect(line).toMatch(/^turn 2 round 3 main served usage=\{input:7,cache:\{read:1\}\} ids=\["a","b"\] text=x y+…$/);
  expect(line.length).toBeLessThan(200);
});
