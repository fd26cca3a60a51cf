import { expect, test } from "vitest";
import { createRng, stableHash } from "../determinism/index.ts";
import type { WireBlock } from "../transcript/index.ts";
import { createWorkload } from "./create-workload.ts";
import type { DryConversation } from "./dry-conversation.ts";
import { converse } from "./dry-conversation.ts";
import type { ProfileName, Workload, WorkloadOverrides } from "./workload.ts";
import { profileNames } from "./workload.ts";

function run(
  profile: ProfileName,
  rounds: number,
  overrides: WorkloadOverrides = {},
): readonly [Workload, DryConversation] {
  const world = createWorkload({ profile, rounds, rng: createRng("profiles"), overrides });
  return [world, converse(world, { mostRounds: rounds * 3, rng: createRng("dry") })];
}

const blocksOf = ({ messages }: DryConversation): readonly WireBlock[] =>
  messages.flatMap(({ content }) => (typeof content === "string" ? [] : content));

test.each(profileNames)("P: %s finishes all goals in about the rounds asked for, and forgets nothing", (profile) => {
  const [world, { rounds, trace }] = run(profile, 150);
  const count = (kind: string): number => trace.filter((entry) => entry.kind === kind).length;
  expect(Math.abs(rounds - 150)).toBeLessThanOrEqual(150 * 0.15);
  expect(count("goal_done")).toBe(world.goals.length);
  for (const kind of ["violation", "refetch", "duplicate_work", "lost_goal", "stale_value"])
    expect([kind, count(kind)]).toEqual([kind, 0]);
});

test("D1: the same options give the same session, byte for byte", () => {
  expect(run("bugfix", 60)[1]).toEqual(run("bugfix", 60)[1]);
  // Frozen: another process, another Node, another day. It changes only when the world is changed on purpose.
  expect(stableHash(JSON.stringify(run("bugfix", 60)[1].messages))).toMatchInlineSnapshot(`"f46e995f0658327b"`);
});

test("P: long-autonomous works for hundreds of rounds without a word from the user", () => {
  const [, { messages, rounds }] = run("long-autonomous", 300);
  const human = messages.filter(
    ({ role, content }) => role === "user" && typeof content !== "string" && content[0]?.type !== "tool_result",
  );
  expect(rounds / human.length).toBeGreaterThan(60);
});

test("P: idle-overnight leaves the session alone for more than an hour, by its second message", () => {
  const [, { actions }] = run("idle-overnight", 100);
  const gaps = actions.flatMap((action) => (action.kind === "wait" ? [action.ms] : []));
  expect(gaps[0]).toBeGreaterThan(3_600_000);
});

test("P: one-huge-result has a result of some 900 000 characters; resultScale makes all results smaller", () => {
  const largest = (conversation: DryConversation): number =>
    Math.max(
      ...blocksOf(conversation).map((block) =>
        block.type === "tool_result" && typeof block.content === "string" ? block.content.length : 0,
      ),
    );
  expect(largest(run("one-huge-result", 200)[1])).toBeGreaterThan(890_000);
  expect(largest(run("bugfix", 200)[1])).toBeGreaterThan(3 * largest(run("bugfix", 200, { resultScale: 0.1 })[1]));
});

test("P: image-heavy has images of the user and of tools; polyglot-cjk has Chinese or Japanese; mcp-heavy calls MCP tools", () => {
  const images = blocksOf(run("image-heavy", 150)[1]);
  expect(images.some(({ type }) => type === "image")).toBe(true);
  expect(images.some(({ type, content }) => type === "tool_result" && Array.isArray(content))).toBe(true);
  expect(/[\u3040-\u30ff\u4e00-\u9fff]{20}/.test(JSON.stringify(run("polyglot-cjk", 150)[1].messages))).toBe(true);
  const calls = blocksOf(run("mcp-heavy", 150)[1]).filter(({ type }) => type === "tool_use");
  expect(calls.filter(({ name }) => String(name).startsWith("mcp__")).length).toBeGreaterThan(calls.length * 0.3);
});

test("P: model-switch goes on with a small window, resumed is loaded again", () => {
  const does = (profile: ProfileName): readonly string[] =>
    createWorkload({ profile, rounds: 300, rng: createRng(3) }).script.map(({ kind }) => kind);
  expect(does("model-switch").filter((kind) => kind === "switch-window")).toHaveLength(1);
  expect(does("resumed").filter((kind) => kind === "resume").length).toBeGreaterThan(1);
});

test("system prompt and tools are as large as asked for", () => {
  for (const overheadTokens of [8000, 20_000, 40_000]) {
    const { system, tools } = createWorkload({
      profile: "bugfix",
      rounds: 20,
      rng: createRng(1),
      overrides: { overheadTokens },
    });
    expect((system.length + JSON.stringify(tools).length) / 3.5 / overheadTokens).toBeCloseTo(1, 1);
  }
});
