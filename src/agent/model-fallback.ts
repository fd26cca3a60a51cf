import type { ModelInfo } from "../tokens/index.ts";
import type { CallFailure } from "./client/client-port.ts";
import type { Session } from "./session.ts";
import type { Step, TurnState } from "./turn-state.ts";

/** The model that takes over when the present one cannot be reached; undefined where there is none left (RC4). */
export function fallbackOf(session: Session): ModelInfo | undefined {
  const { fallbackModel } = session.options;
  return fallbackModel === undefined || fallbackModel.id === session.model.id ? undefined : fallbackModel;
}

/** Step 5 (RC4); null where it does not apply. The failed answer is gone already; thinking of the other model is left out of every request to this one. */
export function fallBack(state: TurnState, { error }: CallFailure): Step | null {
  const { session } = state;
  if (error.class !== "overloaded" && error.class !== "transient") return null;
  const fallback = fallbackOf(session);
  if (fallback === undefined) return null;
  const detail = `${session.model.id} to ${fallback.id}: ${error.class}`;
  switchModel(session, fallback);
  state.outputCap = Math.min(state.outputCap, fallback.maxOutput);
  session.emit({ kind: "recovery_step", step: "model-fallback", outcome: "done", detail });
  return { kind: "reconsider" };
}

/** Nothing is cached for another model, and its window may be another. */
export function switchModel(session: Session, model: ModelInfo): void {
  session.previousModel = session.model;
  session.model = model;
  session.previousLength = null;
}
