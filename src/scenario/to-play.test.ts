import { expect, test } from "vitest";
import type { Scenario } from "./load.ts";
import { defineScenario } from "./load.ts";
import { plannedRounds, toPlay } from "./to-play.ts";

const scenarioOf = (session: object): Scenario => {
  const [only] = defineScenario("scenarios/x.yaml", {
    why: "A scenario of a test.",
    session,
    expect: ["rounds >= 1"],
  } as never);
  if (only === undefined) throw new Error("no scenario");
  return only;
};

test("Y1: what is played leaves out what judges it, so that another expectation is the same run", () => {
  const play = toPlay(scenarioOf({ profile: "bugfix", rounds: 10 }), { seed: 7, transport: "fetch" });
  expect(play.kind).toBe("generated");
  expect(Object.keys(play.spec).sort()).toEqual([
    "faults",
    "model",
    "scenario",
    "seed",
    "session",
    "strategy",
    "toolFaults",
    "transport",
    "user",
  ]);
  expect(play.spec.seed).toBe("7");
});

test("Y1: a recorded session names its file, and only that file knows its length", () => {
  const scenario = scenarioOf({ transcript: "sessions/a.jsonl" });
  expect(toPlay(scenario, { seed: 1, transport: "msw" })).toMatchObject({
    kind: "recorded",
    transcript: "sessions/a.jsonl",
  });
  expect(plannedRounds(scenario)).toBeNull();
  expect(plannedRounds(scenarioOf({ profile: "bugfix", rounds: 10 }))).toBe(10);
});

test("Y7: a session is generated or recorded, never both", () => {
  expect(() => scenarioOf({ transcript: "a.jsonl", rounds: 10 })).toThrow('unknown key "session.rounds"');
});
