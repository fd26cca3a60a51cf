import type { CallError } from "../compaction/index.ts";
import type { UserMessage } from "../transcript/index.ts";
import { assertNever, textOf } from "../transcript/index.ts";
import type { CompleteResponse } from "./client/client-port.ts";
import type { Exchange } from "./exchange.ts";
import { exchange } from "./exchange.ts";
import { lastAnswerOf } from "./last-answer.ts";
import { buildMainRequest } from "./main-request.ts";
import { fallBack, fallbackOf, switchModel } from "./model-fallback.ts";
import type { Moments } from "./moment.ts";
import { makeRoom, recoverSize } from "./recover-input.ts";
import { continueAnswer, continueCutStream, lowerCap, raiseCap, raisedCap } from "./recover-output.ts";
import type { ResponseDraft } from "./response-draft.ts";
import type { Session } from "./session.ts";
import type { Phase } from "./strategy/port.ts";
import type { Step, TurnEnd, TurnState } from "./turn-state.ts";
import { endAborted, failWith, metaMessage } from "./turn-state.ts";

/** Where a turn begins: with what a person said, or in the middle, where an earlier process ended. */
export type TurnStart =
  | { readonly kind: "fresh"; readonly opening: UserMessage }
  | { readonly kind: "cut-off"; readonly opening: UserMessage | null; readonly owesAfterResponse: boolean };

/** One turn: requests and tools until the model has nothing more to do, a bound is reached, or the turn is aborted (RC1-RC6). Never rejects. */
export async function runTurn(
  session: Session,
  moments: Moments,
  start: TurnStart,
  signal: AbortSignal,
): Promise<TurnEnd> {
  const { opening } = start;
  if (start.kind === "fresh") {
    session.turn++;
    session.record({ kind: "turn-started", turn: session.turn, opening });
  }
  const phase = startingPhase(session);
  const chars = opening === null ? 0 : textOf(opening).length;
  session.emit({ kind: "turn_started", humanUuid: opening?.uuid ?? null, chars });
  const state: TurnState = {
    session,
    moments,
    signal,
    outputCap: session.requestMaxTokens(),
    capSettled: false,
    capLowered: false,
    continuations: 0,
    rejections: 0,
    rounds: 0,
  };
  const ended = start.kind === "cut-off" ? await finishLastAnswer(state, start) : null;
  const end = ended ?? (await loop(state, opening, phase));
  session.record({ kind: "turn-ended" });
  if (end.kind === "aborted") session.emit({ kind: "user_aborted" });
  const error = end.kind === "failed" ? end.error : null;
  session.emit({ kind: "turn_ended", outcome: end.kind, error, rounds: end.rounds });
  return end;
}

/** What the process that ended still had to do after its last answer. Not null: that answer was the turn's last. */
async function finishLastAnswer(
  state: TurnState,
  { opening, owesAfterResponse }: Extract<TurnStart, { kind: "cut-off" }>,
): Promise<TurnEnd | null> {
  const { session, moments, signal } = state;
  const { last, calls, text } = lastAnswerOf(session.conversation.projection());
  if (last === null) return null;
  if (owesAfterResponse) {
    await moments.at("afterResponse", { pending: null, signal }, (strategy, view) =>
      strategy.afterResponse?.(view, last.usage, last.stopReason),
    );
  }
  const isWhole = last.stopReason === "end_turn" || last.stopReason === "stop_sequence";
  if (!isWhole || calls > 0 || opening !== null || session.queue.length > 0) return null;
  await moments.at("onTurnEnd", { pending: null, signal }, (strategy, view) => strategy.onTurnEnd?.(view));
  return { kind: "completed", rounds: state.rounds, text };
}

/** A fallback lasts for one turn: the next begins with the model that was asked for. */
function startingPhase(session: Session): Phase {
  const changed = session.model.id !== session.options.model.id;
  if (changed) switchModel(session, session.options.model);
  const resumed = session.resumed;
  session.resumed = false;
  return resumed ? "after-resume" : changed ? "after-model-change" : "first-of-turn";
}

async function loop(state: TurnState, opening: UserMessage | null, firstPhase: Phase): Promise<TurnEnd> {
  const { session, signal } = state;
  const { maxIterations } = session.config;
  let pending = opening;
  let phase = firstPhase;
  let step: Step = { kind: "next" };
  for (let i = 0; i < maxIterations; i++) {
    if (step.kind === "next" || step.kind === "reconsider") {
      if (step.kind === "next") session.record({ kind: "round", round: ++session.round });
      const stopped = await beforeRequest(state, pending, step.kind === "reconsider" ? "after-model-change" : phase);
      pending = null;
      phase = "in-tool-loop";
      if (stopped !== null) return stopped;
    }
    const overloadsAllowed =
      fallbackOf(session) === undefined ? Number.POSITIVE_INFINITY : session.config.overloadsBeforeFallback;
    const wire = buildMainRequest(session, state.outputCap);
    step = await afterExchange(state, await exchange(session, wire, { signal, overloadsAllowed }));
    if (step.kind === "end") return step.end;
  }
  const text = `the turn was stopped after ${maxIterations} requests`;
  return { kind: "failed", rounds: state.rounds, error: { class: "permanent", text } };
}

/** Everything between two requests: what was said meanwhile, a manual compaction, the strategy. Not null: the turn ends here. */
async function beforeRequest(state: TurnState, pending: UserMessage | null, phase: Phase): Promise<TurnEnd | null> {
  const { session, moments, signal, rounds } = state;
  const { queue } = session;
  if (pending === null) session.append(queue.splice(0));
  const focus = session.command;
  session.command = null;
  if (focus !== null) {
    await moments.at("onCommand", { pending, signal }, (strategy, view) => strategy.onCommand?.(view, focus));
  }
  const { next } = await moments.at("beforeRequest", { pending, signal }, (strategy, view) =>
    strategy.beforeRequest?.(view, phase),
  );
  // What was said while the strategy worked comes after what waited.
  session.append([...(pending === null ? [] : [pending]), ...queue.splice(0)]);
  if (signal.aborted) return { kind: "aborted", rounds };
  if (next.kind === "stop") return { kind: "blocked", rounds, reason: next.reason };
  if (next.kind === "send-with-message") session.append([metaMessage(session, next.text)]);
  return null;
}

async function afterExchange(state: TurnState, ended: Exchange): Promise<Step> {
  switch (ended.kind) {
    case "answered":
      return afterAnswer(state, ended.response, ended.draft);
    case "cut":
      return continueCutStream(state, ended.failure, ended.draft);
    case "aborted":
      await ended.draft.settle();
      state.session.append(ended.draft.messages({ stopReason: null, usage: null }));
      return endAborted(state);
    case "failed": {
      const { error } = ended.failure;
      const lowered = error.class === "output-overflow" ? lowerCap(state, error) : null;
      if (lowered !== null) return lowered;
      // No lower cap helps: it is the input that is too long.
      if (error.class === "output-overflow") return recoverSize(state, { ...error, class: "overflow" });
      if (error.class === "overflow" || error.class === "media") return recoverSize(state, error);
      return fallBack(state, ended.failure) ?? failWith(state, error);
    }
    default:
      return assertNever(ended);
  }
}

async function afterAnswer(state: TurnState, response: CompleteResponse, draft: ResponseDraft): Promise<Step> {
  const { session, moments, signal } = state;
  const { stopReason, usage } = response;
  const untouched = draft.toolsStarted === 0;
  if (stopReason === "refusal" && untouched) return failWith(state, refused);
  if (stopReason === "max_tokens" && untouched) {
    const cap = raisedCap(state, response);
    if (cap !== null) return raiseCap(state, cap);
  }
  await draft.settle();
  session.append(draft.messages({ stopReason, usage }));
  state.rounds++;
  if (signal.aborted) return endAborted(state);
  const { next } = await moments.at("afterResponse", { pending: null, signal }, (strategy, view) =>
    strategy.afterResponse?.(view, usage, stopReason),
  );
  if (stopReason === "refusal") return failWith(state, refused);
  if (stopReason === "model_context_window_exceeded") {
    return (await makeRoom(state, windowFull)) ?? continueAnswer(state, windowFull);
  }
  state.rejections = 0;
  state.capLowered = false;
  if (stopReason === "max_tokens") return continueAnswer(state, outputFull);
  state.continuations = 0;
  if (next.kind === "stop") return { kind: "end", end: { kind: "blocked", rounds: state.rounds, reason: next.reason } };
  if (!untouched || stopReason === "pause_turn" || stopReason === "compaction") return { kind: "next" };
  if (session.queue.length > 0) return { kind: "next" };
  await moments.at("onTurnEnd", { pending: null, signal }, (strategy, view) => strategy.onTurnEnd?.(view));
  return { kind: "end", end: { kind: "completed", rounds: state.rounds, text: answerText(response) } };
}

const refused: CallError = { class: "refusal", text: "the model declined to answer" };
const windowFull: CallError = { class: "overflow", text: "the answer ran into the end of the context window" };
const outputFull: CallError = { class: "permanent", text: "the answer was cut at max_tokens" };

function answerText({ content }: CompleteResponse): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n\n");
}
