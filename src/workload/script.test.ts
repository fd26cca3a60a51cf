import { expect, test } from "vitest";
import { createRng } from "../determinism/index.ts";
import { createWorkload } from "./create-workload.ts";
import type { UserAction, Workload, WorkloadOverrides } from "./workload.ts";

function workload(overrides: WorkloadOverrides = {}, rounds = 3000): Workload {
  return createWorkload({ profile: "bugfix", rounds, rng: createRng("user"), overrides });
}

const { script } = workload();
const says = (actions: readonly UserAction[]): readonly (UserAction & { readonly kind: "say" })[] =>
  actions.filter((action) => action.kind === "say");
const textOf = (action: UserAction & { readonly kind: "say" }): string =>
  action.content.map((block) => (block.type === "text" ? block.text : "")).join("");

test("M6: every goal is given once, in a message that holds its token and its facts", () => {
  const world = workload();
  expect(says(world.script).flatMap(({ goals }) => goals)).toEqual(world.goals.map(({ id }) => id));
  for (const action of says(world.script)) {
    for (const id of action.goals) expect(textOf(action)).toContain(world.goals.find((goal) => goal.id === id)?.token);
  }
});

test("M6: the user waits before each message but the first; 20 to 38 % of the gaps are over 5 minutes, 3 to 10 % over an hour", () => {
  expect(script[0]?.kind).toBe("say");
  const gaps = script.flatMap((action) => (action.kind === "wait" ? [action.ms / 60_000] : []));
  expect(gaps).toHaveLength(says(script).length - 1);
  const over = (minutes: number): number => gaps.filter((gap) => gap > minutes).length / gaps.length;
  expect(over(5)).toBeGreaterThan(0.2);
  expect(over(5)).toBeLessThan(0.38);
  expect(over(60)).toBeGreaterThan(0.03);
  expect(over(60)).toBeLessThan(0.1);
});

test("M6: the user corrects values, aborts, pastes long text and images, and runs /compact", () => {
  const world = workload();
  const corrections = world.facts.filter(({ supersededBy }) => supersededBy !== null);
  const texts = says(world.script).map(textOf);
  for (const { supersededBy } of corrections) {
    const token = world.facts.find(({ id }) => id === supersededBy)?.token ?? "";
    expect(texts.some((text) => text.includes(`No, not that: it has to be ${token}`))).toBe(true);
  }
  expect(corrections.length).toBeGreaterThan(3);
  expect(says(script).some(({ abortAfterMs }) => abortAfterMs !== undefined)).toBe(true);
  expect(Math.max(...texts.map(({ length }) => length))).toBeGreaterThan(5000);
  expect(says(script).some(({ content }) => content.some(({ type }) => type === "image"))).toBe(true);
  expect(script.some(({ kind }) => kind === "compact")).toBe(true);
});

test("M6: gaps, aborts and /compact can be set by hand", () => {
  const calm = workload({ aborts: false, manualCompact: false, gapsMs: { "2": 3_660_000 } }).script;
  expect(calm.some(({ kind }) => kind === "compact")).toBe(false);
  expect(says(calm).every(({ abortAfterMs }) => abortAfterMs === undefined)).toBe(true);
  expect(calm.find(({ kind }) => kind === "wait")).toEqual({ kind: "wait", ms: 3_660_000 });
});

test("M6: the user asks again for what is left, and gives up in the end", () => {
  const world = workload({}, 60);
  let action = world.user.next(null);
  if (action?.kind !== "say") throw new Error("the first action is a message");
  const messages = [{ role: "user" as const, content: [...action.content] as never }];
  world.model(
    { model: "m", max_tokens: 100, system: world.system, tools: world.tools, messages },
    { source: "main", rng: createRng(1), nowMs: 0 },
  );
  let nudges = 0;
  for (let i = 0; i < 500 && action !== null; i++) {
    action = world.user.next("Shall I go on?");
    if (action?.kind === "say" && action.why === "nudge") nudges++;
  }
  expect(action).toBeNull();
  expect(nudges).toBeGreaterThan(3);
});
