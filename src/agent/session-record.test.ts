import { expect, test } from "vitest";
import type { Reply } from "../testing/index.ts";
import { aBoundary, anAssistant, aResultMessage, aToolUse, aUser, driveAgent } from "../testing/index.ts";
import type { SessionRecord } from "./index.ts";
import { restoreSession } from "./index.ts";
import { interruptedText } from "./interrupted.ts";

const say = (text: string) => ({ type: "text", text }) as const;
const done: Reply = { kind: "message", content: [say("Done.")] };
const restore = (...records: readonly SessionRecord[]) => {
  let ids = 0;
  return restoreSession(records, () => `new-${++ids}`, 77);
};
const opening = aUser("go", { uuid: "u" });
const started = { kind: "turn-started", turn: 3, opening } as const;
const round = { kind: "round", round: 9 } as const;
const part = anAssistant([aToolUse("t1", "Read", {})], { id: "m1", uuid: "a1", stopReason: null });
const second = anAssistant([aToolUse("t2", "Read", {})], { id: "m1", uuid: "a2", stopReason: null });
const result = aResultMessage("t1", "content", { uuid: "r1" });
const arrived = (message: typeof part | typeof result): SessionRecord => ({ kind: "arrived", message });

test("nothing recorded is an empty session", () => {
  expect(restore()).toMatchObject({
    turn: 0,
    round: 0,
    unfinished: false,
    opening: null,
    waiting: [],
    kept: [],
    strategyState: null,
    owesAfterResponse: false,
  });
});

test("what was said is kept, whether or not it has reached the conversation", () => {
  const queued = { kind: "queued", message: aUser("and this", { uuid: "q" }) } as const;
  const before = restore(started, queued, round);
  expect(before).toMatchObject({ turn: 3, unfinished: true, opening: { uuid: "u" }, waiting: [{ uuid: "q" }] });
  const after = restore(started, queued, round, { kind: "appended", messages: [opening, queued.message] });
  expect(after).toMatchObject({ opening: null, waiting: [] });
  expect(after.conversation.log().map(({ uuid }) => uuid)).toEqual(["u", "q"]);
});

test("an answer under way whose tools had started is kept, with what its tools gave; open calls count as interrupted", () => {
  const { kept, round: at, startedCalls } = restore(started, round, arrived(part), arrived(result), arrived(second));
  expect(kept.map(({ uuid }) => uuid)).toEqual(["a1", "r1", "a2", "new-1"]);
  expect(kept[3]).toMatchObject({
    timestamp: 77,
    content: [{ tool_use_id: "t2", content: interruptedText, is_error: true }],
  });
  expect(at).toBe(9);
  expect([...startedCalls]).toEqual(["t1", "t2"]);
});

test("an answer under way of which no tool had started is asked for anew", () => {
  const text = anAssistant("Half", { id: "m1", uuid: "a1", stopReason: null });
  expect(restore(started, round, { kind: "arrived", message: text })).toMatchObject({ kept: [], round: 0 });
});

test("an answer that was thrown away stays away", () => {
  expect(restore(started, round, arrived(part), { kind: "answer-dropped" }).kept).toEqual([]);
});

test("an answer that had ended keeps its end, on its last part alone, and the strategy is still to be told", () => {
  const usage = { input_tokens: 5, output_tokens: 6 };
  const ended = { kind: "answer-ended", stopReason: "tool_use", usage } as const;
  const { kept, owesAfterResponse } = restore(started, round, arrived(part), arrived(second), ended, arrived(result));
  expect(kept.slice(0, 2)).toMatchObject([{ stopReason: null }, { stopReason: "tool_use", usage }]);
  expect(owesAfterResponse).toBe(true);
});

test("what a strategy answered and remembers comes back as one", () => {
  const appended = { kind: "appended", messages: [opening, part, result] } as const;
  const answered = {
    kind: "answered",
    edits: [{ kind: "clear", toolUseIds: ["t1"], marker: "-" }],
    state: { n: 1 },
  } as const;
  const { conversation, strategyState, owesAfterResponse } = restore(started, round, appended, answered);
  expect(conversation.projection()[2]).toMatchObject({ content: [{ content: "-" }] });
  expect(conversation.latestChangeUuid()).toBe("r1");
  expect(strategyState).toEqual({ n: 1 });
  expect(owesAfterResponse).toBe(false);
});

test("what was said while a manual compaction ran, and then opened a turn, is said once", () => {
  const queued = { kind: "queued", message: opening } as const;
  expect(restore(queued)).toMatchObject({ waiting: [{ uuid: "u" }], opening: null, unfinished: false });
  const other = { kind: "queued", message: aUser("more", { uuid: "m" }) } as const;
  expect(restore(queued, other, started)).toMatchObject({ waiting: [{ uuid: "m" }], opening: { uuid: "u" } });
  expect(restore(other, { ...started, opening: null })).toMatchObject({ waiting: [{ uuid: "m" }], opening: null });
  const elsewhere = { kind: "appended", messages: [aUser("x", { uuid: "x" })] } as const;
  expect(restore(queued, other, started, elsewhere)).toMatchObject({
    waiting: [{ uuid: "m" }],
    opening: { uuid: "u" },
  });
});

test("an answer ends being under way when it is appended, with or without what follows it; what a person said ends nothing", () => {
  const said = { kind: "appended", messages: [opening] } as const;
  expect(restore(started, round, arrived(part), said).kept.map(({ uuid }) => uuid)).toEqual(["a1", "new-1"]);
  expect(restore(started, round, said)).toMatchObject({ round: 0, owesAfterResponse: false });
  const answered = { kind: "appended", messages: [part, result] } as const;
  expect(restore(started, round, arrived(part), answered)).toMatchObject({
    kept: [],
    round: 9,
    owesAfterResponse: false,
  });
  const ended = { kind: "appended", messages: [{ ...part, stopReason: "tool_use" }, result] } as const;
  expect(restore(started, round, arrived(part), ended)).toMatchObject({ kept: [], owesAfterResponse: true });
  // The end of one answer is not that of the next.
  const end = { kind: "answer-ended", stopReason: "tool_use", usage: null } as const;
  const next = restore(started, round, arrived(part), end, answered, arrived(second));
  expect(next.kept).toMatchObject([{ uuid: "a2", stopReason: null }, {}]);
  expect(
    restore(started, round, arrived(part), end, { kind: "answer-dropped" }, arrived(second)).kept[0],
  ).toMatchObject({
    stopReason: null,
  });
});

test("of an answer under way only calls want a result; boundaries and texts have none", () => {
  const text = anAssistant("Look.", { id: "m1", uuid: "a0", stopReason: null });
  const { kept, startedCalls } = restore(
    { kind: "appended", messages: [opening, aBoundary({ uuid: "b" })] },
    arrived(text),
    arrived(part),
    arrived(result),
  );
  expect(kept.map(({ uuid }) => uuid)).toEqual(["a0", "a1", "r1"]);
  expect([...startedCalls]).toEqual(["t1"]);
});

test("a strategy's answer without edits changes nothing but what it remembers", () => {
  const { conversation, strategyState } = restore(
    { kind: "appended", messages: [opening] },
    { kind: "answered", edits: [], state: 5 },
  );
  expect([conversation.rewrites(), strategyState]).toEqual([0, 5]);
  expect(() => restore({ kind: "forgotten" } as never)).toThrow();
});

test("a new turn in the place of one that was cut off says first what was said then", async () => {
  const records: SessionRecord[] = [];
  await driveAgent(
    [done],
    async ({ agent, server }) => {
      await agent.turn("and this");
      expect(server.requests[0]?.messages).toMatchObject([{ content: [{ text: "go" }, { text: "and this" }] }]);
      expect(await agent.resume()).toBeNull();
    },
    { resume: [started, round], store: { append: (record) => records.push(record) } },
  );
  expect(records.map(({ kind }) => kind)).toEqual([
    "queued",
    "appended",
    "turn-started",
    "round",
    "appended",
    "arrived",
    "answer-ended",
    "appended",
    "turn-ended",
  ]);
});

test("a turn whose last answer had come ends without another request", async () => {
  const end = anAssistant("All done.", { id: "m1", uuid: "a1" });
  const appended = { kind: "appended", messages: [opening, end] } as const;
  await driveAgent(
    [],
    async ({ agent, server }) => {
      expect(await agent.resume()).toEqual({ kind: "completed", rounds: 0, text: "All done." });
      expect(server.requests).toHaveLength(0);
      expect(agent.turns).toBe(3);
    },
    { resume: [started, round, appended] },
  );
});

test("there is nothing to resume after a turn that ended", async () => {
  await driveAgent([], async ({ agent }) => expect(await agent.resume()).toBeNull(), {
    resume: [started, { kind: "turn-ended" }],
  });
});
