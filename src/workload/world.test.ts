import { expect, test } from "vitest";
import { createRng } from "../determinism/index.ts";
import type { WireBlock, WireMessage } from "../transcript/index.ts";
import { createWorkload } from "./create-workload.ts";
import { converse } from "./dry-conversation.ts";
import type { ToolOutcome, Workload } from "./workload.ts";

const workload = (): Workload =>
  createWorkload({ profile: "bugfix", rounds: 200, rng: createRng("world"), overrides: { toolErrors: false } });

interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const session = converse(workload(), { mostRounds: 500, rng: createRng("dry") });
const blocks = session.messages.flatMap(({ content }) =>
  Array.isArray(content) ? (content as readonly WireBlock[]) : [],
);
const calls = blocks.flatMap((block): readonly Call[] => (block.type === "tool_use" ? [block as unknown as Call] : []));
const callsOf = (name: string): readonly Call[] => calls.filter((call) => call.name === name);
const text = (outcome: ToolOutcome): string => String(outcome.content);

test("W1: the tools answer by their input and the state of the world, the same in every copy of it", () => {
  const [one, two] = [workload(), workload()];
  for (const call of calls.slice(0, 60)) expect(one.runTool(call, 0)).toEqual(two.runTool(call, 99));
});

test("W1: an edit changes the file, what Read gives then, and what a test run says", () => {
  const world = workload();
  const edit = callsOf("Edit")[0] as Call;
  const path = String(edit.input.file_path);
  const before = world.readFile(path);
  expect(before).toContain(String(edit.input.old_string));
  expect(world.runTool(edit, 0).isError).toBe(false);
  expect(world.readFile(path)).toBe(
    before?.replace(String(edit.input.old_string), () => String(edit.input.new_string)),
  );
  const read = text(world.runTool({ id: "r", name: "Read", input: { file_path: path } }, 0));
  for (const line of String(edit.input.new_string).split("\n").slice(0, 3)) expect(read).toContain(line);
});

test("W1: an edit made twice is told from one that does not fit", () => {
  const world = workload();
  const edit = callsOf("Edit")[0] as Call;
  world.runTool(edit, 0);
  expect(text(world.runTool({ ...edit, id: "again" }, 0))).toContain("already");
  const unfit = world.runTool(
    { ...edit, id: "unfit", input: { ...edit.input, old_string: "never there", new_string: "nor this" } },
    0,
  );
  expect(unfit.isError).toBe(true);
});

test("W1: every edit of a session that forgets nothing fits", () => {
  expect(blocks.filter((block) => block.type === "tool_result" && block.is_error === true)).toEqual([]);
});

test("W1: the output of a test run depends on the changes made so far", () => {
  const tests = callsOf("Bash").filter(({ input }) => String(input.command).includes("npm test"));
  const outputOf = (world: Workload): readonly string[] => tests.map((call) => text(world.runTool(call, 0)));
  const changed = workload();
  for (const edit of callsOf("Edit")) changed.runTool(edit, 0);
  expect(outputOf(changed)).not.toEqual(outputOf(workload()));
});

test("W1: Read gives numbered lines, and the part that is asked for", () => {
  const world = workload();
  const path = String(callsOf("Read")[0]?.input.file_path);
  const lines = (world.readFile(path) ?? "").split("\n");
  const part = text(world.runTool({ id: "p", name: "Read", input: { file_path: path, offset: 2, limit: 2 } }, 0)).split(
    "\n",
  );
  expect(part).toEqual([`     2→${lines[1]}`, `     3→${lines[2]}`]);
});

test("W1: unknown tools and missing files are error results", () => {
  const world = workload();
  expect(world.runTool({ id: "u", name: "Teleport", input: {} }, 0).isError).toBe(true);
  expect(world.runTool({ id: "m", name: "Read", input: { file_path: "/nowhere" } }, 0).isError).toBe(true);
  expect(world.runTool({ id: "n", name: "Read", input: null }, 0).isError).toBe(true);
  expect(world.readFile("/nowhere")).toBeNull();
});

test("W2: a fact that can be fetched comes back with the call that the model makes for it", () => {
  const world = createWorkload({
    profile: "research",
    rounds: 400,
    rng: createRng("fetch"),
    overrides: { toolErrors: false },
  });
  const fetched = new Map<string, string>();
  const spied: Workload = {
    ...world,
    runTool: (call, nowMs) => {
      const outcome = world.runTool(call, nowMs);
      const again = /^again:(f\d+)$/.exec(String((call.input as { step?: string }).step))?.[1];
      if (again !== undefined) fetched.set(again, String(outcome.content));
      return outcome;
    },
  };
  const run = converse(spied, {
    mostRounds: 1500,
    rng: createRng("dry"),
    show: (messages) => messages.map((message, i) => (i < messages.length - 2 ? withoutResults(message) : message)),
  });
  const kinds = new Set<string>();
  for (const [id, output] of fetched) {
    const fact = world.facts.find((candidate) => candidate.id === id);
    kinds.add(fact?.kind ?? "");
    expect(output).toContain(fact?.token);
  }
  expect(kinds).toContain("tool-detail");
  expect(kinds).toContain("exact-value");
  expect(run.trace.filter(({ kind }) => kind === "violation").length).toBe(0);
});

test("tool latencies and failures are as measured: mostly short, some failing", () => {
  const world = createWorkload({ profile: "bugfix", rounds: 20, rng: createRng("fails") });
  const outcomes = Array.from({ length: 3000 }, (_, i) =>
    world.runTool({ id: `t${i}`, name: "Bash", input: { command: "ls" } }, 0),
  );
  expect(outcomes.filter(({ isError }) => isError).length / 3000).toBeCloseTo(0.0546, 1);
  const latencies = outcomes.map(({ latencyMs }) => latencyMs).sort((a, b) => a - b);
  expect(latencies[1500]).toBeGreaterThan(1400);
  expect(latencies[1500]).toBeLessThan(2200);
});

/** The message with its results cleared; the same message gives the same object. */
const cleared = new WeakMap<WireMessage, WireMessage>();
function withoutResults(message: WireMessage): WireMessage {
  if (typeof message.content === "string") return message;
  const known = cleared.get(message);
  if (known !== undefined) return known;
  const content = message.content.map((block) =>
    block.type === "tool_result" && block.is_error !== true ? { ...block, content: "[cleared]" } : block,
  );
  cleared.set(message, { ...message, content });
  return withoutResults(message);
}
