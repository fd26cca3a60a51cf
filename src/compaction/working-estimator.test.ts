import { expect, test } from "vitest";
import { anAssistant, aResultMessage, aToolUse, aUsage, aUser, createVirtualClock } from "../testing/index.ts";
import type { Estimator, ModelInfo } from "../tokens/index.ts";
import { createCalibratedEstimator, findModel, roughEstimator } from "../tokens/index.ts";
import type { Message } from "../transcript/index.ts";
import { createCompactor } from "./compactor.ts";
import { resolveConfig } from "./resolve-config.ts";

const code = (n: number): string => `if (items[${n}] === undefined) { return add(sum, items[i + ${n}]); }\n`.repeat(60);
const waiting = aUser(code(99));

/** How large the waiting message is taken to be, after rounds in which the server counted `truth` times what the table says. */
async function sizeAfter(
  rounds: number,
  truth: number,
  estimator: Estimator,
  between: (messages: readonly Message[]) => readonly Message[] = (messages) => messages,
): Promise<number> {
  const clock = createVirtualClock(0);
  const table = createCalibratedEstimator();
  const compactor = createCompactor(resolveConfig({ sessionMemory: { enabled: false } }).config, {
    clock,
    ids: { uuid: () => "made" },
    estimator,
    emit: () => {},
    ask: async () => ({ kind: "aborted" }),
  });
  const model = findModel("claude-sonnet-5-5") as ModelInfo;
  const at = {
    model,
    overheadTokens: 0,
    querySource: "main",
    turn: 1,
    requestMaxTokens: 8_000,
    autonomous: false,
  } as const;
  const trueSize = (messages: readonly Message[]): number =>
    Math.round(messages.reduce((sum, message) => sum + table.message(message), 0) * truth);
  return clock.run(async () => {
    let messages: readonly Message[] = [aUser("Port the parser.")];
    for (let i = 0; i < rounds; i++) {
      messages = between((await compactor.beforeRequest(messages, { ...at, round: i })).messages);
      const usage = aUsage({ input_tokens: trueSize(messages), output_tokens: 40 });
      messages = [...messages, anAssistant([aToolUse(`t${i}`, "Read")], { id: `m${i}`, uuid: `a${i}`, usage })];
      compactor.afterResponse(messages, { ...at, round: i });
      messages = [...messages, aResultMessage(`t${i}`, code(i), { uuid: `r${i}` })];
    }
    const alone = await compactor.beforeRequest(messages, { ...at, round: rounds });
    const both = await compactor.beforeRequest(messages, { ...at, round: rounds, pending: waiting });
    return both.tokens - alone.tokens;
  });
}

const byTable = createCalibratedEstimator().message(waiting);

test("T6: in a conversation the calibrated estimator learns from every response, whichever way the table is off", async () => {
  for (const truth of [0.87, 1, 1.14]) {
    const size = await sizeAfter(8, truth, createCalibratedEstimator());
    expect([truth, Math.abs(size / (byTable * truth) - 1) < 0.03]).toEqual([truth, true]);
  }
});

test("T6: what one conversation learns stays in it: the estimator that was given is a value", async () => {
  const given = createCalibratedEstimator();
  await sizeAfter(8, 1.14, given);
  expect(Math.abs((await sizeAfter(1, 1.14, given)) / byTable - 1)).toBeLessThan(0.01);
});

test("T6: nothing is learned from inputs between which the past was changed", async () => {
  let changes = 0;
  const changed = (messages: readonly Message[]): readonly Message[] =>
    messages.map((message, i) => (i === 0 ? aUser("Port the parser.", { uuid: `u${changes++}` }) : message));
  const size = await sizeAfter(8, 1.14, createCalibratedEstimator(), changed);
  expect(Math.abs(size / byTable - 1)).toBeLessThan(0.01);
});

test("T1: the rule of thumb learns nothing", async () => {
  const size = await sizeAfter(8, 1.14, roughEstimator);
  expect(size).toBe(roughEstimator.total(roughEstimator.message(waiting)));
});
