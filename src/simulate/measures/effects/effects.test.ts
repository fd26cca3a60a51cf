import { expect, test } from "vitest";
import { notesCostMoreAndWaitLess } from "./notes-cost.ts";
import { recallFalls, repeatingLosesMore } from "./recall.ts";

const short = { seed: "1", rounds: 170 };

test("M4: recall falls with the share that was compacted, and repeated summaries of everything lose more than parts kept", () => {
  const falls = recallFalls(short);
  expect(falls.holds).toBe(true);
  expect(falls.figures.map(({ published }) => published)).toEqual([92, 86, 62, 21]);
  const repeated = repeatingLosesMore(short);
  expect(repeated.holds).toBe(true);
  expect(repeated.figures[0]?.measured).toBeLessThan(0.9 * (repeated.figures[1]?.measured ?? 0));
});

test("SM: notes cost more and wait less than summaries", async () => {
  expect(await notesCostMoreAndWaitLess(short)).toMatchObject({ holds: true });
});
