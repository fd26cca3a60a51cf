import type { WireBlock, WireMessage, WireRequest } from "../transcript/index.ts";
import type { FactIndex, TextFacts } from "./fact-index.ts";
import type { Plan } from "./plan.ts";
import { purposeOf } from "./step-marks.ts";

/** All that the simulated model knows: what one request shows (M1). */
export interface RequestView {
  /** The request names the project of this world, or one of its goals. */
  readonly isOwn: boolean;
  readonly sees: (fact: number) => boolean;
  readonly seesBlurred: (fact: number) => boolean;
  /** Facts seen, in order of their index. */
  readonly visible: () => readonly number[];
  /** Whether the item is seen to be finished: a text says so, or its call stands there with a result that is no error. */
  readonly isDone: (step: number) => boolean;
  /** All steps seen to be finished, ascending. */
  readonly finished: () => readonly number[];
  /** Failed attempts at the step that stand in the request. */
  readonly failures: (step: number) => number;
  /** Steps whose results are the newest thing in the request. */
  readonly justDone: readonly number[];
  /** Facts that the newest answer of the assistant looked up again, and how often that has failed in a row. */
  readonly lookedUp: ReadonlyMap<string, { readonly failedInARow: number; readonly answered: boolean }>;
}

interface Attempt {
  readonly step: number | undefined;
  readonly again: string | undefined;
  readonly message: number;
  result: "none" | "ok" | "error";
}

/** `until`: only the messages before that index are read (a note taker that lags). */
export function readRequest(
  request: WireRequest,
  plan: Plan,
  index: FactIndex,
  until: number = request.messages.length,
): RequestView {
  const seen = new Uint8Array(plan.facts.length);
  const blurred = new Uint8Array(plan.facts.length);
  const done = new Uint8Array(plan.steps.length);
  const failed = new Map<number, number>();
  const attempts = new Map<string, Attempt>();
  const goalByCode = new Map(plan.goals.map((goal) => [goal.code, goal]));
  let isOwn = false;

  const read = (found: TextFacts, marksCount: boolean): void => {
    for (const fact of found.visible) seen[fact] = 1;
    for (const fact of found.blurred) blurred[fact] = 1;
    if (found.namesProject) isOwn = true;
    if (!marksCount) return;
    for (const [goal, first, last] of found.marks) {
      const steps = plan.goals[goal]?.steps ?? [];
      for (let n = first; n <= last && n <= steps.length; n++) done[steps[n - 1] ?? 0] = 1;
    }
  };
  const readBlock = (block: WireBlock, message: number): void => {
    if (block.type === "tool_use") {
      const purpose = purposeOf(block.input);
      const step = purpose.kind === "step" ? goalByCode.get(purpose.code)?.steps[purpose.n - 1] : undefined;
      attempts.set(String(block.id), {
        step,
        again: purpose.kind === "again" ? purpose.fact : undefined,
        message,
        result: "none",
      });
    }
    if (block.type === "tool_result") {
      const attempt = attempts.get(String(block.tool_use_id));
      if (attempt !== undefined) attempt.result = block.is_error === true ? "error" : "ok";
    }
    // A call says what it is for, not that it is done.
    for (const found of index.ofBlock(block)) read(found, block.type !== "tool_use");
  };

  for (const block of blocksOf(request.system)) for (const found of index.ofBlock(block)) read(found, false);
  request.messages.slice(0, until).forEach((message, at) => {
    for (const block of blocksOf(message.content)) readBlock(block, at);
  });
  for (const { step, result } of attempts.values()) {
    if (step === undefined || result === "none") continue;
    if (result === "ok") done[step] = 1;
    else failed.set(step, (failed.get(step) ?? 0) + 1);
  }
  const newest = lastAssistant(request.messages);
  const fresh = [...attempts.values()].filter((attempt) => attempt.message === newest && attempt.result !== "none");
  return {
    isOwn: isOwn || plan.goals.some((goal) => seen[goal.fact] === 1),
    sees: (fact) => seen[fact] === 1,
    seesBlurred: (fact) => blurred[fact] === 1,
    visible: () => Array.from(seen.keys()).filter((fact) => seen[fact] === 1),
    isDone: (step) => done[step] === 1,
    finished: () => Array.from(done.keys()).filter((step) => done[step] === 1),
    failures: (step) => failed.get(step) ?? 0,
    justDone: fresh.flatMap(({ step, result }) => (step !== undefined && result === "ok" ? [step] : [])),
    lookedUp: lookUps([...attempts.values()], newest),
  };
}

function lookUps(attempts: readonly Attempt[], newest: number): RequestView["lookedUp"] {
  const found = new Map<string, { failedInARow: number; answered: boolean }>();
  for (const { again, message } of attempts) {
    if (again === undefined || message !== newest || found.has(again)) continue;
    const tries = attempts.filter((attempt) => attempt.again === again).reverse();
    let failedInARow = 0;
    while (tries[failedInARow]?.result === "error") failedInARow++;
    found.set(again, { failedInARow, answered: tries[0]?.result === "ok" });
  }
  return found;
}

function lastAssistant(messages: readonly WireMessage[]): number {
  return messages.findLastIndex((message) => message.role === "assistant");
}

export function blocksOf(content: string | readonly WireBlock[] | undefined): readonly WireBlock[] {
  if (content === undefined) return [];
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}
