import type { CallError } from "../compaction/index.ts";
import { capThatFits } from "../compaction/index.ts";
import { inputCount } from "../tokens/index.ts";
import type { CallFailure, CompleteResponse } from "./client/client-port.ts";
import type { ResponseDraft } from "./response-draft.ts";
import { decideRetry } from "./retry.ts";
import { windowOf } from "./session.ts";
import type { Step, TurnState } from "./turn-state.ts";
import { failWith, liveSize, metaMessage } from "./turn-state.ts";

/** What the model is told when its answer was cut (RC3, step 4). */
const continuationText = `Your answer was cut off before it ended. Go on exactly where it stopped: do not start again, do not excuse yourself, do not sum up what you wrote. If much remains, take it in smaller pieces.`;

/** Step 3: whether the cap can be raised, and to what; null where it was already or the window has no room (RC3). Tokens. */
export function raisedCap(state: TurnState, response: CompleteResponse): number | null {
  const { session } = state;
  if (state.capSettled) return null;
  const { overhead, model, config, options } = session;
  const estimated = liveSize(session) + overhead.system + overhead.tools;
  const exact = response.usage === null ? Number.NaN : inputCount(response.usage);
  const input = Number.isFinite(exact) && exact > 0 ? exact : estimated;
  const cap = Math.min(config.raisedOutputCapTokens, model.maxOutput, windowOf(options, model) - input);
  return cap > state.outputCap ? cap : null;
}

/** Step 3: the request again with a higher cap; the answer is thrown away. */
export function raiseCap(state: TurnState, cap: number): Step {
  const detail = `${state.outputCap} to ${cap} tokens`;
  state.outputCap = cap;
  state.capSettled = true;
  state.session.emit({ kind: "recovery_step", step: "raise-output-cap", outcome: "done", detail });
  return { kind: "repeat" };
}

/** Step 4: the kept part of the answer is followed by a request to go on; at most three in a row, else the error (RC3). */
export function continueAnswer(state: TurnState, why: CallError): Step {
  const { session } = state;
  const { maxContinuations } = session.config;
  if (state.continuations >= maxContinuations) {
    const detail = `${maxContinuations} continuations in a row`;
    session.emit({ kind: "recovery_step", step: "continuation", outcome: "failed", detail });
    return failWith(state, why);
  }
  state.continuations++;
  session.append([metaMessage(session, continuationText)]);
  const detail = `${state.continuations} of ${maxContinuations}: ${why.class}`;
  session.emit({ kind: "recovery_step", step: "continuation", outcome: "done", detail });
  return { kind: "next" };
}

/** A stream that failed after a tool had started: what is whole stays, then step 4, not before the server has had a rest (RC4). */
export async function continueCutStream(state: TurnState, failure: CallFailure, draft: ResponseDraft): Promise<Step> {
  const { session, signal } = state;
  await draft.settle();
  session.append(draft.messages({ stopReason: null, usage: null }));
  state.rounds++;
  const { clock, random } = session.options;
  const draw = random(`continue/${session.round}`);
  const decision = decideRetry({ failure, source: "main", retries: state.continuations, draw }, session.config.retry);
  if (decision.kind === "retry") await clock.sleep(decision.inMs, signal);
  return continueAnswer(state, failure.error);
}

/** A refusal for input + max_tokens: first a lower cap, exactly what fits (RC3), once until a response succeeds; null where nothing worth sending does. */
export function lowerCap(state: TurnState, error: CallError): Step | null {
  const room = state.capLowered ? null : capThatFits(error, state.outputCap);
  if (room === null) return null;
  const text = `max_tokens lowered from ${state.outputCap} to ${room}: no more fits`;
  state.session.emit({ kind: "notice", code: "output-cap-lowered", text });
  state.outputCap = room;
  state.capSettled = true;
  state.capLowered = true;
  return { kind: "repeat" };
}
