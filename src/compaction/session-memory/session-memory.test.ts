import { expect, test } from "vitest";
import type { VirtualClock } from "../../testing/index.ts";
import { aBoundary, aModel, anAssistant, aToolUse, aUser, createVirtualClock, inOrder } from "../../testing/index.ts";
import { roughEstimator } from "../../tokens/index.ts";
import type { Message } from "../../transcript/index.ts";
import { defaultConfig } from "../config.ts";
import type { CompactionContext, CompactorPorts } from "../context.ts";
import type { CompactionFact } from "../events.ts";
import type { AskRequest } from "../ports.ts";
import { freshMeter } from "./extraction-trigger.ts";
import { writeNotes } from "./notes-template.ts";
import type { SessionMemory } from "./session-memory.ts";
import { createSessionMemory, liveIndexOf } from "./session-memory.ts";

const context: CompactionContext = {
  model: aModel("claude-sonnet-4-6"),
  overheadTokens: 0,
  querySource: "main",
  turn: 1,
  round: 1,
  requestMaxTokens: 8_000,
  autonomous: false,
};
const messages = inOrder<Message>([aUser("Go."), anAssistant("Done.")]);
const earlier = writeNotes(new Map([["Worklog", "Earlier."]]));
const later = writeNotes(new Map([["Worklog", "Later."]]));

interface Desk {
  readonly memory: SessionMemory;
  readonly clock: VirtualClock;
  readonly asked: AskRequest[];
  readonly facts: CompactionFact[];
  /** Looks at a context of 12 345 tokens, and begins notes over these messages. */
  start(over?: readonly Message[]): void;
}

function sit<T>(
  extractionMs: number,
  body: (desk: Desk) => Promise<T>,
  ports: Partial<CompactorPorts> = {},
): Promise<T> {
  const clock = createVirtualClock(0);
  const asked: AskRequest[] = [];
  const facts: CompactionFact[] = [];
  const all: CompactorPorts = {
    clock,
    ids: { uuid: () => "made" },
    estimator: roughEstimator,
    emit: (fact) => facts.push(fact),
    ask: async (request) => {
      asked.push(request);
      await clock.sleep(extractionMs);
      return { kind: "answer", text: `<notes>${later}</notes>`, stopReason: "end_turn", toolCalls: [], usage: null };
    },
    ...ports,
  };
  const memory = createSessionMemory(defaultConfig.sessionMemory, all, {
    notes: earlier,
    lastSummarizedUuid: "before",
    meter: freshMeter,
  });
  let tokens = 0;
  const start = (over: readonly Message[] = messages): void => {
    tokens += 12_345;
    memory.observe(tokens, 3);
    memory.startIfDue(over, true, context);
  };
  return clock.run(() => body({ memory, clock, asked, facts, start }));
}

test("SM1: an extraction tells the size of the context, and is shown the live part and the notes so far", () =>
  sit(1_000, async ({ start, facts, asked, clock }) => {
    start([aUser("Old."), aBoundary({ uuid: "b" }), ...messages]);
    await clock.sleep(1);
    expect(facts).toEqual([{ kind: "sm_extraction_started", tokens: 12_345 }]);
    expect(asked[0]?.messages).toEqual(messages);
    expect(asked[0]?.instruct).toContain("Earlier.");
  }));

test("SM7: where the notes file cannot be read, the notes in memory are those that are brought up to date", () =>
  sit(
    1_000,
    async ({ start, asked, clock }) => {
      start();
      await clock.sleep(1);
      expect(asked[0]?.instruct).toContain("Earlier.");
    },
    {
      notes: {
        path: "/notes.md",
        read: () => {
          throw new Error("disk gone");
        },
        write: () => {},
      },
    },
  ));

test("SM1: an extraction of a minute is let run on; one that is older is given up when the next is due, and its result ignored", () =>
  sit(100_000, async ({ start, clock, memory, asked, facts }) => {
    await clock.sleep(70_000);
    start();
    await clock.sleep(60_000);
    start();
    expect(facts).toHaveLength(1);
    await clock.sleep(1);
    start(messages.slice(0, 1));
    expect(facts.slice(1)).toEqual([
      { kind: "sm_extraction_finished", outcome: "failed", durationMs: 60_001, lastSummarizedUuid: "before" },
      { kind: "sm_extraction_started", tokens: 37_035 },
    ]);
    await clock.sleep(50_000);
    memory.adopt(messages);
    expect(memory.notes()).toBe(earlier);
    await clock.sleep(60_000);
    memory.adopt(messages);
    expect(memory.notes()).toBe(later);
    expect(memory.lastSummarizedUuid()).toBe("m0");
    expect(asked).toHaveLength(2);
  }));

test("SM1: with a call still open the notes are new and the coverage stays; where the last message is gone nothing is covered", () =>
  sit(1_000, async ({ start, clock, memory }) => {
    const open = inOrder<Message>([aUser("Go."), anAssistant([aToolUse("t")])]);
    start(open);
    await clock.sleep(2_000);
    memory.adopt(open);
    expect([memory.notes(), memory.lastSummarizedUuid()]).toEqual([later, "before"]);
    start();
    await clock.sleep(2_000);
    memory.adopt([aUser("Another conversation.", { uuid: "other" })]);
    expect(memory.lastSummarizedUuid()).toBeNull();
  }));

test("SM5: nothing runs, or it has finished, however long ago: there is nothing to wait for", () =>
  sit(1_000, async ({ start, clock, memory }) => {
    expect(await memory.wait(undefined)).toBe("ready");
    start();
    await clock.sleep(90_000);
    expect(await memory.wait(undefined)).toBe("ready");
    expect(clock.now()).toBe(90_000);
  }));

test("SM5: what runs is waited for 15 s, also at the age of exactly a minute; what is older is stale", () =>
  sit(200_000, async ({ start, clock, memory }) => {
    await clock.sleep(5_000);
    start();
    await clock.sleep(60_000);
    expect(await memory.wait(undefined)).toBe("running");
    expect(clock.now()).toBe(80_000);
    expect(await memory.wait(undefined)).toBe("running");
    expect(clock.now()).toBe(80_000);
  }));

test("SM5: the wait ends when the notes are there, and when somebody aborts", () =>
  sit(5_000, async ({ start, clock, memory }) => {
    const abort = new AbortController();
    start();
    const waiting = clock.fork(() => memory.wait(abort.signal));
    await clock.sleep(1_000);
    abort.abort();
    expect(await clock.join(waiting)).toBe("aborted");
    expect(await memory.wait(undefined)).toBe("ready");
    expect(clock.now()).toBe(5_000);
  }));

test("M6: an id is looked for in the live part, the boundary itself left out", () => {
  const session = [aUser("Old.", { uuid: "old" }), aBoundary({ uuid: "b" }), ...messages];
  expect(["old", "b", "m0", "m1", "nobody"].map((uuid) => liveIndexOf(session, uuid))).toEqual([-1, -1, 2, 3, -1]);
  expect(liveIndexOf(messages, "m0")).toBe(0);
});

test("SM7: a call that fails, a port that breaks its contract and a file that cannot be written leave notes and coverage as they were", async () => {
  const failing: readonly Partial<CompactorPorts>[] = [
    { ask: async () => ({ kind: "error", error: { class: "overloaded", text: "Overloaded" } }) },
    { ask: () => Promise.reject(new Error("no network here")) },
    {
      notes: {
        path: "/notes.md",
        read: () => earlier,
        write: () => {
          throw new Error("disk full");
        },
      },
    },
  ];
  for (const ports of failing)
    await sit(
      0,
      async ({ start, clock, memory, facts }) => {
        start();
        await clock.sleep(1_000);
        memory.adopt(messages);
        expect([memory.notes(), memory.lastSummarizedUuid()]).toEqual([earlier, "before"]);
        expect(facts.slice(1)).toEqual([
          { kind: "sm_extraction_finished", outcome: "failed", durationMs: 0, lastSummarizedUuid: "before" },
        ]);
      },
      ports,
    );
});

test("SM1: what is not due is not begun; what is covered is remembered, and all of it survives a resume", () =>
  sit(0, async ({ memory, asked }) => {
    memory.observe(9_999, 3);
    memory.startIfDue(messages, true, context);
    memory.cover("m1");
    expect(asked).toEqual([]);
    const meter = { contextTokens: 9_999, addedTokens: 9_999, toolCalls: 3, hasExtracted: false };
    expect(memory.state()).toEqual({ notes: earlier, lastSummarizedUuid: "m1", meter });
  }));
