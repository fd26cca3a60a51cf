import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { runProgram } from "../program.ts";

const said: string[] = [];

beforeEach(() => {
  said.length = 0;
  vi.spyOn(console, "error").mockImplementation((line: string) => void said.push(line));
  vi.spyOn(console, "log").mockImplementation((line: string) => void said.push(line));
});

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

async function swarm(...words: readonly string[]): Promise<string> {
  said.length = 0;
  await runProgram(["swarm", "library", ...words]);
  return said.join("\n");
}

test("a swarm plays to the end of the history that reaches the number of operations, and says what it saw", async () => {
  const report = JSON.parse(await swarm("--seed", "5", "--operations", "150", "--json"));
  expect(report).toMatchObject({ seed: 5, broken: null });
  expect(report.operations).toBeGreaterThanOrEqual(150);
  expect(process.exitCode).toBeUndefined();
  const text = await swarm("--seed", "5", "--operations", "150");
  expect(text).toContain(`hash: ${report.hash}`);
  expect(text).toContain("no promise was broken");
});

test("one history of a seed is repeated by its number", async () => {
  const once = JSON.parse(await swarm("--seed", "5", "--history", "3", "--json"));
  expect(once.histories).toBe(1);
  expect(JSON.parse(await swarm("--seed", "5", "--history", "3", "--json")).hash).toBe(once.hash);
  expect(JSON.parse(await swarm("--seed", "6", "--history", "3", "--json")).hash).not.toBe(once.hash);
});

test("what cannot be played is told", async () => {
  expect(await swarm("--minutes", "0")).toContain("Allowed is a whole number from 1 to 1440");
  expect(await swarm("--minutes", "1", "--operations", "5")).toContain("cannot be used with option");
  expect(process.exitCode).toBe(2);
});
