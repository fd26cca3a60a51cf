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
import type { Message } from "../transcript/index.ts";
import { messagesAfterLastBoundary } from "../transcript/index.ts";
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
