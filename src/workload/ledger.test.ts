import { expect, test } from "vitest";
import { createRng } from "../determinism/index.ts";
import type { WireMessage } from "../transcript/index.ts";
import { createWorkload } from "./create-workload.ts";
import { converse } from "./dry-conversation.ts";
import type { Workload } from "./workload.ts";

/** Half of a session, and all texts that it has shown. */
function halfway(): readonly [Workload, readonly WireMessage[], readonly string[]] {
  const world = createWorkload({ profile: "bugfix", rounds: 200, rng: createRng("ledger") });
  const { messages } = converse(world, { mostRounds: 100, rng: createRng("dry") });
  return [world, messages, [JSON.stringify(messages)]];
}

test("O2: what the whole context shows is alive and visible, and nothing of it is lost", () => {
  const [world, , texts] = halfway();
  const { byKind, lost } = world.census(texts);
  expect(lost).toEqual([]);
  for (const { alive, visible } of Object.values(byKind)) expect(visible).toBe(alive);
  for (const kind of ["goal", "current-step", "file-read", "exact-value"])
    expect(byKind[kind]?.alive).toBeGreaterThan(0);
});

test("O2: out of an empty context everything is gone: fetchable, or lost", () => {
  const [world] = halfway();
  const { byKind, lost } = world.census([]);
  let fetchable = 0;
  let alive = 0;
  for (const [kind, counts] of Object.entries(byKind)) {
    expect(counts.visible).toBe(0);
    // The current step is judged by its marks and is no fact of its own.
    if (kind !== "current-step") alive += counts.alive;
    fetchable += counts.fetchable;
  }
  expect(fetchable).toBeGreaterThan(0);
  expect(lost.length + fetchable).toBe(alive);
  for (const id of lost) expect(world.facts.find((fact) => fact.id === id)?.fetchable).toBe(false);
});

test("W2: a fact is born once, when a request first shows it", () => {
  const [world] = halfway();
  const born = world.drainBirths().map(({ id }) => id);
  expect(new Set(born).size).toBe(born.length);
  expect(born.length).toBeGreaterThan(20);
  expect(world.drainBirths()).toEqual([]);
  expect(born.length).toBeLessThan(world.facts.length);
});

test("E: a session of 2 000 rounds needs facts that cannot be fetched again hundreds of times", () => {
  const world = createWorkload({ profile: "long-autonomous", rounds: 2000, rng: createRng("needs") });
  const fetchable = new Map(world.facts.map(({ id, fetchable: can }) => [id, can]));
  const run = converse(world, { mostRounds: 3000, rng: createRng("dry") });
  const needed = run.trace.flatMap((entry) =>
    entry.kind === "fact_needed" && fetchable.get(entry.fact) === false ? [entry.fact] : [],
  );
  expect(needed.length).toBeGreaterThan(500);
});
