import type { CallError } from "../compaction/index.ts";
import type { Answer } from "./strategy/port.ts";
import type { Step, TurnState } from "./turn-state.ts";
import { endAborted, failWith, liveSize, metaMessage } from "./turn-state.ts";

/**
 * Steps 1 and 2: the strategy is asked for room (RC2). The error is withheld while that is tried; the request is repeated only if it has become smaller,
 * and the strategy is asked a bounded number of times until a response succeeds.
 */
export async function recoverSize(state: TurnState, error: CallError): Promise<Step> {
  return (await makeRoom(state, error)) ?? { kind: "repeat" };
}

/** Null: there is room now. */
export async function makeRoom(state: TurnState, error: CallError): Promise<Step | null> {
  const { session, moments, signal } = state;
  const asked = state.rejections < session.config.maxRejections;
  if (!asked) return failWith(state, error);
  state.rejections++;
  const before = liveSize(session);
  const answer = await moments.at("onRejected", { pending: null, signal }, (strategy, view) =>
    strategy.onRejected?.(view, error, state.rejections),
  );
  const smaller = liveSize(session) < before;
  if (smaller) session.previousLength = null;
  if (!session.sawRecoveryStep) {
    session.emit({ kind: "recovery_step", step: "reactive-compact", ...outcomeOf(answer, smaller) });
  }
  if (signal.aborted) return endAborted(state);
  if (!smaller || answer.next.kind === "stop") return failWith(state, error);
  if (answer.next.kind === "send-with-message") {
    session.append([metaMessage(session, answer.next.text)]);
  }
  return null;
}

function outcomeOf(
  { status }: Answer,
  smaller: boolean,
): { readonly outcome: "done" | "failed" | "skipped"; readonly detail: string } {
  if (smaller) return { outcome: "done", detail: status.kind };
  if ("reason" in status) return { outcome: status.kind === "skipped" ? "skipped" : "failed", detail: status.reason };
  return status.kind === "done"
    ? { outcome: "failed", detail: "the request did not get smaller" }
    : { outcome: "skipped", detail: "the strategy has nothing to offer" };
}
