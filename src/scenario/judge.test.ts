import { expect, test } from "vitest";
import type { RunEvent, RunRecord } from "../simulate/index.ts";
import { computeMetrics } from "../simulate/index.ts";
import { judge } from "./judge.ts";
import type { Scenario } from "./load.ts";
import { defineScenario } from "./load.ts";

const where = { at: 0, turn: 1, round: 1, querySource: "main" } as const;

/** One event a round, so that the place of a failure can be told by it. */
function recordOf(...kinds: readonly object[]): RunRecord {
  const events = kinds.map((own, seq) => ({ seq, ...where, round: seq + 1, ...own })) as unknown as RunEvent[];
  return {
    header: { scenario: "x", seed: "7" } as RunRecord["header"],
    events,
    footer: { kind: "footer", events: events.length, hash: "h", metrics: computeMetrics(events), broken: [] },
  };
}

function scenarioOf(expectations: readonly string[], more: object = {}): Scenario {
  const input = {
    why: "A scenario of a test.",
    session: { profile: "bugfix", rounds: 10 },
    expect: expectations,
    ...more,
  };
  const [scenario] = defineScenario("scenarios/x.yaml", input as never);
  if (scenario === undefined) throw new Error("no scenario");
  return scenario;
}

const sent = { kind: "request_sent" };
const time = { kind: "microcompact", path: "time" };
const cached = { kind: "microcompact", path: "cached" };
const full = { kind: "compact_succeeded", layer: "full", trigger: "auto", tokensBefore: 9, tokensAfter: 1 };
const memory = { ...full, layer: "session-memory" };
const end = { kind: "run_ended", how: "completed" };
const broken = (invariant: string): object => ({ kind: "invariant_broken", invariant, detail: "for a test" });

test("Y3: what holds passes, and says nothing", () => {
  const scenario = scenarioOf(["ends == completed", "event(microcompact) exactly 1", "compactions{layer:full} == 1"]);
  expect(judge(scenario, recordOf(sent, time, full, end))).toEqual({ kind: "passed", failures: [], sometimes: {} });
});

test("Y6: what does not hold is told with place, expected, got, the events before and the replay command", () => {
  const verdict = judge(scenarioOf(["event(microcompact) at_most 1"]), recordOf(sent, time, sent, cached, sent, end));
  expect(verdict.kind).toBe("expectation-not-met");
  expect(verdict.failures).toMatchObject([
    {
      what: "expectation event(microcompact) at_most 1",
      got: "2",
      turn: 1,
      round: 4,
      before: [{ seq: 0 }, { seq: 1 }, { seq: 2 }, { seq: 3 }],
      replay: "npx longhaul run scenarios/x.yaml --seed 7",
    },
  ]);
});

test("Y6: what never came is told at the end of the run", () => {
  const [failure] = judge(scenarioOf(["event(breaker_opened) at_least 1"]), recordOf(sent, sent, end)).failures;
  expect(failure).toMatchObject({ got: "0", round: 3 });
});

test("Y3: a limit on what never occurred is not met unless it says `or none`", () => {
  const record = recordOf(sent, end);
  expect(judge(scenarioOf(["event(breaker_opened) at_most 1"]), record).failures).toMatchObject([
    { got: "nothing to judge (say `or none` if that is right)" },
  ]);
  expect(judge(scenarioOf(["event(breaker_opened) at_most 1 or none"]), record).kind).toBe("passed");
  expect(judge(scenarioOf(["violations == 0"]), record).kind).toBe("expectation-not-met");
  expect(judge(scenarioOf(["violations == 0 or none"]), record).kind).toBe("passed");
});

test("Y3: an absence that is asked for can be met", () => {
  expect(judge(scenarioOf(["event(breaker_opened) exactly 0"]), recordOf(sent, end)).kind).toBe("passed");
  expect(judge(scenarioOf(["compactions{layer:full} == 0"]), recordOf(sent, memory, end)).kind).toBe("passed");
});

test("Y3: a label picks out events and samples", () => {
  const record = recordOf(sent, time, cached, cached, memory, full, full, end);
  const scenario = scenarioOf([
    "event(microcompact{path:cached}) exactly 2",
    "microcompactions{path:time} == 1",
    "compactions{layer:full} between 2 and 2",
    "compactions == 3",
  ]);
  expect(judge(scenario, record).kind).toBe("passed");
});

test("Y3: invariants are always on, and come before expectations", () => {
  const verdict = judge(
    scenarioOf(["ends == stuck"]),
    recordOf(sent, broken("pairs-whole"), broken("pairs-whole"), end),
  );
  expect(verdict.kind).toBe("invariant-broken");
  expect(verdict.failures.map(({ what, round }) => [what, round])).toEqual([
    ["invariant pairs-whole", 2],
    ["expectation ends == stuck", 4],
  ]);
});

test("Y3: `breaks` passes only if exactly that invariant breaks", () => {
  const scenario = scenarioOf(["ends == completed"], { breaks: ["pairs-whole"] });
  expect(judge(scenario, recordOf(broken("pairs-whole"), end)).kind).toBe("passed");
  expect(judge(scenario, recordOf(sent, end)).failures).toMatchObject([{ what: "breaks pairs-whole", got: "it held" }]);
  expect(judge(scenario, recordOf(broken("pairs-whole"), broken("kept-unchanged"), end)).failures).toMatchObject([
    { what: "invariant kept-unchanged" },
  ]);
});

test("Y4: a rare branch counts as hit only where it occurred", () => {
  const scenario = scenarioOf(["ends == completed"], {
    sometimes: ["event(microcompact) at_least 1", "event(breaker_opened) at_most 1 or none"],
  });
  expect(judge(scenario, recordOf(time, end)).sometimes).toEqual({
    "event(microcompact) at_least 1": true,
    "event(breaker_opened) at_most 1 or none": false,
  });
});
