import { expect, test } from "vitest";
import type { AskReply, AskRequest } from "../../compaction/index.ts";
import {
  aBoundary,
  aModel,
  anAssistant,
  aResultMessage,
  aToolUse,
  aUsage,
  aUser,
  createVirtualClock,
} from "../../testing/index.ts";
import type { Message } from "../../transcript/index.ts";
import { createStrategy, strategyNames } from "./by-name.ts";
import { clearToolResults } from "./clear-tool-results.ts";
import { dropOldest } from "./drop-oldest.ts";
import type { Strategy, StrategyPorts, View } from "./port.ts";
import { nothing } from "./port.ts";
import { summarizeOnly } from "./summarize-only.ts";
import { replaceBySummary, summaryInstruction, summaryOf } from "./summary-edit.ts";
import { truncateOldest } from "./truncate-oldest.ts";
import { actingLine, viewTokens } from "./view-tokens.ts";

/** A round that weighs about `tokens` by the padded estimate: its result has three quarters of them, four characters each. */
const round = (i: number, tokens = 1_000): readonly Message[] => [
  anAssistant([aToolUse(`t${i}`, "Read", {})], { id: `m${i}`, uuid: `a${i}` }),
  aResultMessage(`t${i}`, "x".repeat(tokens * 3), { uuid: `r${i}` }),
];
const human = aUser("Read everything.", { uuid: "u" });
const talk = (rounds: number, tokens?: number): readonly Message[] => [
  human,
  ...Array.from({ length: rounds }, (_, i) => round(i, tokens)).flat(),
];

/** A window of 60 000: the acting line stands at 27 000. */
const seen = (projection: readonly Message[], fields: Partial<View> = {}): View => ({
  log: projection,
  projection,
  pending: null,
  pins: [],
  limits: { window: 60_000, maxOutput: 64_000, requestMaxTokens: 8_000 },
  lastUsage: null,
  overhead: { system: 300, tools: 200 },
  model: aModel("claude-opus-4-5"),
  previousModel: null,
  turn: 1,
  round: 1,
  nowMs: 7,
  signal: new AbortController().signal,
  ...fields,
});

const answered = (text: string, stopReason: string | null = "end_turn"): AskReply => ({
  kind: "answer",
  text,
  stopReason,
  toolCalls: [],
  usage: null,
});

function sit(strategy: Strategy, reply: AskReply = answered("<summary>short</summary>")) {
  const asked: AskRequest[] = [];
  let ids = 0;
  const ports: StrategyPorts = {
    ask: async (request) => {
      asked.push(request);
      return reply;
    },
    clock: createVirtualClock(0),
    uuid: () => `new${++ids}`,
    read: async () => null,
    spill: () => "",
    background: () => {
      throw new Error("no strategy of these works in the background");
    },
    state: { get: () => null, set: () => {} },
    emit: () => {},
  };
  return { session: strategy.start(ports), asked };
}

const uuidsOf = (messages: readonly Message[]) => messages.map(({ uuid }) => uuid);
const tooLong = { class: "overflow", text: "too long", tokens: 62_000, limit: 60_000 } as const;

test("AC1, AC2: the acting line is the window without the reserve for a summary and 13 000", () => {
  expect(actingLine(seen([]))).toBe(27_000);
  expect(actingLine(seen([], { limits: { window: 60_000, maxOutput: 8_000, requestMaxTokens: 8_000 } }))).toBe(39_000);
});

test("T5: a request is measured by the last exact figure while it holds, else by the estimate of what stands after the boundary", () => {
  const messages = talk(2);
  // 2 000 for the results, 2 for each call, 5 1/3 for what the person said: rounded up, and 500 before them.
  expect(viewTokens(seen(messages))).toBe(2_510);
  expect(viewTokens(seen([...talk(9), aBoundary(), ...messages]))).toBe(2_510);
  expect(viewTokens(seen(messages, { pending: human }))).toBe(2_510 + 6);
  const exact = anAssistant("Done.", { uuid: "end", usage: aUsage({ input_tokens: 9_000, output_tokens: 50 }) });
  const usage = exact.usage ?? aUsage();
  const last = { usage, messageUuid: "end", olderThanLastEdit: false };
  const told = seen([...messages, exact], { lastUsage: last });
  expect(viewTokens(told)).toBe(9_050);
  expect(viewTokens({ ...told, pending: human })).toBe(9_056);
  expect(viewTokens({ ...told, lastUsage: { ...last, olderThanLastEdit: true } })).toBe(2_511);
});

test("ST6: a stated drop takes whole rounds from the oldest on, says so, and keeps the newest human message", () => {
  const messages = talk(5);
  let ids = 0;
  const edit = dropOldest(seen(messages), 1_600, () => `new${++ids}`);
  expect(edit).toEqual({
    kind: "replace",
    from: 0,
    to: 7,
    messages: [
      {
        kind: "boundary",
        uuid: "new1",
        timestamp: 7,
        trigger: "drop",
        tokensBefore: 5_516,
        tokensAfter: 5_516 - 3_012,
        messagesSummarized: 7,
        lastUuidBefore: "r4",
        keptUuids: ["u", "a3", "r3", "a4", "r4"],
      },
      {
        kind: "user",
        uuid: "new2",
        timestamp: 7,
        isMeta: true,
        content: [{ type: "text", text: expect.stringContaining("left out to make room") }],
      },
      human,
    ],
  });
  const late = aUser("And now?", { uuid: "late" });
  const again = dropOldest(seen([aBoundary(), ...messages, late]), 1, () => "new");
  expect(again).toMatchObject({ from: 0, to: 2, messages: [{ messagesSummarized: 1, keptUuids: { length: 11 } }, {}] });
  expect(again?.kind === "replace" && again.messages).toHaveLength(2);
  expect(dropOldest(seen(messages), 1_000_000, () => "new")).toMatchObject({ to: 9 });
  expect(dropOldest(seen([human]), 1, () => "new")).toBeNull();
  expect(dropOldest(seen(messages), 0, () => "new")).toBeNull();
});

test("truncate-oldest acts at the line, down to its share of it; when refused by the gap or a fifth; on command by half", async () => {
  const { session } = sit(truncateOldest(50));
  expect(await session.beforeRequest?.(seen(talk(26)), "first-of-turn")).toBe(nothing);
  const full = seen(talk(27));
  const answer = await session.beforeRequest?.(full, "in-tool-loop");
  // 27 542 tokens, down to 13 500: nineteen rounds of 751 by the plain sum are the first to reach 14 042.
  expect(answer).toMatchObject({ status: { kind: "done" }, edits: [{ from: 0, to: 39 }], next: { kind: "send" } });
  const refused = await session.onRejected?.(full, tooLong, 1);
  expect(refused).toMatchObject({ status: { kind: "done" }, edits: [{ to: 17 }], next: { kind: "retry" } });
  const far = await session.onRejected?.(full, { ...tooLong, tokens: 70_000 }, 1);
  expect(far).toMatchObject({ edits: [{ to: 29 }] });
  expect(await session.onRejected?.(full, { class: "overflow", text: "?" }, 1)).toMatchObject({ edits: [{ to: 17 }] });
  expect(await session.onCommand?.(full, "")).toMatchObject({ edits: [{ to: 39 }], next: { kind: "send" } });
  const one = await session.onRejected?.(seen([human]), tooLong, 1);
  expect(one).toEqual({ ...nothing, status: { kind: "failed", reason: "only one round is left" } });
});

test("truncate-oldest keeps three fifths of the line unless told otherwise", async () => {
  const { session } = sit(truncateOldest());
  expect(await session.beforeRequest?.(seen(talk(27)), "first-of-turn")).toMatchObject({ edits: [{ to: 33 }] });
});

test("clear-tool-results clears all results but the newest, at the line, when refused, and on command", async () => {
  const { session } = sit(clearToolResults(3));
  expect(await session.beforeRequest?.(seen(talk(26)), "first-of-turn")).toBe(nothing);
  const cleared = await session.beforeRequest?.(seen([...talk(2), aBoundary(), ...talk(27)]), "first-of-turn");
  expect(cleared).toMatchObject({ status: { kind: "done" }, next: { kind: "send" } });
  const [edit] = cleared?.edits ?? [];
  if (edit?.kind !== "clear") throw new Error("nothing is cleared");
  expect(edit.toolUseIds).toEqual(Array.from({ length: 24 }, (_, i) => `t${i}`));
  const left = [...talk(1), aResultMessage("t9", edit.marker, { uuid: "r9" }), ...round(10)];
  expect(await session.onRejected?.(seen(left), tooLong, 1)).toMatchObject({
    edits: [{ toolUseIds: ["t0"], marker: expect.stringContaining("left out to make room") }],
    next: { kind: "retry" },
  });
  expect(await session.onCommand?.(seen(talk(4)), "")).toMatchObject({
    edits: [{ toolUseIds: ["t0"] }],
    next: { kind: "send" },
  });
  expect(await session.onCommand?.(seen(talk(3)), "")).toBe(nothing);
  const five = sit(clearToolResults()).session;
  expect(await five.onCommand?.(seen(talk(6)), "")).toMatchObject({ edits: [{ toolUseIds: ["t0"] }] });
});

test("summarize-only puts one summary and the newest human message in the place of all", async () => {
  const { session, asked } = sit(summarizeOnly);
  expect(await session.beforeRequest?.(seen(talk(26)), "first-of-turn")).toBe(nothing);
  expect(asked).toEqual([]);
  const old = [...talk(2), aBoundary()];
  const full = seen([...old, ...talk(27)]);
  const answer = await session.beforeRequest?.(full, "first-of-turn");
  expect(asked).toMatchObject([
    {
      purpose: "compact",
      system: "same",
      tools: "same",
      thinking: "same",
      cacheEdits: "same",
      model: "main",
      maxOutput: 20_000,
      instruct: summaryInstruction(""),
      signal: full.signal,
    },
  ]);
  expect(uuidsOf(asked[0]?.messages ?? [])).toEqual(uuidsOf(talk(27)));
  expect(answer).toMatchObject({
    status: { kind: "done" },
    next: { kind: "send" },
    edits: [{ kind: "replace", from: 0, to: 61, messages: [{ kind: "boundary" }, { isCompactSummary: true }, human] }],
  });
  expect(await session.onRejected?.(full, tooLong, 1)).toMatchObject({ edits: [{ to: 61 }], next: { kind: "retry" } });
  expect(await session.onCommand?.(full, "the parser")).toMatchObject({ edits: [{ to: 61 }], next: { kind: "send" } });
  expect(asked[2]?.instruct).toBe(summaryInstruction("the parser"));
  expect(asked[2]?.instruct).toBe(`${summaryInstruction("")}\n\nGive most room to this: the parser`);
});

test("summarize-only says why it has no summary, and changes nothing", async () => {
  const outcome = async (reply: AskReply) => sit(summarizeOnly, reply).session.onCommand?.(seen(talk(27)), "");
  const failed = (reason: string) => ({ ...nothing, status: { kind: "failed", reason } });
  expect(await outcome({ kind: "aborted" })).toEqual(failed("aborted"));
  expect(await outcome({ kind: "error", error: tooLong })).toEqual(failed("overflow"));
  expect(await outcome(answered(" "))).toEqual(failed("empty"));
  expect(await outcome(answered("<summary>half", "max_tokens"))).toEqual(failed("the summary was cut short"));
  const inflated = { kind: "inflated", reason: "the summary is no smaller" };
  expect(await outcome(answered("y".repeat(120_000)))).toEqual({ ...nothing, status: inflated });
});

test("FC3: a summary is a text that ended by itself, and no tool was called", () => {
  expect(summaryOf(answered("<summary>a</summary>"))).toEqual({ kind: "summary", text: "Summary:\na" });
  expect(summaryOf(answered("a", "stop_sequence"))).toEqual({ kind: "summary", text: "a" });
  expect(summaryOf(answered("a", null))).toEqual({ kind: "none", reason: "the summary was cut short" });
  const calls = { ...answered("a"), toolCalls: [aToolUse("t", "Read", {})] } as AskReply;
  expect(summaryOf(calls)).toEqual({ kind: "none", reason: "a tool call in place of a summary" });
});

test("FC9, AC8: the boundary of a summary says what it stands for, and a summary that is no smaller is none", () => {
  let ids = 0;
  const edit = replaceBySummary(seen(talk(3)), "In short.", () => `new${++ids}`);
  expect(edit).toMatchObject({
    from: 0,
    to: 7,
    messages: [
      {
        kind: "boundary",
        uuid: "new2",
        timestamp: 7,
        trigger: "auto",
        tokensBefore: 3_512,
        tokensAfter: 535,
        messagesSummarized: 6,
        lastUuidBefore: "r2",
        keptUuids: ["u"],
      },
      { kind: "user", uuid: "new1", timestamp: 7, isCompactSummary: true },
      { uuid: "u" },
    ],
  });
  const [, summary] = edit?.kind === "replace" ? edit.messages : [];
  expect(summary).toMatchObject({
    content: [{ type: "text", text: expect.stringMatching(/earlier part.*\n\nIn short\.$/s) }],
  });
  const nobody = replaceBySummary(seen(round(0)), "In short.", () => "new");
  expect(nobody).toMatchObject({ messages: [{ keptUuids: [], messagesSummarized: 2 }, { isCompactSummary: true }] });
  // The same size is no smaller.
  const made = Array.from({ length: 80 }, (_, i) =>
    replaceBySummary(seen([human, ...round(0, i)]), "In short.", () => "new"),
  );
  const sizes = made.flatMap((each) =>
    each?.kind === "replace" && each.messages[0]?.kind === "boundary" ? [each.messages[0]] : [],
  );
  expect(sizes.length).toBeGreaterThan(10);
  expect(sizes.length).toBeLessThan(80);
  expect(sizes.filter(({ tokensBefore, tokensAfter }) => tokensAfter >= tokensBefore)).toEqual([]);
  expect(sizes[0]?.tokensAfter).toBe((sizes[0]?.tokensBefore ?? 0) - 1);
});

test("ST5: each strategy is known by its name", () => {
  expect(strategyNames.map((name) => createStrategy(name).name)).toEqual([...strategyNames]);
  expect(() => createStrategy("best" as never)).toThrow();
});
