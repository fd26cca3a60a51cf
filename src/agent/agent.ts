import type { Forked } from "../compaction/index.ts";
import type { Block, UserMessage } from "../transcript/index.ts";
import type { AgentOptions } from "./agent-options.ts";
import type { Agent, CompactResult, TurnResult } from "./agent-port.ts";
import { createAsk } from "./ask.ts";
import { startBackground } from "./background.ts";
import { createMoments, watchStrategyEvent } from "./moment.ts";
import type { Session } from "./session.ts";
import { createSession } from "./session.ts";
import type { Answer, StrategyPorts } from "./strategy/port.ts";
import { runTurn } from "./turn.ts";

/** An agent on any client, with any strategy, on any clock. */
export function createAgent(options: AgentOptions): Agent {
  const session = createSession(options);
  const { conversation } = session;
  const moments = createMoments(session, options.strategy.start(strategyPorts(session)));
  const { clock } = options;
  let inTurn = false;
  /** A manual compaction outside a turn; what comes meanwhile waits for it. */
  let manual: Forked<Answer["status"]> | undefined;

  const spoken = (content: string | readonly Block[]): UserMessage => ({
    kind: "user",
    uuid: session.uuid(),
    timestamp: session.now(),
    content: typeof content === "string" ? [{ type: "text", text: content }] : content,
  });

  const turn = async (content: string | readonly Block[], cancel?: AbortSignal): Promise<TurnResult> => {
    const signal = orClosed(session, cancel);
    const message = spoken(content);
    if (inTurn) {
      session.record({ kind: "queued", message });
      session.queue.push(message);
      return { kind: "queued" };
    }
    inTurn = true;
    takeOver();
    const saidBefore = session.queue.splice(0);
    if (manual !== undefined) {
      session.record({ kind: "queued", message });
      await clock.join(manual);
    }
    session.append(saidBefore);
    const end = await runTurn(session, moments, { kind: "fresh", opening: message }, signal);
    inTurn = false;
    return end;
  };

  /** A new turn in the place of one that was cut off: what was said then is said first. */
  const takeOver = (): void => {
    const opening = session.cutOff?.opening ?? null;
    session.cutOff = null;
    if (opening === null) return;
    session.record({ kind: "queued", message: opening });
    session.queue.unshift(opening);
  };

  const resume = async (cancel?: AbortSignal): Promise<TurnResult | null> => {
    const signal = orClosed(session, cancel);
    const { cutOff } = session;
    if (cutOff === null || inTurn) return null;
    session.cutOff = null;
    inTurn = true;
    const end = await runTurn(session, moments, { kind: "cut-off", ...cutOff }, signal);
    inTurn = false;
    return end;
  };

  const compact = async (focusText: string, cancel?: AbortSignal): Promise<CompactResult> => {
    const signal = orClosed(session, cancel);
    if (inTurn) {
      if (manual === undefined) session.command ??= focusText;
      return { kind: "queued" };
    }
    manual ??= clock.fork(async () => {
      const { status } = await moments.at("onCommand", { pending: null, signal }, (strategy, view) =>
        strategy.onCommand?.(view, focusText),
      );
      return status;
    });
    const run = manual;
    const status = await clock.join(run);
    if (manual === run) manual = undefined;
    return { kind: "ran", status: status ?? { kind: "failed", reason: "the compaction did not end" } };
  };

  return {
    turn,
    resume,
    compact,
    idle: async (gapMs) => {
      await moments.at("onIdle", { pending: null, signal: session.closed }, (strategy, view) =>
        strategy.onIdle?.(view, gapMs),
      );
    },
    close: () => session.close(),
    log: () => conversation.log(),
    projection: () => conversation.projection(),
    get turns() {
      return session.turn;
    },
    get rounds() {
      return session.round;
    },
  };
}

function strategyPorts(session: Session): StrategyPorts {
  const { options } = session;
  const { clock } = options;
  const spilled: string[] = [];
  return {
    ask: createAsk(session),
    clock,
    uuid: () => session.uuid(),
    read: options.readFile ?? (async () => null),
    spill: options.spill ?? ((text) => `spill-${spilled.push(text)}`),
    background: (key, work) => startBackground(clock, key, work),
    state: {
      get: () => session.strategyState,
      set: (value) => {
        session.strategyState = value;
      },
    },
    emit: (event) => watchStrategyEvent(session, event),
  };
}

/** The caller's signal, which the end of the conversation aborts, too. */
function orClosed({ closed }: Session, signal: AbortSignal | undefined): AbortSignal {
  return signal === undefined ? closed : AbortSignal.any([signal, closed]);
}
