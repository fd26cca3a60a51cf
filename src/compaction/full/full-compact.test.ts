import fc from "fast-check";
import { expect, test } from "vitest";
import {
  aBoundary,
  anAssistant,
  anAttachment,
  anImage,
  aResultMessage,
  aThinking,
  aToolResult,
  aToolUse,
  aUsage,
  aUser,
  createVirtualClock,
  inOrder,
} from "../../testing/index.ts";
import type { ModelInfo } from "../../tokens/index.ts";
import { findModel, roughEstimator, roughTokenSum } from "../../tokens/index.ts";
import type { Message } from "../../transcript/index.ts";
import { isHumanMessage, newestHumanMessage, textOf } from "../../transcript/index.ts";
import type { CompactionConfig } from "../config.ts";
import { defaultConfig } from "../config.ts";
import type { CompactorPorts } from "../context.ts";
import type { CompactionFact } from "../events.ts";
import type { CompactionOutcome, CompactionPlan } from "../plan.ts";
import { applyPlan } from "../plan.ts";
import type { AskReply, AskRequest, CallError, ErrorClass } from "../ports.ts";
import { commitCompaction } from "./commit.ts";
import { fullCompact } from "./full-compact.ts";
import type { FullCompactInput } from "./full-compact-input.ts";
import { isTruncationMarker } from "./truncate-head.ts";

const model = findModel("claude-sonnet-4-5") as ModelInfo;
const boundModel = findModel("claude-opus-5-5") as ModelInfo;

const SUMMARY = "<analysis>draft</analysis><summary>1. Primary Request and Intent: ship it</summary>";
const answer = (text = SUMMARY, more: Partial<AskReply & { kind: "answer" }> = {}): AskReply => ({
  kind: "answer",
  text,
  stopReason: "end_turn",
  toolCalls: [],
  usage: aUsage({ cache_read_input_tokens: 1_000, cache_creation_input_tokens: 10 }),
  ...more,
});
const error = (kind: ErrorClass, text = "refused"): AskReply => ({ kind: "error", error: { class: kind, text } });
const tooLong = (tokens: number): AskReply =>
  error("overflow", `prompt is too long: ${tokens} tokens > 200000 maximum`);
const toolCall = answer("Let me check.", { stopReason: "tool_use", toolCalls: [aToolUse("x")] });

/** A human message, then rounds of about 1 000 rough tokens. */
function session(rounds = 20): readonly Message[] {
  return inOrder<Message>([
    aUser("Build the parser."),
    ...Array.from({ length: rounds }, (_, i) => [
      anAssistant([aThinking(`think ${i}`), aToolUse(`t${i}`, "Bash", { command: "make" })], { id: `r${i}` }),
      aResultMessage(`t${i}`, "x".repeat(4_000)),
    ]).flat(),
  ]);
}

interface World {
  readonly messages?: readonly Message[];
  readonly replies?: readonly (AskReply | ((request: AskRequest) => AskReply))[];
  readonly input?: Partial<FullCompactInput>;
  readonly context?: Partial<FullCompactInput["context"]>;
  readonly config?: Partial<CompactionConfig["full"]>;
  readonly thrashGuard?: null;
  readonly ports?: Partial<CompactorPorts>;
  /** The user aborts when the world is touched for the nth time. */
  readonly abortAtTouch?: number;
}

interface Run {
  readonly outcome: CompactionOutcome;
  readonly requests: readonly AskRequest[];
  readonly facts: readonly CompactionFact[];
  readonly touches: readonly string[];
  readonly result: readonly Message[];
  readonly plan: CompactionPlan;
}

async function compact(world: World = {}): Promise<Run> {
  const clock = createVirtualClock(1_000);
  const { messages = session(), replies = [answer()] } = world;
  const abort = new AbortController();
  const facts: CompactionFact[] = [];
  const requests: AskRequest[] = [];
  const touches: string[] = [];
  const touch = (what: string): void => {
    if (touches.push(what) === world.abortAtTouch) abort.abort();
  };
  let ids = 0;
  const outcome = await clock.run(() =>
    fullCompact(
      {
        messages,
        trigger: "auto",
        context: {
          model,
          overheadTokens: 5_000,
          querySource: "main",
          turn: 3,
          round: 20,
          requestMaxTokens: 8_000,
          autonomous: false,
          signal: abort.signal,
          ...world.context,
        },
        ...world.input,
      },
      {
        ...defaultConfig,
        full: { ...defaultConfig.full, ...world.config },
        auto: { ...defaultConfig.auto, ...(world.thrashGuard === null ? { thrashGuard: null } : {}) },
      },
      {
        clock,
        ids: { uuid: () => `new${ids++}` },
        estimator: roughEstimator,
        emit: (fact) => facts.push(fact),
        ask: async (request) => {
          touch("ask");
          await clock.sleep(5_000, request.signal);
          touch("answer");
          const reply = replies[requests.length];
          requests.push(request);
          if (request.signal?.aborted) return { kind: "aborted" };
          if (reply === undefined) throw new Error(`unexpected request ${requests.length}`);
          return typeof reply === "function" ? reply(request) : reply;
        },
        ...world.ports,
        hooks: {
          preCompact: async () => {
            touch("PreCompact");
            return "Keep every port number.";
          },
          sessionStart: async () => {
            touch("SessionStart");
            return "branch: main";
          },
          ...world.ports?.hooks,
        },
        readFiles: {
          snapshot: () => {
            touch("snapshot");
            return [{ path: "/repo/a.ts", readAtMs: 1 }];
          },
          read: async () => {
            touch("read");
            await clock.sleep(5);
            return "export {}";
          },
          reset: () => touch("reset"),
        },
      },
    ),
  );
  const plan = outcome.kind === "compacted" ? outcome.plan : (undefined as unknown as CompactionPlan);
  return { outcome, requests, facts, touches, plan, result: plan ? applyPlan(messages, plan) : messages };
}

const kinds = (facts: readonly CompactionFact[]): readonly string[] => facts.map((fact) => fact.kind);

test("FC1: hooks, prompt, request, attachments, SessionStart, plan, in that order, and nothing is committed", async () => {
  const { touches, requests, facts, outcome } = await compact({
    ports: { memoryFile: () => "# Compact Instructions\nKeep tests." },
    input: { instructions: "Focus on auth." },
  });
  expect(touches).toEqual(["PreCompact", "ask", "answer", "snapshot", "read", "SessionStart"]);
  expect(requests[0]?.instruct).toContain("Focus on auth.\n\nKeep every port number.\n\nKeep tests.");
  expect(kinds(facts)).toEqual(["compact_started"]);
  expect(outcome).toMatchObject({
    kind: "compacted",
    cost: { attempts: 1, cacheReadTokens: 1_000, cacheCreationTokens: 10 },
  });
});

test("FC1: hooks that fail or hang cost nothing but their output", async () => {
  const broken = async (): Promise<string> => Promise.reject(new Error("exit 1"));
  const { outcome, facts } = await compact({ ports: { hooks: { preCompact: broken, sessionStart: broken } } });
  expect(outcome.kind).toBe("compacted");
  expect(kinds(facts)).toEqual(["compact_started", "notice", "notice"]);
});

test("FC1: the commit resets the cache, forgets, tells, and then runs the PostCompact hook", async () => {
  const { plan } = await compact();
  const clock = createVirtualClock(9_000);
  const did: unknown[] = [];
  await clock.run(() =>
    commitCompaction(
      plan,
      {
        cost: { attempts: 2, cacheReadTokens: 7, cacheCreationTokens: 8 },
        startedAtMs: 1_000,
        threshold: 100,
        recompaction: { turnsSinceLast: 4, sameChain: false, lastBoundaryUuid: "b" },
        hookTimeoutMs: 10,
      },
      {
        clock,
        ids: { uuid: () => "" },
        estimator: roughEstimator,
        ask: async () => answer(),
        emit: (fact) => did.push(fact),
        forgetCaches: () => did.push("forget"),
        readFiles: { snapshot: () => [], read: async () => null, reset: (paths) => did.push(paths) },
        hooks: { postCompact: async (summary) => void did.push(summary) },
      },
    ),
  );
  expect(did).toEqual([
    ["/repo/a.ts"],
    "forget",
    expect.objectContaining({
      kind: "compact_succeeded",
      layer: "full",
      attempts: 2,
      durationMs: 8_000,
      messagesSummarized: 40,
      messagesKept: 1,
      tokensAfter: plan.tokensAfter,
      willRetriggerNextTurn: true,
      turnsSinceLast: 4,
      sameChain: false,
      lastBoundaryUuid: "b",
    }),
    "Summary:\n1. Primary Request and Intent: ship it",
  ]);
});

test("FC2, M6: only what follows the last boundary is sent, the very array content of the main thread", async () => {
  const live = session(4);
  const messages = [aUser("before", { uuid: "old" }), aBoundary({ uuid: "b" }), ...live];
  const { requests, plan } = await compact({ messages });
  expect(requests[0]?.messages).toEqual(live);
  expect(requests[0]?.messages.every((message, i) => message === live[i])).toBe(true);
  expect(plan.keep.from).toBe(2);
});

const withMedia = (more: readonly Message[] = []): readonly Message[] =>
  inOrder<Message>([
    aUser([{ type: "text", text: "see" }, anImage()]),
    anAttachment("skills", { attachment: { kind: "skill-list" } }),
    anAssistant([aToolUse("t0")]),
    aResultMessage("t0", "x".repeat(40_000)),
    ...more,
  ]);

test("FC2: the fork is untouched while it fits, and prepared when it would not", async () => {
  const fits = await compact({ messages: withMedia() });
  expect(fits.requests[0]?.messages).toEqual(withMedia());
  const full = withMedia([
    anAssistant("ok", { usage: aUsage({ input_tokens: 179_500, output_tokens: 100 }) }),
    aUser("go on"),
  ]);
  const { requests } = await compact({ messages: full });
  expect(JSON.stringify(requests[0]?.messages)).not.toMatch(/"image"|skill-list/);
  expect(requests[0]).toMatchObject({ system: "same", tools: "same", cacheEdits: "same" });
  expect(JSON.stringify(requests[0]?.messages)).toContain("[image]");
});

test("FC2: `always` prepares the fork, as the original does", async () => {
  const { requests } = await compact({
    messages: withMedia(),
    config: { fork: { enabled: true, preparation: "always" } },
  });
  expect(JSON.stringify(requests[0]?.messages)).toContain("[image]");
});

test("FC3: the fork shares everything with the main thread; the direct path shares nothing and is prepared", async () => {
  const { requests, facts } = await compact({
    messages: withMedia(),
    replies: [toolCall, answer()],
    input: { deletedResults: ["t0"] },
  });
  expect(requests[0]).toMatchObject({
    purpose: "compact",
    system: "same",
    tools: "same",
    thinking: "same",
    cacheEdits: "same",
    model: "main",
    maxOutput: 20_000,
  });
  expect(requests[1]).toMatchObject({
    purpose: "compact",
    tools: "none",
    thinking: "off",
    cacheEdits: "none",
    model: "main",
    maxOutput: 20_000,
  });
  expect(requests[1]?.system).toMatchObject({ own: expect.stringContaining("summarise") });
  expect(requests[1]?.instruct).toBe(requests[0]?.instruct);
  const direct = JSON.stringify(requests[1]?.messages);
  expect(direct).toContain("[image]");
  expect(direct).toContain(defaultConfig.micro.marker);
  expect(direct).not.toContain("skill-list");
  expect(facts).toContainEqual({ kind: "compact_fallback_streaming", reason: "tool_call", attempt: 1 });
});

test("FC3: the cap is the model's own maximum where that is lower", async () => {
  const { requests } = await compact({ context: { model: { ...model, maxOutput: 4_096 } } });
  expect(requests[0]?.maxOutput).toBe(4_096);
});

test.each<[reason: string, reply: AskReply]>([
  ["tool_call", toolCall],
  ["tool_call", answer(SUMMARY, { toolCalls: [aToolUse("x")] })],
  ["empty", answer("")],
  ["empty", answer(" \n ")],
  ["draft-only", answer("<analysis>only this")],
  ["error-text", answer("API Error: 500 Internal server error")],
  ["stopped_by_max_tokens", answer(SUMMARY, { stopReason: "max_tokens" })],
  ["stopped_by_refusal", answer(SUMMARY, { stopReason: "refusal" })],
  ["stopped_by_nothing", answer(SUMMARY, { stopReason: null })],
  ["transient", error("transient")],
  ["overloaded", error("overloaded")],
  ["auth", error("auth")],
])("FC3: %s from the fork leads to the direct path, tried twice, and then to a failure", async (reason, reply) => {
  const once = await compact({ replies: [reply, answer(SUMMARY, { stopReason: "stop_sequence" })] });
  expect(once.outcome).toMatchObject({ kind: "compacted", cost: { attempts: 2 } });
  const never = await compact({ replies: [reply, reply, reply] });
  expect(never.outcome).toEqual({ kind: "failed", reason, attempts: 3 });
  expect(kinds(never.facts)).toEqual([
    "compact_started",
    "compact_fallback_streaming",
    "compact_fallback_streaming",
    "compact_failed",
  ]);
});

test("FC3: either path can be turned off", async () => {
  const direct = await compact({ config: { fork: { enabled: false, preparation: "when-needed" } } });
  expect(direct.requests[0]?.tools).toBe("none");
  expect(kinds(direct.facts)).toEqual(["compact_started"]);
  const fork = await compact({ replies: [toolCall], config: { direct: { enabled: false, attempts: 2 } } });
  expect(fork.outcome).toEqual({ kind: "failed", reason: "tool_call", attempts: 1 });
});

test("FC3: an answer that filled the window is a request that was too long by its max_tokens", async () => {
  const { facts, requests } = await compact({
    messages: session(60),
    replies: [answer("part", { stopReason: "model_context_window_exceeded" }), answer()],
  });
  expect(facts).toContainEqual(expect.objectContaining({ kind: "compact_ptl_retry", attempt: 1, gap: 20_000 }));
  expect(requests[1]?.tools).toBe("same");
});

test("PT1, PT4: too long three times is retried on the same path, each time shorter, and then fails with advice", async () => {
  const reply = error("overflow", "Prompt is too long");
  const messages = session(100);
  const { outcome, requests, facts } = await compact({ messages, replies: [reply, reply, reply, reply] });
  expect(outcome).toEqual({ kind: "failed", reason: "prompt_too_long", attempts: 4 });
  expect(requests.map((request) => request.tools)).toEqual(["same", "same", "same", "same"]);
  const sizes = requests.map((request) => roughTokenSum(request.messages));
  expect(sizes).toEqual([...new Set(sizes)].sort((a, b) => b - a));
  expect(facts).toContainEqual({
    kind: "notice",
    code: "prompt_too_long",
    text: expect.stringContaining("Conversation too long"),
  });
  expect(kinds(facts).filter((kind) => kind === "compact_ptl_retry")).toHaveLength(3);
});

test("PT2: one retry is enough where the server counts twice what the estimate says", async () => {
  const messages = session(100);
  const server = (request: AskRequest): AskReply => {
    const tokens = Math.ceil(2 * (roughTokenSum(request.messages) + 5_000 + request.instruct.length / 4));
    return tokens > 200_000 ? tooLong(tokens) : answer();
  };
  const { requests, outcome } = await compact({ messages, replies: [server, server] });
  expect(outcome).toMatchObject({ kind: "compacted", cost: { attempts: 2 } });
  expect(requests[1]?.messages.slice(0, 2).map(isTruncationMarker)).toEqual([false, true]);
  expect(requests[1]?.cacheEdits).toBe("none");
});

test("PT4: the direct path goes on with the head as the fork left it, and shares its retries", async () => {
  const replies = [tooLong(210_000), toolCall, tooLong(210_000), tooLong(205_000), tooLong(202_000)];
  const { outcome, requests } = await compact({ messages: session(100), replies });
  expect(outcome).toEqual({ kind: "failed", reason: "prompt_too_long", attempts: 5 });
  expect(requests.map((request) => request.tools)).toEqual(["same", "same", "none", "none", "none"]);
  expect(requests[2]?.messages).toEqual(requests[1]?.messages);
});

test("MC3: where the head is cut, deleted results are cleared before anything is estimated or dropped", async () => {
  const { requests } = await compact({
    messages: session(50),
    replies: [tooLong(201_000), answer()],
    input: { deletedResults: ["t48", "t49"] },
  });
  expect(requests[0]?.cacheEdits).toBe("same");
  expect(JSON.stringify(requests[1]?.messages.slice(-4))).toContain(defaultConfig.micro.marker);
});

test("M7: where thinking is bound to its past, a changed fork carries none, an unchanged one all", async () => {
  const { requests } = await compact({
    messages: session(50),
    replies: [tooLong(201_000), answer()],
    context: { model: boundModel },
  });
  expect(JSON.stringify(requests[0]?.messages)).toContain('"thinking"');
  expect(JSON.stringify(requests[1]?.messages)).not.toContain('"thinking"');
});

test("PT5: refused media are stripped, once, on the fork; the newest message keeps its words and markers", async () => {
  const { requests, result, facts } = await compact({ messages: withMedia(), replies: [error("media"), answer()] });
  expect(requests.map((request) => request.tools)).toEqual(["same", "same"]);
  expect(JSON.stringify(requests[1]?.messages)).toContain("[image]");
  expect(kinds(facts)).toEqual(["compact_started", "notice"]);
  expect(newestHumanMessage(result)?.content).toEqual([
    { type: "text", text: "see" },
    { type: "text", text: "[image]" },
  ]);
  const again = await compact({
    messages: withMedia(),
    replies: [error("media"), error("media"), error("media"), error("media")],
  });
  expect(again.outcome).toEqual({ kind: "failed", reason: "media", attempts: 4 });
});

test("PT5: media that nobody sent are not stripped: the same request is not sent again", async () => {
  const { outcome } = await compact({ replies: [error("media"), error("media"), error("media")] });
  expect(outcome).toEqual({ kind: "failed", reason: "media", attempts: 3 });
});

test("RC2: the head is cut by the main request's gap before the first request, which is no retry", async () => {
  const refused: CallError = { class: "overflow", text: "prompt is too long: 220000 tokens > 200000 maximum" };
  const messages = session(100);
  const { requests, facts, outcome } = await compact({ messages, input: { refused, trigger: "reactive" } });
  expect(requests[0]?.messages.slice(0, 2).map(isTruncationMarker)).toEqual([false, true]);
  expect(requests[0]).toMatchObject({ tools: "same", cacheEdits: "none" });
  expect(kinds(facts)).toEqual(["compact_started", "notice"]);
  expect(outcome).toMatchObject({
    kind: "compacted",
    plan: { trigger: "reactive", boundary: { trigger: "reactive" } },
  });
  const sent = roughTokenSum(requests[0]?.messages ?? []);
  const rate = 220_000 / (roughTokenSum(messages) + 5_000);
  expect((sent + 5_000 + (requests[0]?.instruct.length ?? 0) / 4) * rate).toBeLessThanOrEqual(180_000);
});

test("RC2: a main request refused for its media is summarised without them from the start", async () => {
  const { requests, result } = await compact({
    messages: withMedia(),
    input: { refused: { class: "media", text: "image too large" } },
  });
  expect(JSON.stringify(requests[0]?.messages)).toContain("[image]");
  expect(JSON.stringify(result)).not.toContain('"image"');
});

test("RC2: where nothing may go, no request is sent", async () => {
  const messages = inOrder<Message>([anAssistant("x".repeat(900_000))]);
  const { outcome, requests } = await compact({
    messages,
    input: { refused: { class: "overflow", text: "225000 tokens > 200000" } },
  });
  expect(outcome).toEqual({ kind: "failed", reason: "prompt_too_long", attempts: 0 });
  expect(requests).toEqual([]);
});

test("FC5: partial-from shows all, keeps the older part, and puts the summary after it", async () => {
  const messages = session(10);
  const { requests, result, plan, facts } = await compact({
    messages,
    input: { trigger: "manual", scope: { kind: "partial-from", pivot: 10 } },
  });
  expect(requests[0]?.messages).toEqual(messages);
  expect(requests[0]?.instruct).toContain("only the recent part");
  expect(facts).toContainEqual({ kind: "index_adjusted", from: 10, to: 9, why: "tool-pair" });
  expect(plan.keep).toEqual({ from: 0, to: 9 });
  expect(result[0]).toBe(plan.boundary);
  expect(result.slice(1, 10)).toEqual(messages.slice(0, 9));
  expect(result[10]).toMatchObject({ isCompactSummary: true });
  expect(textOf(result[10] as Message)).toContain("conversation above ran out");
});

test("FC5: partial-up-to shows the older part only and keeps the newer one after the summary", async () => {
  const messages = session(10);
  const { requests, result, plan } = await compact({
    messages,
    input: { trigger: "manual", scope: { kind: "partial-up-to", pivot: 11 } },
  });
  expect(requests[0]?.messages).toEqual(messages.slice(0, 11));
  expect(requests[0]?.instruct).toContain("8. Work Completed");
  expect(plan.keep).toEqual({ from: 11, to: 21 });
  expect(result.slice(3, 13)).toEqual(messages.slice(11));
  expect(textOf(result[1] as Message)).toContain("Recent messages follow");
  expect(result[2]).toBe(messages[0]);
});

test("FC9: boundary, summary, newest human message, attachments, hook output; the figures are those of the whole request", async () => {
  const messages = session();
  const { result, plan } = await compact({ messages });
  expect(result.map((message) => (message.kind === "attachment" ? message.attachment.kind : message.kind))).toEqual([
    "boundary",
    "user",
    "user",
    "file",
    "hook",
  ]);
  expect(result[2]).toBe(messages[0]);
  expect(plan.boundary).toMatchObject({
    trigger: "auto",
    tokensBefore: 5_000 + roughEstimator.total(roughTokenSum(messages)),
    tokensAfter: 5_000 + roughEstimator.total(roughTokenSum(result)),
    messagesSummarized: 40,
    lastUuidBefore: "m40",
    keptUuids: ["m0"],
  });
});

test("FC9: the sizes come from the count port where it can tell both", async () => {
  const count = async (messages: readonly Message[]): Promise<number | null> => 10_000 * messages.length;
  expect((await compact({ ports: { count } })).plan).toMatchObject({ tokensBefore: 410_000, tokensAfter: 40_000 });
  const { plan } = await compact({ ports: { count: async () => null } });
  expect(plan.tokensBefore).toBe(5_000 + roughEstimator.total(roughTokenSum(session())));
});

test("FC9: with a message waiting to be sent no older one is kept; the original keeps none at all", async () => {
  const pending = aUser("next", { uuid: "pending" });
  for (const run of [
    await compact({ context: { pending } }),
    await compact({ config: { keepNewestUserMessage: false } }),
  ]) {
    expect(run.result.some(isHumanMessage)).toBe(false);
    expect(run.plan.boundary.keptUuids).toEqual([]);
  }
});

test("FC10: a file whose content is in the kept part is not attached again", async () => {
  const messages = [
    ...session(3),
    ...inOrder<Message>([anAssistant([aToolUse("r", "Read", { file_path: "/repo/a.ts" })])]).map((m) => ({
      ...m,
      uuid: "k0",
    })),
    aUser([aToolResult("r", "export {}")], { uuid: "k1" }),
  ];
  const { plan } = await compact({ messages, input: { scope: { kind: "partial-up-to", pivot: 7 } } });
  expect(plan.reattached).toEqual([]);
  expect((await compact({ messages })).plan.reattached).toEqual(["/repo/a.ts"]);
});

test("AC8: a result that is not smaller is thrown away as inflated, unless the guard is off", async () => {
  const replies = [answer("y".repeat(200_000))];
  expect((await compact({ replies })).outcome).toEqual({ kind: "failed", reason: "inflated", attempts: 1 });
  expect((await compact({ replies, thrashGuard: null })).outcome.kind).toBe("compacted");
});

test("nothing to summarise: no answer has been given since the last summary", async () => {
  const live = [aUser("Summary", { isCompactSummary: true, uuid: "s" }), aUser("next", { uuid: "n" })];
  for (const messages of [[], [aBoundary()], [aBoundary(), ...live]]) {
    const { outcome, facts, touches } = await compact({ messages });
    expect(outcome).toEqual({ kind: "nothing-to-do", reason: "nothing_to_summarise" });
    expect([facts, touches]).toEqual([[], []]);
  }
});

test("FC11: an abort at any touch of the world is an abort, never a failure, and leaves everything as it was", async () => {
  const messages = session(30);
  const frozen = structuredClone(messages);
  const replies = [tooLong(210_000), toolCall, error("transient"), answer()];
  const { touches } = await compact({ messages, replies });
  for (let n = 1; n <= touches.length; n++) {
    const run = await compact({ messages, replies, abortAtTouch: n });
    expect(run.outcome).toEqual({ kind: "aborted" });
    expect(run.touches).not.toContain("reset");
    expect(run.facts.at(-1)).toEqual({ kind: "compact_aborted", trigger: "auto", layer: "full" });
    expect(kinds(run.facts)).not.toContain("compact_failed");
  }
  expect(messages).toEqual(frozen);
});

test("FC12: whatever the replies, the input is untouched, the calls are bounded, and every failure has a reason", async () => {
  const reply = fc.constantFrom(
    tooLong(300_000),
    tooLong(200_001),
    error("overflow", "Prompt is too long"),
    error("media"),
    error("transient"),
    toolCall,
    answer(""),
    answer("", { stopReason: "model_context_window_exceeded" }),
    answer(),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(reply, { minLength: 8, maxLength: 8 }),
      fc.integer({ min: 1, max: 12 }),
      async (replies, rounds) => {
        const messages = [
          ...withMedia(),
          ...session(rounds).map((message) => ({ ...message, uuid: `s${message.uuid}` })),
        ];
        const frozen = structuredClone(messages);
        const { outcome, requests, touches } = await compact({ messages, replies });
        expect(messages).toEqual(frozen);
        expect(requests.length).toBeLessThanOrEqual(1 + 3 + 1 + 2);
        expect(touches).not.toContain("reset");
        if (outcome.kind === "failed") expect(outcome.reason).not.toMatch(/^$|error:/);
        const sizes = requests.map((request) => roughTokenSum(request.messages));
        for (let i = 1; i < sizes.length; i++) expect(sizes[i]).toBeLessThanOrEqual(sizes[i - 1] as number);
      },
    ),
    { numRuns: Number(process.env.LONGHAUL_CASES ?? 60) },
  );
});

test("FC12: a port that breaks its contract is a failure with its words, not a crash", async () => {
  const memoryFile = (): string => {
    throw new Error("EACCES");
  };
  const { outcome, facts } = await compact({ ports: { memoryFile } });
  expect(outcome).toEqual({ kind: "failed", reason: "error: EACCES", attempts: 0 });
  expect(kinds(facts)).toEqual(["compact_started", "compact_failed"]);
});
