import { expect, test } from "vitest";
import type { VirtualClock } from "../testing/index.ts";
import { anAssistant, aResultMessage, aToolUse, aUsage, aUser, createVirtualClock, inOrder } from "../testing/index.ts";
import type { ModelInfo } from "../tokens/index.ts";
import { estimateMessageTokens, findModel, roughEstimator } from "../tokens/index.ts";
import type { Message } from "../transcript/index.ts";
import { findTranscriptProblems, messagesFromWire, normalizeForApi, textOf } from "../transcript/index.ts";
import type { ConfigInput } from "./check-config.ts";
import type { Compactor } from "./compactor.ts";
import { createCompactor } from "./compactor.ts";
import type { CompactionContext, CompactorPorts } from "./context.ts";
import type { CompactionFact } from "./events.ts";
import { clearResults } from "./micro/clear-results.ts";
import { applyPlan } from "./plan.ts";
import type { AskReply, AskRequest, CallError } from "./ports.ts";
import { resolveConfig } from "./resolve-config.ts";
import { writeNotes } from "./session-memory/notes-template.ts";

const model: ModelInfo = {
  ...(findModel("claude-sonnet-4-5") as ModelInfo),
  contextWindow: 200_000,
  maxOutput: 64_000,
  cacheEditing: true,
};
const startMs = 1_000_000;

interface World {
  readonly clock: VirtualClock;
  readonly compactor: Compactor;
  readonly asked: AskRequest[];
  readonly facts: CompactionFact[];
  /** Facts of one kind, in order. */
  of<K extends CompactionFact["kind"]>(kind: K): Extract<CompactionFact, { kind: K }>[];
  at(round: number, over?: Partial<CompactionContext>): CompactionContext;
}

const answer = (text: string): AskReply => ({
  kind: "answer",
  text,
  stopReason: "end_turn",
  toolCalls: [],
  usage: aUsage({ cache_read_input_tokens: 900, output_tokens: 100 }),
});
const summary = answer("<summary>What happened so far.</summary>");
const overloaded: AskReply = { kind: "error", error: { class: "overloaded", text: "Overloaded" } };
const notesAnswer = (text: string) => answer(`<notes>\n${writeNotes(new Map([["Current State", text]]))}\n</notes>`);

/** A compactor over a scripted model, on virtual time. */
function play<T>(
  body: (world: World) => Promise<T>,
  options: {
    readonly config?: ConfigInput;
    readonly ask?: (request: AskRequest, clock: VirtualClock) => AskReply | Promise<AskReply>;
    readonly ports?: Partial<CompactorPorts>;
  } = {},
): Promise<T> {
  const clock = createVirtualClock(startMs);
  const asked: AskRequest[] = [];
  const facts: CompactionFact[] = [];
  let ids = 0;
  const compactor = createCompactor(resolveConfig(options.config).config, {
    clock,
    ids: { uuid: () => `made-${ids++}` },
    estimator: roughEstimator,
    emit: (fact) => facts.push(fact),
    ask: async (request) => {
      asked.push(request);
      if (options.ask !== undefined) return options.ask(request, clock);
      return request.purpose === "compact" ? summary : overloaded;
    },
    ...options.ports,
  });
  const world: World = {
    clock,
    compactor,
    asked,
    facts,
    of: <K extends CompactionFact["kind"]>(kind: K) =>
      facts.filter((fact): fact is Extract<CompactionFact, { kind: K }> => fact.kind === kind),
    at: (round, over = {}) => ({
      model,
      overheadTokens: 5_000,
      querySource: "main",
      turn: 1,
      round,
      requestMaxTokens: 8_000,
      autonomous: false,
      ...over,
    }),
  };
  return clock.run(() => body(world));
}

/** Rounds of about 1 000 padded tokens each, the last one with its result in. */
function session(rounds: number, tool = "Read"): readonly Message[] {
  const made = Array.from({ length: rounds }, (_, i) => [
    anAssistant([{ type: "text", text: `Step ${i}.` }, aToolUse(`t${i}`, tool)], { id: `msg_${i}` }),
    aResultMessage(`t${i}`, `${i}`.padEnd(2_900, "x")),
  ]);
  return inOrder([aUser("Port the parser."), ...made.flat()], startMs);
}

const noMemory = { sessionMemory: { enabled: false } } as const;
const kinds = (facts: readonly CompactionFact[]) => facts.map(({ kind }) => kind);

test("AC7: below the threshold the same array is sent, and nobody is asked", () =>
  play(
    async ({ compactor, at, asked, of }) => {
      const messages = session(100);
      const before = await compactor.beforeRequest(messages, at(1));
      expect(before).toMatchObject({ kind: "send", outcome: null });
      expect(before.messages).toBe(messages);
      expect(asked).toEqual([]);
      expect(of("autocompact_check")).toMatchObject([{ threshold: 167_000, decision: "below" }]);
    },
    { config: noMemory },
  ));

test("AC7: from the threshold on, a full compaction where there are no notes; the result is valid and below the line", () =>
  play(async ({ compactor, at, asked, facts }) => {
    const { kind, outcome, messages, tokens } = await compactor.beforeRequest(session(170), at(170));
    expect([kind, outcome?.kind]).toEqual(["send", "compacted"]);
    expect(asked.map(({ purpose }) => purpose)).toEqual(["session_memory", "compact"]);
    expect(kinds(facts)).toEqual([
      "sm_extraction_started",
      "autocompact_check",
      "sm_extraction_finished",
      "sm_compact_skipped",
      "compact_started",
      "compact_succeeded",
    ]);
    expect(tokens).toBeLessThan(10_000);
    expect(messages.map(textOf)).toEqual(["", expect.stringContaining("What happened so far."), "Port the parser."]);
    expect(findTranscriptProblems(normalizeForApi(messages))).toEqual([]);
  }));

test("AC6: three failures in a row open the breaker; then nobody is asked, until a manual compaction succeeds", () => {
  let broken = true;
  return play(
    async ({ compactor, at, asked, of }) => {
      const messages = session(170);
      for (let round = 1; round <= 5; round++) await compactor.beforeRequest(messages, at(round));
      expect(of("compact_failed")).toHaveLength(3);
      expect(of("breaker_opened")).toEqual([{ kind: "breaker_opened", failures: 3, lastReason: "overloaded" }]);
      expect(of("autocompact_check").map(({ decision }) => decision)).toEqual([
        ...Array(3).fill("compact"),
        ...Array(2).fill("breaker-open"),
      ]);
      const calls = asked.length;
      broken = false;
      expect((await compactor.compact(messages, "", at(6))).kind).toBe("compacted");
      expect(asked).toHaveLength(calls + 1);
      expect(of("breaker_closed")).toEqual([{ kind: "breaker_closed", by: "manual" }]);
      expect((await compactor.beforeRequest(messages, at(7))).outcome?.kind).toBe("compacted");
    },
    { config: noMemory, ask: () => (broken ? overloaded : summary) },
  );
});

test("AC6: a success in between sets the counter back to nothing", () => {
  const script = [false, false, true, false, false];
  let nth = 0;
  return play(
    async ({ compactor, at, of }) => {
      for (let round = 1; round <= 5; round++) {
        nth = round - 1;
        await compactor.beforeRequest(session(170), at(round));
      }
      expect(of("breaker_opened")).toEqual([]);
      expect(compactor.state().breaker.failures).toBe(2);
    },
    { config: noMemory, ask: () => (script[nth] ? summary : overloaded) },
  );
});

test("AC6: half-open tries once after N rounds, and its success closes the breaker", () => {
  let broken = true;
  return play(
    async ({ compactor, at, of }) => {
      for (const round of [1, 2, 3, 4, 12]) await compactor.beforeRequest(session(170), at(round));
      expect(of("compact_failed")).toHaveLength(3);
      broken = false;
      await compactor.beforeRequest(session(170), at(13));
      expect(of("breaker_closed")).toEqual([{ kind: "breaker_closed", by: "half-open" }]);
    },
    {
      config: { ...noMemory, auto: { breaker: { policy: { kind: "half-open", afterRounds: 10 } } } },
      ask: () => (broken ? overloaded : summary),
    },
  );
});

test.each([
  { countAborts: false, failures: 0 },
  { countAborts: true, failures: 1 },
])(
  "AC6, FC11: an abort leaves everything as it was, and counts only in the original's way: %j",
  ({ countAborts, failures }) =>
    play(
      async ({ compactor, at, of }) => {
        const messages = session(170);
        const abort = new AbortController();
        abort.abort();
        const before = await compactor.beforeRequest(messages, at(1, { signal: abort.signal }));
        expect(before.outcome).toEqual({ kind: "aborted" });
        expect(before.messages).toBe(messages);
        expect(of("compact_aborted")).toHaveLength(1);
        expect(compactor.state().breaker.failures).toBe(failures);
      },
      { config: { ...noMemory, auto: { breaker: { countAborts } } } },
    ),
);

const tooLong: CallError = { class: "overflow", text: "prompt is too long: 210000 tokens > 200000 maximum" };

test.each([
  { env: {}, auto: "compacted", manual: "compacted", reactive: "compacted" },
  { env: { DISABLE_AUTO_COMPACT: "1" }, auto: undefined, manual: "compacted", reactive: "nothing-to-do" },
  { env: { DISABLE_COMPACT: "1" }, auto: undefined, manual: "nothing-to-do", reactive: "nothing-to-do" },
])("AC4, AC6: what the switches stop: %j", ({ env, auto, manual, reactive }) =>
  play(async ({ at }) => {
    const run = async (work: (compactor: Compactor) => Promise<{ kind: string } | null>) => {
      const { config } = resolveConfig(noMemory, env);
      const clock = createVirtualClock(startMs);
      let ids = 0;
      const compactor = createCompactor(config, {
        clock,
        ids: { uuid: () => `${ids++}` },
        estimator: roughEstimator,
        emit: () => {},
        ask: async () => summary,
      });
      return (await clock.run(() => work(compactor)))?.kind;
    };
    const messages = session(170);
    expect(await run(async (compactor) => (await compactor.beforeRequest(messages, at(1))).outcome)).toBe(auto);
    expect(await run((compactor) => compactor.compact(messages, "", at(1)))).toBe(manual);
    expect(await run((compactor) => compactor.onTooLong(messages, tooLong, at(1)))).toBe(reactive);
  }),
);

test("AC6: the breaker stops proactive compaction only", () => {
  let broken = true;
  return play(
    async ({ compactor, at }) => {
      for (let round = 1; round <= 4; round++) await compactor.beforeRequest(session(170), at(round));
      broken = false;
      expect((await compactor.onTooLong(session(170), tooLong, at(5))).kind).toBe("compacted");
    },
    { config: noMemory, ask: () => (broken ? overloaded : summary) },
  );
});

test("AC8: an irreducible context is told once, costs no call, and is sent", () =>
  play(
    async ({ compactor, at, asked, of }) => {
      const messages = session(12);
      for (let round = 1; round <= 3; round++) {
        const before = await compactor.beforeRequest(messages, at(round, { overheadTokens: 166_995 }));
        expect(before).toMatchObject({ kind: "blocked", outcome: null });
      }
      const { kind } = await compactor.beforeRequest(session(2), at(4, { overheadTokens: 166_995 }));
      expect(kind).toBe("send");
      expect(asked).toEqual([]);
      expect(of("notice").map(({ code }) => code)).toEqual(["irreducible"]);
      expect(of("autocompact_check").map(({ decision }) => decision)).toEqual(Array(4).fill("irreducible"));
    },
    { config: noMemory },
  ));

test("AC8: an inflated result is discarded: history as before, counted as a failure", () =>
  play(
    async ({ compactor, at, of }) => {
      const messages = session(170);
      const { outcome, messages: after } = await compactor.beforeRequest(messages, at(1));
      expect(outcome).toMatchObject({ kind: "failed", reason: "inflated" });
      expect(after).toBe(messages);
      expect(of("compact_failed")).toMatchObject([{ reason: "inflated" }]);
      expect(compactor.state()).toMatchObject({ breaker: { failures: 1 }, lastCompaction: null });
    },
    { config: noMemory, ask: () => answer(`<summary>${"x".repeat(600_000)}</summary>`) },
  ));

test("AC8: smaller but still above the line is adopted and counted: after three the breaker opens", () =>
  play(
    async ({ compactor, at, of }) => {
      for (const round of [1, 20, 40, 60]) {
        const { outcome } = await compactor.beforeRequest(session(190), at(round));
        expect(outcome?.kind).toBe(round === 60 ? undefined : "compacted");
      }
      expect(of("compact_succeeded").map((fact) => fact.willRetriggerNextTurn)).toEqual([true, true, true]);
      expect(of("breaker_opened")).toMatchObject([{ failures: 3, lastReason: "no_progress" }]);
    },
    { config: noMemory, ask: () => answer(`<summary>${"x".repeat(510_000)}</summary>`) },
  ));

test("AC3: at the blocking limit nothing is sent when compaction failed, and it says what to do", () =>
  play(
    async ({ compactor, at, of }) => {
      const before = await compactor.beforeRequest(session(180), at(1));
      expect(before).toMatchObject({
        kind: "blocked",
        limit: 177_000,
        text: expect.stringMatching(/Compact it by hand/),
      });
      expect(of("blocked")).toHaveLength(1);
      expect((await compactor.beforeRequest(session(180), at(1, { querySource: "compact" }))).kind).toBe("send");
    },
    { config: noMemory, ask: () => overloaded },
  ));

test("AC3: a manual compaction is not blocked, and right after a compaction neither is a request", () =>
  play(
    async ({ compactor, at }) => {
      const outcome = await compactor.compact(session(180), "", at(1));
      expect(outcome.kind).toBe("compacted");
      expect((await compactor.beforeRequest(session(180), at(2, { querySource: "subagent" }))).kind).toBe("send");
    },
    { config: { ...noMemory, auto: { autoCompactEnabled: false } } },
  ));

test("AC3, PC1: the warning is silent after a compaction, until a response tells the size exactly", () =>
  play(
    async ({ compactor, at }) => {
      await compactor.compact(session(180), "", at(1));
      const large = session(150);
      expect((await compactor.beforeRequest(large, at(2))).warning.isAboveWarning).toBe(false);
      const told = [
        ...large,
        anAssistant("Done.", { uuid: "end", usage: aUsage({ input_tokens: 150_000, output_tokens: 5 }) }),
      ];
      compactor.afterResponse(told, at(2));
      expect((await compactor.beforeRequest(told, at(3))).warning.isAboveWarning).toBe(true);
    },
    { config: { ...noMemory, auto: { autoCompactEnabled: true } } },
  ));

test("AC5: what a time-based clearing has freed is taken off an exact count that still holds it", () =>
  play(
    async ({ compactor, at, clock, of }) => {
      const usage = aUsage({ input_tokens: 168_000, output_tokens: 100 });
      const end = anAssistant("Done.", { uuid: "end", usage, timestamp: startMs });
      const messages = [...session(60), end, aUser("And now?", { uuid: "next", timestamp: startMs })];
      await clock.sleep(61 * 60_000);
      const before = await compactor.beforeRequest(messages, at(1));
      expect(of("microcompact")).toMatchObject([{ path: "time", cleared: { length: 55 } }]);
      const freed = of("microcompact")[0]?.tokensFreed ?? 0;
      expect(freed).toBeGreaterThan(30_000);
      expect(before.tokens).toBe(168_100 + 3 - freed);
      expect(before.outcome).toBeNull();
      const again = await compactor.beforeRequest(before.messages, at(1));
      expect([again.micro.kind, again.tokens]).toEqual(["none", before.tokens]);
    },
    { config: noMemory },
  ));

test("MC3: a block waits through a failed request, is pinned by the response, and travels from then on", () =>
  play(
    async ({ compactor, at, of }) => {
      await compactor.beforeRequest(session(20), at(20));
      compactor.afterResponse(session(20), at(20));
      const first = await compactor.beforeRequest(session(21), at(21));
      const retry = await compactor.beforeRequest(session(21), at(21));
      expect(first.pins).toHaveLength(1);
      expect(retry.pins).toEqual(first.pins);
      expect(of("cache_edits_pinned")).toEqual([]);
      compactor.afterResponse(session(21), at(21));
      expect(of("cache_edits_pinned")).toMatchObject(first.pins);
      expect(of("microcompact")).toMatchObject([{ path: "cached", cleared: first.pins[0]?.toolUseIds }]);
      expect((await compactor.beforeRequest(session(22), at(22))).pins).toEqual(first.pins);
    },
    { config: noMemory },
  ));

test("MC3, PC1: a compaction resets the cached path, forgets stale caches and refills the read-file cache", () => {
  const forgotten: string[] = [];
  return play(
    async ({ compactor, at }) => {
      await compactor.beforeRequest(session(20), at(20));
      compactor.afterResponse(session(20), at(20));
      await compactor.beforeRequest(session(21), at(21));
      compactor.afterResponse(session(21), at(21));
      expect(compactor.pins()).toHaveLength(1);
      await compactor.compact(session(170), "", at(22));
      expect(compactor.pins()).toEqual([]);
      expect(compactor.state().edits.live).toEqual([]);
      expect(forgotten).toEqual(["files", "caches"]);
    },
    {
      config: noMemory,
      ports: {
        forgetCaches: () => forgotten.push("caches"),
        readFiles: { snapshot: () => [], read: async () => null, reset: () => forgotten.push("files") },
      },
    },
  );
});

test("MC4: what a fork asks and answers leaves the main thread's state as it is", () =>
  play(async ({ compactor, at }) => {
    await compactor.beforeRequest(session(20), at(20));
    compactor.afterResponse(session(20), at(20));
    const before = compactor.state();
    for (const querySource of ["compact", "session_memory"] as const) {
      await compactor.beforeRequest(session(30), at(30, { querySource }));
      compactor.afterResponse(session(30), at(30, { querySource }));
    }
    expect(compactor.state()).toEqual(before);
  }));

test("SM1, SM5: notes are taken beside the conversation, and then compact it without a model call", () =>
  play(
    async ({ compactor, at, clock, asked, of }) => {
      for (const rounds of [5, 12, 40, 160]) {
        await compactor.beforeRequest(session(rounds), at(rounds));
        await clock.sleep(5_000);
      }
      expect(of("sm_extraction_started")).toHaveLength(3);
      asked.length = 0;
      const messages = session(165);
      const { outcome, messages: after } = await compactor.beforeRequest(messages, at(165));
      if (outcome?.kind !== "compacted") throw new Error(`not compacted: ${JSON.stringify(outcome)}`);
      expect(asked.map(({ purpose }) => purpose)).toEqual([]);
      const { plan } = outcome;
      expect(plan.layer).toBe("session-memory");
      expect(textOf(after[1] as Message)).toContain("covered up to step 159");
      const kept = messages.slice(plan.keep.from);
      expect(after.slice(-kept.length)).toEqual(kept);
      expect(kept.every((message, i) => after.at(i - kept.length) === message)).toBe(true);
      expect(plan.tokensAfter).toBeLessThan(25_000);
      expect(findTranscriptProblems(normalizeForApi(after))).toEqual([]);
      expect(of("compact_succeeded")).toMatchObject([{ layer: "session-memory", attempts: 0, cacheReadTokens: 0 }]);
    },
    {
      ask: async (request, clock) => {
        await clock.sleep(3_000);
        const steps = request.messages.filter(({ kind }) => kind === "assistant").length;
        return notesAnswer(`covered up to step ${steps - 1}`);
      },
      config: { sessionMemory: { extraction: { toolCallsBetween: 0 } }, limits: { autoCompactPercent: 90 } },
    },
  ));

test("SM1: one extraction at a time; a result is taken over only when the conversation looks", () =>
  play(
    async ({ compactor, at, clock, asked, of }) => {
      await compactor.beforeRequest(session(12), at(12));
      await clock.sleep(1_000);
      await compactor.beforeRequest(session(40), at(40));
      await clock.sleep(30_000);
      expect(asked).toHaveLength(1);
      expect(compactor.notes()).toBeNull();
      await compactor.beforeRequest(session(40), at(41));
      expect(compactor.notes()).toContain("notes of m24");
      expect(compactor.state().memory.lastSummarizedUuid).toBe("m24");
      expect(of("sm_extraction_finished")).toMatchObject([{ outcome: "updated", durationMs: 30_000 }]);
      expect(of("sm_extraction_started")).toHaveLength(2);
    },
    {
      ask: async (request, clock) => {
        await clock.sleep(30_000);
        return notesAnswer(`notes of ${request.messages.at(-1)?.uuid}`);
      },
      config: { sessionMemory: { extraction: { toolCallsBetween: 0 } } },
    },
  ));

test("SM1: notes are due after a response without a tool call too, and go to the notes port", () => {
  const file: string[] = [];
  return play(
    async ({ compactor, at, clock, asked }) => {
      await compactor.beforeRequest(session(12), at(12));
      await clock.sleep(1_000);
      const done = [...session(20), anAssistant("All done.", { uuid: "done" })];
      compactor.afterResponse(done, at(20));
      await clock.sleep(1_000);
      await compactor.beforeRequest([...done, aUser("More.", { uuid: "more" })], at(21));
      expect(asked.map(({ messages }) => messages.at(-1)?.uuid)).toEqual(["m24", "done"]);
      expect(file).toEqual([expect.stringContaining("first"), expect.stringContaining("second")]);
    },
    {
      ask: (request) => notesAnswer(request.messages.at(-1)?.uuid === "done" ? "second" : "first"),
      ports: { notes: { path: "/notes.md", read: () => file.at(-1) ?? null, write: (notes) => file.push(notes) } },
    },
  );
});

test("SM5: a running extraction is waited for, 15 s at most, and one that is stale not at all", async () => {
  const waited = (extractionMs: number, startedBeforeMs: number) =>
    play(
      async ({ compactor, at, clock }) => {
        await compactor.beforeRequest(session(100), at(100));
        await clock.sleep(startedBeforeMs);
        const startedAt = clock.now();
        const { outcome } = await compactor.beforeRequest(session(170), at(170));
        const layer = outcome?.kind === "compacted" ? outcome.plan.layer : outcome?.kind;
        return [layer, clock.now() - startedAt];
      },
      {
        ask: async (request, clock) => {
          if (request.purpose === "compact") return summary;
          await clock.sleep(extractionMs);
          return notesAnswer("so far");
        },
        config: { sessionMemory: { extraction: { toolCallsBetween: 1_000 } } },
      },
    );
  expect(await waited(10_000, 2_000)).toEqual(["session-memory", 8_000]);
  expect(await waited(40_000, 2_000)).toEqual(["full", 15_000]);
  expect(await waited(90_000, 61_000)).toEqual(["full", 0]);
});

test("SM1, SM7: a port that breaks its contract costs the notes and nothing else", () =>
  play(
    async ({ compactor, at, clock, of }) => {
      await compactor.beforeRequest(session(12), at(12));
      await clock.sleep(1_000);
      expect((await compactor.beforeRequest(session(13), at(13))).kind).toBe("send");
      expect(of("sm_extraction_finished")).toMatchObject([{ outcome: "failed" }]);
      expect(compactor.notes()).toBeNull();
    },
    {
      ask: () => {
        throw new Error("no network here");
      },
    },
  ));

test("PC2: after a full compaction nobody knows what the notes cover", () =>
  play(
    async ({ compactor, at, clock }) => {
      await compactor.beforeRequest(session(12), at(12));
      await clock.sleep(1_000);
      await compactor.beforeRequest(session(12), at(12));
      expect(compactor.state().memory.lastSummarizedUuid).toBe("m24");
      await compactor.compact(session(100), "the parser only", at(13));
      expect(compactor.state().memory.lastSummarizedUuid).toBeNull();
      expect(compactor.notes()).toContain("so far");
    },
    { ask: (request) => (request.purpose === "compact" ? summary : notesAnswer("so far")) },
  ));

test("a manual compaction follows its focus into the prompt; without one the notes serve", () =>
  play(
    async ({ compactor, at, clock, asked }) => {
      await compactor.beforeRequest(session(100), at(100));
      await clock.sleep(1_000);
      const plain = await compactor.compact(session(100), "", at(101));
      expect(plain).toMatchObject({ kind: "compacted", plan: { layer: "session-memory", trigger: "manual" } });
      const focused = await compactor.compact(session(100), "the parser only", at(102));
      expect(focused).toMatchObject({ kind: "compacted", plan: { layer: "full", trigger: "manual" } });
      expect(asked.at(-1)?.instruct).toContain("the parser only");
    },
    { ask: (request) => (request.purpose === "compact" ? summary : notesAnswer("so far")) },
  ));

test("one compaction runs at a time, whoever asks", () =>
  play(
    async ({ compactor, at, clock }) => {
      const first = clock.fork(() => compactor.compact(session(100), "", at(1)));
      await clock.sleep(1_000);
      expect(await compactor.compact(session(100), "", at(1))).toEqual({
        kind: "nothing-to-do",
        reason: "already-compacting",
      });
      expect((await compactor.beforeRequest(session(170), at(1))).outcome).toBeNull();
      expect((await clock.join(first))?.kind).toBe("compacted");
      expect((await compactor.compact(session(100), "", at(2))).kind).toBe("compacted");
    },
    {
      config: noMemory,
      ask: async (_, clock) => {
        await clock.sleep(10_000);
        return summary;
      },
    },
  ));

test("RC2: a refused main request is compacted with its head cut by the gap; once until a response succeeds", () =>
  play(
    async ({ compactor, at, asked, of }) => {
      const messages = session(220);
      const first = await compactor.onTooLong(messages, tooLong, at(1));
      expect(first).toMatchObject({ kind: "compacted", plan: { trigger: "reactive", layer: "full" } });
      expect(asked[0]?.messages.length).toBeLessThan(messages.length);
      expect(await compactor.onTooLong(messages, tooLong, at(1))).toMatchObject({ reason: "already-tried" });
      compactor.afterResponse(session(1), at(1));
      expect((await compactor.onTooLong(messages, tooLong, at(2))).kind).toBe("compacted");
      expect(of("compact_succeeded")).toHaveLength(2);
    },
    { config: noMemory },
  ));

test("RC2, FC9: where the summary fails the oldest rounds are dropped by the gap, and the newest human message stays", () =>
  play(
    async ({ compactor, at, of }) => {
      const messages = session(220);
      const outcome = await compactor.onTooLong(messages, tooLong, at(1));
      if (outcome.kind !== "compacted") throw new Error(outcome.kind);
      const { plan } = outcome;
      const after = applyPlan(messages, plan);
      expect(plan.boundary).toMatchObject({ trigger: "drop", messagesSummarized: 0 });
      expect(after.slice(0, 3).map(textOf)).toEqual(["", "Port the parser.", expect.stringMatching(/left out/)]);
      expect(plan.tokensBefore - plan.tokensAfter).toBeGreaterThan(18_000);
      expect(plan.tokensBefore - plan.tokensAfter).toBeLessThan(25_000);
      expect(after.slice(3)).toEqual(messages.slice(plan.keep.from));
      expect(findTranscriptProblems(normalizeForApi(after))).toEqual([]);
      expect(of("rounds_dropped")).toHaveLength(1);
      expect(compactor.state().breaker.failures).toBe(0);
    },
    { config: noMemory, ask: () => overloaded },
  ));

test("FC11: an abort while a drop is counted drops nothing", () => {
  const abort = new AbortController();
  return play(
    async ({ compactor, at, of }) => {
      const outcome = await compactor.onTooLong(session(220), tooLong, at(1, { signal: abort.signal }));
      expect(outcome).toEqual({ kind: "aborted" });
      expect(of("rounds_dropped")).toEqual([]);
      expect(compactor.state().lastCompaction).toBeNull();
    },
    {
      config: noMemory,
      ask: () => overloaded,
      ports: {
        count: async () => {
          abort.abort();
          return null;
        },
      },
    },
  );
});

test("AC7: each compaction tells how it follows on the last: turns between, within one turn or not, and which it was", () =>
  play(
    async ({ compactor, at, of }) => {
      const messages = session(170);
      const boundaries: string[] = [];
      for (const turn of [1, 1, 4]) {
        const outcome = await compactor.compact(messages, "", at(turn, { turn }));
        if (outcome.kind === "compacted") boundaries.push(outcome.plan.boundary.uuid);
      }
      expect(of("compact_succeeded")).toMatchObject([
        { turnsSinceLast: null, sameChain: null, lastBoundaryUuid: null },
        { turnsSinceLast: 0, sameChain: true, lastBoundaryUuid: boundaries[0] },
        { turnsSinceLast: 3, sameChain: false, lastBoundaryUuid: boundaries[1] },
      ]);
    },
    { config: noMemory },
  ));

test("AC5: what a snip took out since the last exact count comes off it, until the next one", () => {
  let snipped = 0;
  const takeSnippedTokens = (): number => {
    const tokens = snipped;
    snipped = 0;
    return tokens;
  };
  const counted = (id: string, tokens: number) =>
    anAssistant("ok", { id, uuid: id, usage: aUsage({ input_tokens: tokens }), stopReason: "end_turn" });
  return play(
    async ({ compactor, at, of }) => {
      const first = [...session(20), counted("first", 170_000)];
      snipped = 9_000;
      expect((await compactor.beforeRequest(first, at(21))).tokens).toBe(161_000);
      snipped = 500;
      expect((await compactor.beforeRequest(first, at(22))).tokens).toBe(160_500);
      for (const odd of [Number.NaN, -5, Number.POSITIVE_INFINITY]) {
        snipped = odd;
        expect((await compactor.beforeRequest(first, at(23))).tokens).toBe(160_500);
      }
      const second = [...first, aUser("Go on."), counted("second", 162_000)];
      expect((await compactor.beforeRequest(second, at(24))).tokens).toBe(162_000);
      expect(of("autocompact_check").every(({ decision }) => decision === "below")).toBe(true);
    },
    { config: noMemory, ports: { takeSnippedTokens } },
  );
});

test("MC3: where no response tells a size, what the server has deleted weighs its marker", () =>
  play(
    async ({ compactor, at }) => {
      for (const rounds of [20, 21]) {
        await compactor.beforeRequest(session(rounds), at(rounds));
        compactor.afterResponse(session(rounds), at(rounds));
      }
      const deleted = compactor.pins().flatMap(({ toolUseIds }) => toolUseIds);
      expect(deleted.length).toBeGreaterThan(10);
      const messages = session(21);
      const { tokens } = await compactor.beforeRequest(messages, at(22));
      const weighed = clearResults(messages, new Set(deleted), "[Old tool result content cleared]");
      expect(Math.abs(tokens - 5_000 - estimateMessageTokens(weighed))).toBeLessThan(2);
    },
    { config: noMemory },
  ));

test("the state survives JSON: breaker, notes, coverage, pins", () =>
  play(
    async ({ compactor, at, clock }) => {
      await compactor.beforeRequest(session(20), at(20));
      compactor.afterResponse(session(20), at(20));
      await clock.sleep(1_000);
      await compactor.beforeRequest(session(21), at(21));
      compactor.afterResponse(session(21), at(21));
      await compactor.beforeRequest(session(170), at(170, { overheadTokens: 30_000 }));
      const saved = JSON.parse(JSON.stringify(compactor.state()));
      compactor.restore(saved);
      expect(compactor.state()).toEqual(saved);
      expect(compactor.state().breaker.failures).toBe(1);
      expect(compactor.notes()).toContain("so far");
      expect(compactor.pins()).toHaveLength(2);
    },
    {
      ask: (request) => (request.purpose === "compact" ? overloaded : notesAnswer("so far")),
      config: { sessionMemory: { keep: { maxTokens: 1_000_000, minTokens: 900_000 } } },
    },
  ));

test("two conversations share nothing", () =>
  play(async ({ compactor, at }) => {
    await compactor.compact(session(170), "", at(1));
    await play(async ({ compactor: other }) => {
      expect(other.state().lastCompaction).toBeNull();
      expect(other.notes()).toBeNull();
    });
  }));

test("CF2: it works on plain API messages, without a simulator", () =>
  play(
    async ({ compactor, at }) => {
      let ids = 0;
      const params = Array.from({ length: 60 }, (_, i) => [
        { role: "user" as const, content: i === 0 ? "Write a long story." : "Go on." },
        { role: "assistant" as const, content: [{ type: "text", text: "la ".repeat(4_000) }] },
      ]).flat();
      const messages = messagesFromWire([...params, { role: "user", content: "And the end?" }], {
        uuid: () => `p${ids++}`,
      });
      const before = await compactor.beforeRequest(messages, at(1));
      expect(before.outcome?.kind).toBe("compacted");
      const wire = normalizeForApi(before.messages);
      expect(findTranscriptProblems(wire)).toEqual([]);
      expect(JSON.stringify(wire)).toContain("And the end?");
      expect(JSON.stringify(wire).length).toBeLessThan(5_000);
    },
    { config: noMemory },
  ));

test("SM2: limits from elsewhere are read once and hold for the conversation; what is no number changes nothing", () => {
  let reads = 0;
  return play(
    async ({ compactor, at, clock }) => {
      await compactor.beforeRequest(session(100), at(100));
      await clock.sleep(1_000);
      for (const round of [101, 102]) {
        const outcome = await compactor.compact(session(100), "", at(round));
        if (outcome.kind !== "compacted") throw new Error(outcome.kind);
        expect(outcome.plan.keep.to - outcome.plan.keep.from).toBe(6);
      }
      expect(reads).toBe(1);
    },
    {
      ask: () => notesAnswer("so far"),
      ports: {
        remoteKeepLimits: () => {
          reads++;
          return { minTokens: 2_500, minTextBlockMessages: 1, maxTokens: Number.NaN };
        },
      },
    },
  );
});

test("PC1: a subagent's compaction leaves the main thread's caches alone", () => {
  let forgotten = 0;
  return play(
    async ({ compactor, at }) => {
      await compactor.compact(session(170), "", at(1, { querySource: "subagent" }));
      expect(forgotten).toBe(0);
      await compactor.compact(session(170), "", at(2));
      expect(forgotten).toBe(1);
    },
    { config: noMemory, ports: { forgetCaches: () => forgotten++ } },
  );
});

test("SM7: a notes file that can be neither read nor written costs the notes and nothing else", () => {
  const full = () => {
    throw new Error("disk full");
  };
  return play(
    async ({ compactor, at, clock, of }) => {
      await compactor.beforeRequest(session(12), at(12));
      await clock.sleep(1_000);
      const { outcome } = await compactor.beforeRequest(session(170), at(170));
      expect(outcome).toMatchObject({ kind: "compacted", plan: { layer: "full" } });
      expect(of("sm_extraction_finished")).toMatchObject([{ outcome: "failed", lastSummarizedUuid: null }]);
      expect(of("sm_compact_skipped")).toMatchObject([{ reason: "error: disk full" }]);
    },
    {
      ask: (request) => (request.purpose === "compact" ? summary : notesAnswer("so far")),
      ports: { notes: { path: "/notes.md", read: full, write: full } },
      config: { sessionMemory: { extraction: { toolCallsBetween: 1_000 } } },
    },
  );
});

test("AC7: two requests at once make one compaction, and it says that nobody asked for it", () =>
  play(
    async ({ compactor, at, clock, asked, of }) => {
      const first = clock.fork(() => compactor.beforeRequest(session(170), at(1)));
      await clock.sleep(1_000);
      expect((await compactor.beforeRequest(session(170), at(1))).outcome).toBeNull();
      expect((await clock.join(first))?.outcome?.kind).toBe("compacted");
      expect(asked).toHaveLength(1);
      expect(of("compact_started")).toMatchObject([{ trigger: "auto" }]);
    },
    {
      config: noMemory,
      ask: async (_, clock) => {
        await clock.sleep(10_000);
        return summary;
      },
    },
  ));

test("AC6: where aborts count, as in the original, the breaker tells of one; an abort of the half-open try opens nothing anew", () => {
  let reply: AskReply = { kind: "aborted" };
  const breaker = { maxFailures: 1, countAborts: true };
  const counting = play(
    async ({ compactor, at, of }) => {
      await compactor.beforeRequest(session(170), at(1));
      expect(of("breaker_opened")).toEqual([{ kind: "breaker_opened", failures: 1, lastReason: "aborted" }]);
    },
    { config: { ...noMemory, auto: { breaker } }, ask: () => reply },
  );
  const policy = { kind: "half-open", afterRounds: 10 } as const;
  return counting.then(() => {
    reply = overloaded;
    return play(
      async ({ compactor, at, of }) => {
        await compactor.beforeRequest(session(170), at(1));
        reply = { kind: "aborted" };
        await compactor.beforeRequest(session(170), at(11));
        expect(of("compact_aborted")).toHaveLength(1);
        expect(of("breaker_opened")).toHaveLength(1);
        expect(compactor.state().breaker).toEqual({ failures: 1, openedAtRound: 1 });
      },
      { config: { ...noMemory, auto: { breaker: { maxFailures: 1, policy } } }, ask: () => reply },
    );
  });
});

test("AC8: what waits to be said counts as irreducible, from the very line on; without a guard, as in the original, it is tried", () => {
  const pending = aUser("x".repeat(30_000), { uuid: "waiting" });
  const decisionAt = async (overheadTokens: number, config: ConfigInput, over: Partial<CompactionContext>) =>
    play(
      async ({ compactor, at, of }) => {
        await compactor.beforeRequest(session(170), at(1, { overheadTokens, ...over }));
        for (const { text } of of("notice")) expect(text).toContain("167000 tokens");
        return of("autocompact_check")[0]?.decision;
      },
      { config: { ...noMemory, ...config } },
    );
  const human = estimateMessageTokens([session(1)[0] as Message]);
  return Promise.all([
    decisionAt(157_000, {}, { pending }).then((decision) => expect(decision).toBe("irreducible")),
    decisionAt(157_000, {}, {}).then((decision) => expect(decision).toBe("compact")),
    decisionAt(167_000 - human, {}, {}).then((decision) => expect(decision).toBe("irreducible")),
    decisionAt(167_000 - human - 1, {}, {}).then((decision) => expect(decision).toBe("compact")),
    decisionAt(167_000, { auto: { thrashGuard: null } }, {}).then((decision) => expect(decision).toBe("compact")),
  ]);
});

test("AC4: with compaction disabled nothing is cleared, compacted or looked for, whoever asks, and it says so before it tells of the breaker", () =>
  play(
    async ({ compactor, at, asked, of }) => {
      const broken = { ...compactor.state(), breaker: { failures: 3, openedAtRound: 1 } };
      compactor.restore(JSON.parse(JSON.stringify(broken)));
      expect(compactor.state()).toEqual(broken);
      const messages = session(170).map((message) => ({ ...message, timestamp: message.timestamp - 7_200_000 }));
      expect(await compactor.beforeRequest(messages, at(170))).toMatchObject({
        micro: { kind: "none" },
        outcome: null,
      });
      expect(of("autocompact_check").map(({ decision }) => decision)).toEqual(["disabled"]);
      const nothing = { kind: "nothing-to-do", reason: "disabled" };
      expect(await compactor.compact(messages, "", at(170))).toEqual(nothing);
      const error: CallError = { class: "overflow", text: "prompt is too long: 207547 tokens > 200000 maximum" };
      expect(await compactor.onTooLong(messages, error, at(170))).toEqual(nothing);
      expect(asked).toEqual([]);
    },
    { config: { ...noMemory, auto: { compactEnabled: false } } },
  ));

test("AC6: a manual compaction that leaves the context above the line closes no breaker", () =>
  play(
    async ({ compactor, at, of }) => {
      compactor.restore({ ...compactor.state(), breaker: { failures: 3, openedAtRound: 1 } });
      expect((await compactor.compact(session(190), "", at(2))).kind).toBe("compacted");
      expect(of("breaker_closed")).toEqual([]);
      expect(compactor.state().breaker.openedAtRound).toBe(1);
    },
    { config: noMemory, ask: () => answer(`<summary>${"x".repeat(510_000)}</summary>`) },
  ));

/** A compactor whose notes cover the session up to this message. */
const coveredUpTo = (compactor: Compactor, lastSummarizedUuid: string): void => {
  const notes = writeNotes(new Map([["Current State", "Half done."]]));
  const state = compactor.state();
  compactor.restore({ ...state, memory: { ...state.memory, notes, lastSummarizedUuid } });
};

test("PC2: after session memory the notes cover what they did where that is kept, else all up to the summary", () =>
  play(async ({ compactor, at, of }) => {
    for (const [covered, isKept] of [
      ["m326", true],
      ["m200", false],
    ] as const) {
      coveredUpTo(compactor, covered);
      const outcome = await compactor.compact(session(165), "  ", at(165));
      if (outcome.kind !== "compacted") throw new Error(JSON.stringify(outcome));
      expect(outcome.plan.layer).toBe("session-memory");
      const { lastSummarizedUuid } = compactor.state().memory;
      expect(lastSummarizedUuid).toBe(isKept ? covered : outcome.plan.head[1]?.uuid);
    }
    expect(of("compact_started")).toMatchObject([
      { trigger: "manual", layer: "session-memory", tokensBefore: expect.any(Number) },
      { trigger: "manual", layer: "session-memory" },
    ]);
  }));

test("FC11: an abort while the notes are tried ends it there, and nobody is asked for a summary", () =>
  play(async ({ compactor, at, asked, of }) => {
    coveredUpTo(compactor, "m300");
    const abort = new AbortController();
    abort.abort();
    expect(await compactor.compact(session(165), "", at(165, { signal: abort.signal }))).toEqual({ kind: "aborted" });
    expect(of("compact_aborted")).toEqual([{ kind: "compact_aborted", trigger: "manual", layer: "session-memory" }]);
    expect(asked).toEqual([]);
  }));

test("MC3: a response without a block to pin pins nothing; a fork's response is none of the main thread's", () =>
  play(
    async ({ compactor, at, of }) => {
      await compactor.beforeRequest(session(3), at(3));
      compactor.afterResponse(session(3), at(3));
      expect(of("cache_edits_pinned")).toEqual([]);
      const before = compactor.state();
      compactor.afterResponse(session(4), at(4, { querySource: "subagent" }));
      expect(compactor.state()).toEqual(before);
    },
    { config: noMemory },
  ));
