import { expect, test } from "vitest";
import { anAssistant, aResultMessage, aToolUse, aUsage, aUser, createVirtualClock, inOrder } from "../testing/index.ts";
import type { CalibratedEstimator, ModelInfo, Stretch } from "../tokens/index.ts";
import { createCalibratedEstimator, findModel } from "../tokens/index.ts";
import type { Message } from "../transcript/index.ts";
import { adopt } from "./adopt.ts";
import { afterResponse } from "./after-response.ts";
import { newCompactorState } from "./compactor-state.ts";
import type { KeepLimits } from "./config.ts";
import type { CompactionContext } from "./context.ts";
import type { Conversation } from "./conversation.ts";
import { sizeOf, startConversation } from "./conversation.ts";
import { emptyCachedEdits } from "./micro/cached-edits.ts";
import type { CompactionPlan } from "./plan.ts";
import { noCost } from "./plan.ts";
import { resolveConfig } from "./resolve-config.ts";

const { config } = resolveConfig({ sessionMemory: { enabled: false } });
const context: CompactionContext = {
  model: findModel("claude-sonnet-4-5") as ModelInfo,
  overheadTokens: 0,
  querySource: "main",
  turn: 1,
  round: 1,
  requestMaxTokens: 8_000,
  autonomous: false,
};

/** A message weighs one token, and ten times as much after every lesson. */
function learner(lessons: Stretch[], each = 1): CalibratedEstimator {
  return {
    ...createCalibratedEstimator(),
    block: () => each,
    message: () => each,
    total: (sum) => sum,
    taught: (stretch) => {
      lessons.push(stretch);
      return learner(lessons, each * 10);
    },
  };
}

function start(
  given: { readonly edits?: typeof emptyCachedEdits; readonly limits?: Partial<KeepLimits> | null } = {},
): { readonly conversation: Conversation; readonly lessons: Stretch[] } {
  const lessons: Stretch[] = [];
  let ids = 0;
  const ports = {
    ask: async () => ({ kind: "aborted" }) as const,
    clock: createVirtualClock(0),
    ids: { uuid: () => `made-${ids++}` },
    estimator: learner(lessons),
    emit: () => {},
    ...(given.limits === undefined ? {} : { remoteKeepLimits: () => given.limits ?? null }),
  };
  const state = { ...newCompactorState, edits: given.edits ?? emptyCachedEdits };
  return { conversation: startConversation(config, ports, state), lessons };
}

/** Rounds whose inputs the server told, the last one without its result. */
function told(rounds: number): readonly Message[] {
  const made = Array.from({ length: rounds }, (_, i) => [
    anAssistant([aToolUse(`t${i}`)], { id: `msg_${i}`, usage: aUsage({ input_tokens: 100 * (i + 1) }) }),
    aResultMessage(`t${i}`),
  ]);
  return inOrder([aUser("Go."), ...made.flat()]).slice(0, -1);
}

test("T6: a conversation that is gone on with learns from its first response, where two inputs stand there", () => {
  const { conversation, lessons } = start();
  afterResponse(conversation, told(3), context);
  expect(lessons).toMatchObject([{ actual: 100 }]);
});

test("T6, MC3: nothing is learned from a response that came with cache edits; from the next one again", () => {
  const pending = { messageUuid: "m2", toolUseIds: ["t0"] };
  const { conversation, lessons } = start({ edits: { ...emptyCachedEdits, pending } });
  const messages = told(4);
  afterResponse(conversation, messages.slice(0, 6), context);
  expect(lessons).toEqual([]);
  afterResponse(conversation, messages, context);
  expect(lessons).toHaveLength(1);
});

test("T6: what was weighed before a lesson is weighed anew", () => {
  const { conversation } = start();
  const messages = told(3);
  afterResponse(conversation, messages, context);
  const untold = messages.filter(({ kind }) => kind === "user");
  expect(sizeOf(conversation, untold, context).tokens).toBe(30);
});

test("T7: messages that are the same are no edit of the past, fewer of them are one", () => {
  const { conversation } = start();
  const messages = told(3);
  sizeOf(conversation, messages, context);
  sizeOf(conversation, [...messages], context);
  expect(conversation.edited).toBe(false);
  sizeOf(conversation, messages.slice(0, -1), context);
  expect(conversation.edited).toBe(true);
  expect(sizeOf(conversation, messages.slice(0, 1), context).tokens).toBe(1);
});

test("MC3: where nothing was deleted nothing comes off", () => {
  const { conversation } = start();
  expect(sizeOf(conversation, [aUser("Go."), aUser("On.")], context)).toMatchObject({ tokens: 2 });
});

test("SM2: a limit from elsewhere counts from nought on, as far as it is a number", () => {
  const own = config.sessionMemory.keep;
  for (const [limits, keep] of [
    [null, own],
    [{}, own],
    [{ minTokens: 0 }, { ...own, minTokens: 0 }],
    [{ minTokens: -1, minTextBlockMessages: Number.NaN, maxTokens: Number.POSITIVE_INFINITY }, own],
    [
      { minTokens: 7, minTextBlockMessages: 8, maxTokens: 9 },
      { minTokens: 7, minTextBlockMessages: 8, maxTokens: 9 },
    ],
  ] as const)
    expect([limits, start({ limits }).conversation.keep]).toEqual([limits, keep]);
  expect(start().conversation.keep).toEqual(own);
});

test("AC8: adopting tells whether it was progress, and discards what is not smaller", async () => {
  const messages = told(2);
  const planTo = (tokensAfter: number): CompactionPlan => ({
    layer: "full",
    trigger: "auto",
    head: [],
    keep: { from: 0, to: messages.length },
    tail: [],
    boundary: {
      kind: "boundary",
      uuid: "b",
      timestamp: 0,
      trigger: "auto",
      tokensBefore: 190_000,
      tokensAfter,
      messagesSummarized: 0,
      lastUuidBefore: null,
      keptUuids: [],
    },
    summary: "Done.",
    tokensBefore: 190_000,
    tokensAfter,
    reattached: [],
  });
  for (const [tokensAfter, verdict] of [
    [10_000, "progress"],
    [189_000, "no-progress"],
    [190_000, "inflated"],
  ] as const) {
    const { conversation } = start();
    const before = conversation.remembered;
    const run = { cost: noCost, startedAtMs: 0, context };
    expect(await adopt(conversation, messages, planTo(tokensAfter), run)).toBe(verdict);
    expect(conversation.remembered === before).toBe(verdict === "inflated");
  }
});
