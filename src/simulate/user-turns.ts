import type { Clock } from "../determinism/index.ts";
import type { ModelInfo } from "../tokens/index.ts";
import { models } from "../tokens/index.ts";
import type { UserAction } from "../workload/index.ts";
import { placeOf } from "./place.ts";
import type { PlayedSession } from "./played-session.ts";
import type { Recorder } from "./recorder.ts";
import type { UserStep } from "./run-spec.ts";
import type { Seat } from "./seat.ts";

/** The user gives up after so many turns in a row that failed, were blocked or aborted without a word of the assistant. */
const MAX_FRUITLESS_TURNS = 6;

export interface UserTurns {
  readonly agent: Seat;
  readonly played: PlayedSession;
  readonly clock: Clock;
  readonly recorder: Recorder;
  readonly steps: readonly UserStep[];
}

/** Plays the user until nothing is left to say: the session's own script, and what the scenario adds to it. Gives the last turn's outcome. */
export async function playUser({ agent, played, clock, recorder, steps }: UserTurns): Promise<string> {
  const breakOff = watchForAborts(steps, recorder);
  let said = 0;
  let fruitless = 0;
  let lastText: string | null = null;
  let outcome = "completed";

  const wait = async (ms: number): Promise<void> => {
    recorder.add({ kind: "user_waited", ...placeOf(agent, clock), ms });
    await clock.sleep(ms);
    await agent.idle(ms);
  };
  const say = async (action: Extract<UserAction, { kind: "say" }>): Promise<void> => {
    const abort = new AbortController();
    const chars = action.content.reduce((sum, block) => sum + (block.type === "text" ? block.text.length : 0), 0);
    recorder.add({ kind: "user_said", ...placeOf(agent, clock), goal: action.goals[0] ?? null, chars });
    const cancel = action.abortAfterMs === undefined ? null : clock.timer(action.abortAfterMs, () => abort.abort());
    breakOff(abort);
    const result = await agent.turn(action.content, abort.signal);
    cancel?.();
    outcome = result.kind;
    lastText = result.kind === "completed" ? result.text : null;
    fruitless = result.kind === "completed" ? 0 : fruitless + 1;
    if (result.kind === "blocked") await agent.compact("");
  };

  for (let action = played.user.next(null); action !== null; action = played.user.next(lastText)) {
    switch (action.kind) {
      case "wait":
        await wait(action.ms);
        break;
      case "compact":
        await agent.compact(action.focus);
        break;
      case "say":
        said++;
        for (const step of steps) {
          if (step.do === "wait" && step.beforeTurn === said) await wait(step.minutes * 60_000);
          if (step.do === "compact" && step.beforeTurn === said) await agent.compact(step.focus);
        }
        await say(action);
        if (fruitless >= MAX_FRUITLESS_TURNS) return outcome;
        break;
      case "switch-window":
        agent.restart(modelOfWindow(action.window));
        break;
      case "resume":
        agent.restart();
        break;
    }
  }
  return outcome;
}

/** The newest model known that has this window. Sessions switch to windows that the price list has (1M and 200K). */
function modelOfWindow(window: number): ModelInfo {
  const model = models.findLast((known) => known.contextWindow === window);
  if (model === undefined) throw new RangeError(`no known model has a window of ${window} tokens`);
  return model;
}

/** Breaks off the running turn the first time that what the scenario names happens in its round or later. */
function watchForAborts(steps: readonly UserStep[], recorder: Recorder): (turn: AbortController) => void {
  const kinds = { request: "request_sent", compaction: "compact_started", tool: "tool_started" } as const;
  const waiting = new Set(steps.filter((step) => step.do === "abort"));
  let running: AbortController | null = null;
  recorder.onEvent((event) => {
    for (const step of waiting) {
      if (event.kind !== kinds[step.when] || event.round < step.atRound) continue;
      waiting.delete(step);
      running?.abort();
    }
  });
  return (turn) => {
    running = turn;
  };
}
