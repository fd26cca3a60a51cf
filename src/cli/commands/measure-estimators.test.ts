import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { runProgram } from "../program.ts";

const said: string[] = [];

beforeEach(() => {
  said.length = 0;
  vi.spyOn(console, "log").mockImplementation((line: string) => void said.push(line));
});

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

const few = ["measure", "estimators", "polyglot-cjk", "--seeds", "1", "--rounds", "12"];

test("T6: the table has a row for each tokenizer, and says whether the goal is reached", async () => {
  await runProgram(few);
  const [text = ""] = said;
  expect(text).toMatch(/^polyglot-cjk +old +11( +\d+\.\d %){4}$/m);
  expect(text).toMatch(/^polyglot-cjk +new +11( +\d+\.\d %){4}$/m);
  expect(text).toMatch(/^prose +old/m);
  expect(text).toContain("Calibrated is within 10 % on every profile.");
  expect(process.exitCode).toBeUndefined();
});

test("T6: a goal that is missed names the profiles and ends with 4; --json says the same to machines", async () => {
  await runProgram([...few, "--goal", "0"]);
  expect(said[0]).toContain("Not within 0 %: polyglot-cjk (old), polyglot-cjk (new).");
  expect(process.exitCode).toBe(4);
  await runProgram([...few, "--json"]);
  const report = JSON.parse(said[1] ?? "") as { met: boolean; goalPercent: number; profiles: { of: string }[] };
  expect(report).toMatchObject({ met: true, goalPercent: 10, seeds: [1], rounds: 12 });
  expect(report.profiles.map(({ of }) => of)).toEqual(["polyglot-cjk", "polyglot-cjk"]);
});
