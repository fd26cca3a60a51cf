import { expect, test } from "vitest";
import { anAssistant, aResultMessage, aToolUse, aUsage, aUser, createVirtualClock, inOrder } from "../testing/index.ts";
import type { ModelInfo } from "../tokens/index.ts";
import { findModel, roughEstimator } from "../tokens/index.ts";
import type { Message } from "../transcript/index.ts";
import type { ConfigInput } from "./check-config.ts";
import type { Compactor } from "./compactor.ts";
import { createCompactor } from "./compactor.ts";
import type { CompactionContext, CompactorPorts } from "./context.ts";
import type { CompactionFact } from "./events.ts";
import type { CompactionOutcome } from "./plan.ts";
import { applyPlan } from "./plan.ts";
import type { AskReply, AskRequest, CallError } from "./ports.ts";
import { resolveConfig } from "./resolve-config.ts";
import { writeNotes } from "./session-memory/notes-template.ts";

const model: ModelInfo = {
  ...(findModel("claude-sonnet-4-5") as ModelInfo),
  contextWindow: 200_000,
  maxOutput: 64_000,
};
const context: CompactionContext = {
  model,
  overheadTokens: 5_000,
  querySource: "main",
  turn: 1,
  round: 1,
  requestMaxTokens: 8_000,
  autonomous: false,
};
const tooLong: CallError = { class: "overflow", text: "prompt is too long: 210000 tokens > 200000 maximum" };
const overloaded: AskReply = { kind: "error", error: { class: "overloaded", text: "Overloaded" } };
const summaryOf = (text: string): AskReply => ({
  kind: "answer",
  text: `<summary>${text}</summary>`,
  stopReason: "end_turn",
  toolCalls: [],
  usage: aUsage({ output_tokens: 100 }),
});

interface World {
  readonly compactor: Compactor;
  readonly asked: readonly AskRequest[];
  readonly facts: readonly CompactionFact[];
}

/** One compactor over a model that always answers the same. */
function play<T>(
  options: { readonly reply: AskReply; readonly config?: ConfigInput; readonly ports?: Partial<CompactorPorts> },
  body: (world: World) => Promise<T>,
): Promise<T> {
  const clock = createVirtualClock(1_000);
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
      return options.reply;
    },
    ...options.ports,
  });
  return clock.run(() => body({ compactor, asked, facts }));
}

/** Rounds of about 1 000 padded tokens each. */
function session(rounds: number): readonly Message[] {
  const made = Array.from({ length: rounds }, (_, i) => [
    anAssistant([{ type: "text", text: `Step ${i}.` }, aToolUse(`t${i}`)], { id: `msg_${i}` }),
    aResultMessage(`t${i}`, `${i}`.padEnd(2_900, "x")),
  ]);
  return inOrder([aUser("Port the parser."), ...made.flat()], 1_000);
}

const kinds = (facts: readonly CompactionFact[]) => facts.map(({ kind }) => kind);
const noMemory = { sessionMemory: { enabled: false } } as const;

/** The notes cover the session up to this message. */
function cover(compactor: Compactor, lastSummarizedUuid: string): void {
  const state = compactor.state();
  const notes = writeNotes(new Map([["Current State", "Half done."]]));
  compactor.restore({ ...state, memory: { ...state.memory, notes, lastSummarizedUuid } });
}

function planOf(outcome: CompactionOutcome) {
  if (outcome.kind !== "compacted") throw new Error(JSON.stringify(outcome));
  return outcome.plan;
}

test("RC2: a refused request is answered by a summary even where notes would serve, and nobody's words go into its prompt", () =>
  play({ reply: summaryOf("Done so far.") }, async ({ compactor, asked }) => {
    cover(compactor, "m300");
    expect(planOf(await compactor.onTooLong(session(160), tooLong, context)).layer).toBe("full");
    await compactor.compact(session(160), "  ", context);
    expect(asked).toHaveLength(2);
    expect(asked[0]?.instruct).toBe(asked[1]?.instruct);
  }));

test("AC6, RC2: a reactive compaction that brings the context below the line closes the breaker, one that does not leaves it open", async () => {
  for (const [length, closed] of [
    [100, [{ kind: "breaker_closed", by: "auto" }]],
    [510_000, []],
  ] as const) {
    await play({ reply: summaryOf("x".repeat(length)), config: noMemory }, async ({ compactor, facts }) => {
      compactor.restore({ ...compactor.state(), breaker: { failures: 3, openedAtRound: 1 } });
      expect((await compactor.onTooLong(session(220), tooLong, context)).kind).toBe("compacted");
      expect(facts.filter(({ kind }) => kind === "breaker_closed")).toEqual(closed);
    });
  }
});

test("RC2: a second refusal before any response is answered by nothing", () =>
  play({ reply: overloaded, config: noMemory }, async ({ compactor }) => {
    await compactor.onTooLong(session(220), tooLong, context);
    expect(await compactor.onTooLong(session(220), tooLong, context)).toEqual({
      kind: "nothing-to-do",
      reason: "already-tried",
    });
  }));

test("FC11, PT5: no rounds are dropped where the summary was aborted, or where media were what was refused", async () => {
  const media: CallError = { class: "media", text: "image exceeds 5 MB maximum" };
  for (const [reply, error, outcome] of [
    [{ kind: "aborted" }, tooLong, { kind: "aborted" }],
    [overloaded, media, { kind: "failed", reason: "overloaded" }],
  ] as const) {
    await play({ reply, config: noMemory }, async ({ compactor, facts }) => {
      expect(await compactor.onTooLong(session(220), error, context)).toMatchObject(outcome);
      expect(kinds(facts)).not.toContain("rounds_dropped");
      expect(compactor.state().lastCompaction).toBeNull();
    });
  }
});

test("RC2: where nothing may fall the failure of the summary stands", () =>
  play({ reply: overloaded, config: noMemory }, async ({ compactor }) => {
    const outcome = await compactor.onTooLong(inOrder([aUser("Go."), anAssistant("Yes.")]), tooLong, context);
    expect(outcome).toMatchObject({ kind: "failed", reason: "prompt_too_long" });
  }));

test("AC8: a drop that makes nothing smaller by the server's count is discarded, history as before", () =>
  play({ reply: overloaded, config: noMemory, ports: { count: async () => 190_000 } }, async ({ compactor, facts }) => {
    const outcome = await compactor.onTooLong(session(220), tooLong, context);
    expect(outcome).toMatchObject({ kind: "failed", reason: "overloaded" });
    expect(kinds(facts)).not.toContain("rounds_dropped");
    expect(compactor.state().lastCompaction).toBeNull();
  }));

test("PC2: after a drop the notes cover what they did where that is still there, else nothing that is known", async () => {
  for (const covered of ["m3", "m300"]) {
    await play({ reply: overloaded }, async ({ compactor }) => {
      cover(compactor, covered);
      const messages = session(220);
      const plan = planOf(await compactor.onTooLong(messages, tooLong, context));
      expect(plan.layer).toBe("drop");
      const isKept = applyPlan(messages, plan).some(({ uuid }) => uuid === covered);
      expect(isKept).toBe(covered === "m300");
      expect(compactor.state().memory.lastSummarizedUuid).toBe(isKept ? covered : null);
    });
  }
});

test("AC8: notes that a hook's output makes larger than what they replace are discarded, and a summary is asked for", () => {
  let started = 0;
  return play(
    {
      reply: summaryOf("Done so far."),
      ports: { hooks: { sessionStart: async () => (started++ === 0 ? "x".repeat(600_000) : null) } },
    },
    async ({ compactor, facts, asked }) => {
      cover(compactor, "m200");
      const plan = planOf(await compactor.compact(session(120), "", context));
      expect(plan.layer).toBe("full");
      expect(asked).toHaveLength(1);
      expect(compactor.state().lastCompaction?.boundaryUuid).toBe(plan.boundary.uuid);
      expect(facts).toContainEqual({ kind: "sm_compact_skipped", reason: "inflated" });
      expect(facts.filter(({ kind }) => kind === "compact_succeeded")).toMatchObject([{ layer: "full" }]);
    },
  );
});

test("AC6, AC8: notes that a hook's output lifts above the line are adopted, and close no breaker", () =>
  play(
    { reply: overloaded, ports: { hooks: { sessionStart: async () => "x".repeat(500_000) } } },
    async ({ compactor, facts }) => {
      cover(compactor, "m370");
      compactor.restore({ ...compactor.state(), breaker: { failures: 3, openedAtRound: 1 } });
      const plan = planOf(await compactor.compact(session(195), "", context));
      expect([plan.layer, plan.tokensAfter > 167_000]).toEqual(["session-memory", true]);
      expect(kinds(facts)).not.toContain("breaker_closed");
    },
  ));

test("AC8: what was told as irreducible is told again after a compaction", () =>
  play({ reply: summaryOf("Done so far."), config: noMemory }, async ({ compactor, facts }) => {
    const full = { ...context, overheadTokens: 166_995 };
    for (let round = 1; round <= 2; round++) {
      for (let i = 0; i < 2; i++) await compactor.beforeRequest(session(12), { ...full, round });
      expect(facts.filter((fact) => fact.kind === "notice" && fact.code === "irreducible")).toHaveLength(round);
      await compactor.compact(session(12), "", { ...full, round });
    }
  }));

test("AC3: after a compaction a response without a usable figure does not end the silence", () =>
  play({ reply: summaryOf("Done so far."), config: noMemory }, async ({ compactor }) => {
    const messages = session(100);
    const plan = planOf(await compactor.compact(messages, "", context));
    const next = [...applyPlan(messages, plan), anAssistant("Yes.", { usage: aUsage({}) })];
    compactor.afterResponse(next, context);
    expect(compactor.state().justCompacted).toBe(true);
    compactor.afterResponse([...next, anAssistant("And.", { usage: aUsage({ input_tokens: 900 }) })], context);
    expect(compactor.state().justCompacted).toBe(false);
  }));
