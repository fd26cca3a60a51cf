import type { CompactionEvent } from "../compaction/index.ts";
import { estimateMessageTokens } from "../tokens/index.ts";
import type { Message, UserMessage } from "../transcript/index.ts";
import { messagesAfterLastBoundary } from "../transcript/index.ts";
import { EditRefused } from "./apply-edits.ts";
import type { Session } from "./session.ts";
import { lastUsageOf, windowOf } from "./session.ts";
import type { Answer, Edit, StrategySession, View } from "./strategy/port.ts";
import { nothing } from "./strategy/port.ts";

/** A strategy in its session: asks it at a moment, applies what it answers, and reports what it broke (ST1, ST3). */
export interface Moments {
  /** Never rejects: a strategy that does is reported, and counts as having said nothing. */
  at(
    name: Moment,
    asked: { readonly pending: UserMessage | null; readonly signal: AbortSignal },
    ask: (strategy: StrategySession, view: View) => Promise<Answer> | undefined,
  ): Promise<Answer>;
}

export type Moment = "beforeRequest" | "afterResponse" | "onRejected" | "onTurnEnd" | "onIdle" | "onCommand";

export function createMoments(session: Session, strategy: StrategySession): Moments {
  const { options, conversation } = session;
  return {
    at: async (name, { pending, signal }, ask) => {
      session.sawRecoveryStep = false;
      const { command } = session;
      let answer: Answer;
      try {
        const asked = ask(strategy, viewOf(session, pending, signal));
        if (asked === undefined) return nothing;
        answer = await asked;
      } catch (error) {
        session.emit({ kind: "contract_broken", what: `${options.strategy.name}.${name} rejected: ${nameOf(error)}` });
        return nothing;
      }
      // Asked for while the strategy was compacting: that was the compaction.
      if (answer.status.kind === "done") session.command = command;
      return applyAnswer(session, name, answer, conversation.projection());
    },
  };
}

function applyAnswer(session: Session, moment: Moment, answer: Answer, before: readonly Message[]): Answer {
  const { options, conversation, strategyState: state } = session;
  if (answer.edits.length === 0) {
    session.record({ kind: "answered", edits: [], state });
    return answer;
  }
  try {
    const { changed, splits } = conversation.edit(answer.edits);
    session.record({ kind: "answered", edits: answer.edits, state });
    if (!changed) return answer;
    if (options.strategy.repair !== true) {
      for (const what of splits) session.emit({ kind: "contract_broken", what: `${options.strategy.name}: ${what}` });
    }
  } catch (error) {
    if (!(error instanceof EditRefused)) throw error;
    session.emit({ kind: "contract_broken", what: `${options.strategy.name}: ${error.message}` });
    session.record({ kind: "answered", edits: [], state });
    return { ...answer, edits: [], status: { kind: "failed", reason: "its edits were refused" } };
  }
  const after = conversation.projection();
  session.emit({
    kind: "edits_applied",
    moment,
    edits: countKinds(answer.edits),
    tokensBefore: liveTokens(session, before),
    tokensAfter: liveTokens(session, after),
  });
  options.observer?.edited?.({ moment, answer, before, after });
  return answer;
}

function liveTokens({ overhead }: Session, messages: readonly Message[]): number {
  return estimateMessageTokens(messagesAfterLastBoundary(messages)) + overhead.system + overhead.tools;
}

function countKinds(edits: readonly Edit[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { kind } of edits) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : "something that is no error";
}

function viewOf(session: Session, pending: UserMessage | null, signal: AbortSignal): View {
  const { conversation, options, model } = session;
  return {
    log: conversation.log(),
    projection: conversation.projection(),
    pending,
    pins: conversation.pins(),
    limits: {
      window: windowOf(options, model),
      maxOutput: model.maxOutput,
      requestMaxTokens: session.requestMaxTokens(),
    },
    lastUsage: lastUsageOf(conversation),
    overhead: session.overhead,
    model,
    previousModel: session.previousModel,
    turn: session.turn,
    round: session.round,
    nowMs: session.now(),
    signal,
  };
}

/** Passes on what a strategy tells while it works. */
export function watchStrategyEvent(session: Session, event: CompactionEvent): void {
  if (event.kind === "recovery_step" && event.outcome !== "skipped") session.sawRecoveryStep = true;
  if (!session.closed.aborted) session.options.emit(event);
}
