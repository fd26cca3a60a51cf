import fc from "fast-check";
import { expect, test } from "vitest";
import {
  aBoundary,
  anAssistant,
  aResultMessage,
  aToolResult,
  aToolUse,
  aUser,
  disorderedTranscript,
  inOrder,
} from "../../testing/index.ts";
import { roughEstimator, roughTokenSum } from "../../tokens/index.ts";
import type { Block, Message } from "../../transcript/index.ts";
import { defaultConfig } from "../config.ts";
import { clearResults } from "./clear-results.ts";
import { idsForTimeClearing, planTimeClearing } from "./time-clearing.ts";

const config = defaultConfig.micro;
const marker = "[Old tool result content cleared]";
const minute = 60_000;

/** A session of calls of one tool after the other, a second between messages. */
function session(tools: readonly string[], output = "x".repeat(400)): readonly Message[] {
  const rounds = tools.flatMap((tool, i) => [
    anAssistant([aToolUse(`t${i}`, tool)], { id: `msg_${i}` }),
    aResultMessage(`t${i}`, output),
  ]);
  return inOrder([aUser("Look at these files."), ...rounds]);
}

const reads = (count: number) => session(Array.from({ length: count }, () => "Read"));
const lastAnswer = (messages: readonly Message[]) =>
  messages.findLast(({ kind }) => kind === "assistant")?.timestamp ?? 0;

function plan(messages: readonly Message[], minutesLater: number, over: Partial<typeof config.timeBased> = {}) {
  const timeBased = { ...config.timeBased, ...over };
  return planTimeClearing(
    messages,
    lastAnswer(messages) + minutesLater * minute,
    { ...config, timeBased },
    roughEstimator,
  );
}

test("MC2: after more than 60 minutes all but the newest five compactable results are cleared, with exactly the marker", () => {
  const messages = reads(8);
  const clearing = plan(messages, 60.001);
  expect(clearing?.toolUseIds).toEqual(["t0", "t1", "t2"]);
  const after = clearResults(messages, new Set(clearing?.toolUseIds), config.marker);
  const contents = after.flatMap((message) =>
    message.kind === "user"
      ? message.content.flatMap((block) => (block.type === "tool_result" ? [block.content] : []))
      : [],
  );
  expect(contents.slice(0, 3)).toEqual([marker, marker, marker]);
  expect(contents.slice(3)).toEqual(Array(5).fill("x".repeat(400)));
});

test("MC2: at exactly 60 minutes, or with no answer in the live part, nothing is cleared", () => {
  expect(plan(reads(8), 60)).toBeNull();
  expect(plan(inOrder([aUser("Hello")]), 600)).toBeNull();
  expect(plan([...reads(8), aBoundary({ uuid: "b" }), aUser("Go on.")], 600)).toBeNull();
});

test("MC2: switched off, it clears nothing", () => {
  expect(plan(reads(8), 61, { enabled: false })).toBeNull();
});

test("MC2: at least one result stays, whatever is asked for", () => {
  expect(plan(reads(3), 61, { keepRecent: 0 })?.toolUseIds).toEqual(["t0", "t1"]);
});

test("MC1: an agent's, a skill's and an MCP tool's results are never cleared, and do not count as kept", () => {
  const tools = ["Agent", "Read", "Skill", "Bash", "mcp__db__query", "Grep"];
  expect(plan(session(tools), 61, { keepRecent: 1 })?.toolUseIds).toEqual(["t1", "t3"]);
});

test("MC1: each tool of the set is cleared, and the set is config", () => {
  const tools = ["Read", "Bash", "Grep", "Glob", "WebSearch", "WebFetch", "Edit", "Write"];
  expect(plan(session([...tools, "Read"]), 61, { keepRecent: 1 })?.toolUseIds).toHaveLength(tools.length);
  const only = { ...config, compactableTools: ["Agent"] };
  const messages = session(["Agent", "Read", "Agent"]);
  const later = lastAnswer(messages) + 61 * minute;
  const timeBased = { ...only.timeBased, keepRecent: 1 };
  expect(planTimeClearing(messages, later, { ...only, timeBased }, roughEstimator)?.toolUseIds).toEqual(["t0"]);
});

test("MC2: what is cleared already is not counted again, and clearing it again gives the same array", () => {
  const messages = reads(8);
  const ids = new Set(plan(messages, 61)?.toolUseIds);
  const once = clearResults(messages, ids, marker);
  expect(plan(once, 61)).toBeNull();
  expect(clearResults(once, ids, marker)).toBe(once);
});

test("MC2: tool calls, ids and error flags stay; messages without a cleared result are the same objects", () => {
  const messages = reads(7);
  const after = clearResults(messages, new Set(["t0"]), marker);
  const changed = after.filter((message, i) => message !== messages[i]);
  expect(changed).toEqual([{ ...messages[2], content: [{ type: "tool_result", tool_use_id: "t0", content: marker }] }]);
});

test("MC2: nothing behind the last boundary is touched", () => {
  const behind = reads(8);
  const messages = [...behind, aBoundary({ uuid: "b" }), ...session(["Read", "Read"]).slice(1)];
  const clearing = plan(messages, 61, { keepRecent: 1 });
  expect(clearing?.freedAt.every(({ index }) => index > behind.length)).toBe(true);
});

test("MC2, M6: a result that stands on both sides of the boundary is cleared in the live part only", () => {
  const once = reads(2);
  const messages = [...once, aBoundary({ uuid: "b" }), ...once];
  const after = clearResults(messages, new Set(["t0"]), marker);
  expect(after.slice(0, 6)).toEqual(messages.slice(0, 6));
  expect(after[8]).toMatchObject({ content: [{ type: "tool_result", content: marker }] });
});

test("MC5: the tokens freed are what the estimate gets smaller by, message by message, on any transcript, and nothing throws", () => {
  fc.assert(
    fc.property(disorderedTranscript(), fc.integer({ min: 1, max: 4 }), (messages, keepRecent) => {
      const clearing = plan(messages, 61, { keepRecent });
      const after = clearResults(messages, new Set(clearing?.toolUseIds), marker);
      expect(clearing?.tokensFreed ?? 0).toBe(roughTokenSum(messages) - roughTokenSum(after));
      expect(clearing?.freedAt.map(({ index }) => index) ?? []).toEqual(
        after.flatMap((message, i) => (message === messages[i] ? [] : [i])),
      );
    }),
  );
});

test("MC2: without an answer in the live part there is no gap; an answer that stands first has one", () => {
  const late = (messages: readonly Message[]) => idsForTimeClearing(messages, 1_000 * minute, config);
  expect(late(inOrder([aUser("Hello")]))).toBeNull();
  expect(late([...reads(8), aBoundary({ uuid: "b" }), aUser("Go on.")])).toBeNull();
  expect(late(reads(8).slice(1, 2))).toEqual(new Set());
});

test("MC2: of two results in one message the named one is cleared, the other is the same object", () => {
  const both = aUser([aToolResult("t0", "old"), aToolResult("t1", "new")]);
  const [after] = clearResults([both], new Set(["t0"]), marker);
  expect(after).toEqual({ ...both, content: [aToolResult("t0", marker), both.content[1]] });
});

test("MC1: a block that only looks like a call or a result is neither counted nor cleared", () => {
  const foreignCall = {
    type: "mcp_tool_use",
    id: "far",
    name: "Read",
    server_name: "db",
    input: {},
  } as unknown as Block;
  const foreignResult = { type: "mcp_tool_result", tool_use_id: "t0", content: [] } as unknown as Block;
  const messages = inOrder([...reads(1), anAssistant([foreignCall]), aUser([foreignResult])]);
  expect(plan(messages, 61, { keepRecent: 1 })).toBeNull();
  expect(clearResults(messages.slice(3), new Set(["t0"]), marker)).toEqual(messages.slice(3));
});
