import fc from "fast-check";
import { expect, test } from "vitest";
import {
  aModel,
  anAssistant,
  aResultMessage,
  aToolUse,
  aUser,
  createVirtualClock,
  inOrder,
  validTranscript,
} from "../testing/index.ts";
import { estimateMessageTokens, roughEstimator, roughTokenSum } from "../tokens/index.ts";
import type { Block, Message, UserMessage } from "../transcript/index.ts";
import { messagesAfterLastBoundary, textOf } from "../transcript/index.ts";
import type { ConfigInput } from "./check-config.ts";
import type { CompactionContext } from "./context.ts";
import type { DroppedRounds } from "./drop-rounds.ts";
import { planDrop } from "./drop-rounds.ts";
import { clearResults } from "./micro/clear-results.ts";
import { applyPlan } from "./plan.ts";
import { resolveConfig } from "./resolve-config.ts";

const { config } = resolveConfig();
const context: CompactionContext = {
  model: aModel("claude-sonnet-4-6"),
  overheadTokens: 100,
  querySource: "main",
  turn: 1,
  round: 1,
  requestMaxTokens: 0,
  autonomous: false,
};

function drop(
  messages: readonly Message[],
  gap: number,
  deleted: ReadonlySet<string> = new Set(),
): Promise<DroppedRounds | null> {
  let ids = 0;
  const tokens = roughTokenSum(messagesAfterLastBoundary(messages)) + context.overheadTokens;
  const error = { class: "overflow", text: "too long", tokens, limit: tokens - gap } as const;
  return planDrop(messages, error, context, deleted, config, {
    clock: createVirtualClock(1),
    ids: { uuid: () => `made-${ids++}` },
    estimator: roughEstimator,
  });
}

const huge = inOrder([
  aUser("Go."),
  anAssistant([aToolUse("old")]),
  aResultMessage("old", "o".repeat(4_000)),
  anAssistant([aToolUse("new")]),
  aResultMessage("new", "n".repeat(40_000)),
]);

test("FC9: a result that a drop cuts is another message from then on, and is not said to be kept", async () => {
  const dropped = await drop(huge, 6_000);
  if (dropped === null) throw new Error("nothing dropped");
  const after = applyPlan(huge, dropped.plan);
  expect(JSON.stringify(after)).toContain("was cut");
  expect(after.at(-1)?.uuid).toMatch(/^made-/);
  expect(dropped.plan.boundary.keptUuids).toEqual(["m0", "m3"]);
});

test("MC3, FC9: what the server deleted weighs its marker before the drop, too", async () => {
  const deleted = new Set(["old"]);
  const dropped = await drop(huge, 6_000, deleted);
  const counted = clearResults(huge, deleted, config.micro.marker);
  expect(dropped?.plan.tokensBefore).toBe(context.overheadTokens + estimateMessageTokens(counted));
});

test("FC9, SM6: whatever a drop keeps under its uuid is the very message that stood there, and it is what the boundary names", () =>
  fc.assert(
    fc.asyncProperty(
      validTranscript({ maxRounds: 6, boundaries: true }),
      fc.integer({ min: 1, max: 4_000 }),
      fc.func(fc.boolean()),
      async (transcript, gap, isDeleted) => {
        const messages = transcript.map(grown);
        const ids = messages.flatMap((message) =>
          message.kind === "user"
            ? message.content.flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : []))
            : [],
        );
        const dropped = await drop(messages, gap, new Set(ids.filter(isDeleted)));
        if (dropped === null) return;
        const before = new Map(messages.map((message) => [message.uuid, message]));
        const after = applyPlan(messages, dropped.plan);
        const stood = after.filter(({ uuid }) => before.has(uuid));
        for (const message of stood) expect(message).toBe(before.get(message.uuid));
        expect(dropped.plan.boundary.keptUuids).toEqual(stood.map(({ uuid }) => uuid));
        expect(new Set(after.map(({ uuid }) => uuid)).size).toBe(after.length);
      },
    ),
    { numRuns: Number(process.env.LONGHAUL_CASES ?? 1000) },
  ));

/** Results long enough to be cut. */
function grown(message: Message): Message {
  if (message.kind !== "user") return message;
  return {
    ...message,
    content: message.content.map((block) =>
      block.type === "tool_result" && typeof block.content === "string"
        ? { ...block, content: block.content.padEnd(1_500, block.content || "x") }
        : block,
    ),
  };
}

/** Rounds of about 750 tokens after "Go."; the person's word is in the first of them. */
const long = inOrder([
  aUser([{ type: "text", text: "Go." }]),
  ...Array.from({ length: 12 }, (_, i) => [
    anAssistant([aToolUse(`t${i}`)]),
    aResultMessage(`t${i}`, "r".repeat(3_000)),
  ]).flat(),
]);

/** Exactly what a drop by this gap makes of `messages`, under a policy. */
async function result(
  messages: readonly Message[],
  given: { readonly gap: number; readonly config?: ConfigInput; readonly context?: Partial<CompactionContext> },
): Promise<{ readonly dropped: DroppedRounds; readonly after: readonly Message[] }> {
  let ids = 0;
  const at = { ...context, ...given.context };
  const pending = at.pending ? [at.pending] : [];
  const tokens = roughTokenSum([...messagesAfterLastBoundary(messages), ...pending]) + at.overheadTokens;
  const error = { class: "overflow", text: "too long", tokens, limit: tokens - given.gap } as const;
  const dropped = await planDrop(messages, error, at, new Set(), resolveConfig(given.config).config, {
    clock: createVirtualClock(7),
    ids: { uuid: () => `made-${ids++}` },
    estimator: roughEstimator,
  });
  if (dropped === null) throw new Error("nothing dropped");
  return { dropped, after: applyPlan(messages, dropped.plan) };
}

const unanchored = { full: { tooLong: { keepAnchors: false } } } as const;
const uuids = (messages: readonly Message[]) => messages.map(({ uuid }) => uuid);

test("RC2: the plan of a drop says all that it does: boundary, marker, and the rounds that stay as they were", async () => {
  const { dropped, after } = await result(long, { gap: 2_500 });
  const { plan } = dropped;
  expect(plan).toEqual({
    layer: "drop",
    trigger: "reactive",
    head: after.slice(0, 3),
    keep: { from: 9, to: long.length },
    tail: [],
    boundary: {
      kind: "boundary",
      uuid: "made-1",
      timestamp: 7,
      trigger: "drop",
      tokensBefore: context.overheadTokens + estimateMessageTokens(long),
      tokensAfter: context.overheadTokens + estimateMessageTokens(after),
      messagesSummarized: 0,
      lastUuidBefore: "m24",
      keptUuids: ["m0", ...uuids(long.slice(9))],
    },
    summary: "",
    tokensBefore: plan.boundary.tokensBefore,
    tokensAfter: plan.boundary.tokensAfter,
    reattached: [],
  });
  expect(after.slice(0, 3)).toEqual([
    plan.boundary,
    long[0],
    expect.objectContaining({ uuid: "made-0", timestamp: 7 }),
  ]);
  expect(dropped.droppedMessages).toBe(8);
  expect(dropped.droppedTokens).toBe(roughTokenSum(long) - roughTokenSum(after));
});

test("FC9: where rounds fall with the newest human message in them, it comes back behind the marker, and room is made for it", async () => {
  const big = inOrder([aUser("Go. ".repeat(1_000)), ...long.slice(1)]);
  const { dropped, after } = await result(big, { gap: 1_200, config: unanchored });
  expect(uuids(after.slice(0, 3))).toEqual([dropped.plan.boundary.uuid, "made-0", "m0"]);
  expect(after[2]).toBe(big[0]);
  expect(roughTokenSum(after)).toBeLessThanOrEqual(roughTokenSum(big) - 1_200);
  expect(uuids(after.slice(3))).toEqual(uuids(big.slice(big.length - after.length + 3)));
  expect(dropped.plan.boundary.keptUuids).toEqual(["m0", ...uuids(after.slice(3))]);
});

test("FC9: a human message that is longer than may be kept comes back cut, as another one, its pictures with it", async () => {
  const image: Block = { type: "image", source: { type: "base64", media_type: "image/png", data: "aaaa" } };
  const big = inOrder([aUser([{ type: "text", text: "w".repeat(120_000) }, image]), ...long.slice(1)]);
  const { dropped, after } = await result(big, { gap: 5_000 });
  const human = after[2] as UserMessage;
  expect(uuids(after.slice(0, 3))).toEqual([dropped.plan.boundary.uuid, "made-0", "made-1"]);
  expect(textOf(human)).toMatch(/was cut/);
  expect(roughTokenSum([human])).toBeLessThan(24_000);
  expect(human.content[1]).toBe(image);
  expect(dropped.plan.boundary.keptUuids).toEqual(uuids(after.slice(3)));
});

test("FC9: no human message comes back where the config says so, or where the one that waits is newer", async () => {
  for (const given of [
    { config: { full: { ...unanchored.full, keepNewestUserMessage: false } } },
    { config: unanchored, context: { pending: aUser("Now this.") } },
  ]) {
    const { after } = await result(long, { gap: 1_500, ...given });
    expect(uuids(after)).not.toContain("m0");
    expect(uuids(after.slice(1, 3))).toEqual(["made-0", "m7"]);
  }
});

test("ST2: the message that waits is part of what was too long, and of every size, and none of what falls", async () => {
  const pending = aUser("p".repeat(9_000));
  const alone = await result(long, { gap: 4_100, config: unanchored });
  const waiting = await result(long, { gap: 4_100, config: unanchored, context: { pending } });
  expect(uuids(waiting.after).slice(2)).toEqual(
    uuids(alone.after)
      .filter((uuid) => uuid !== "m0")
      .slice(2),
  );
  const { plan, droppedTokens } = waiting.dropped;
  expect(plan.tokensBefore).toBe(context.overheadTokens + estimateMessageTokens([...long, pending]));
  expect(plan.tokensAfter).toBe(context.overheadTokens + estimateMessageTokens([...waiting.after, pending]));
  expect(droppedTokens).toBe(roughTokenSum(long) - roughTokenSum(waiting.after));
});

test("RC2: of a message alone nothing may go", async () => {
  expect(await drop(inOrder([aUser("Go.")]), 10)).toBeNull();
});
