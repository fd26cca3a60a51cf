import type { CompactionEvent, CompactionFact, Overhead, RequestParts } from "../compaction/index.ts";
import { overheadOf } from "../compaction/index.ts";
import type { ModelInfo } from "../tokens/index.ts";
import { findModel } from "../tokens/index.ts";
import type { Message, QuerySource, Usage, UserMessage } from "../transcript/index.ts";
import type { AgentOptions } from "./agent-options.ts";
import type { LoopConfig } from "./config.ts";
import { defaultLoopConfig } from "./config.ts";
import { createOriginCounter } from "./context-origin.ts";
import type { Conversation } from "./conversation.ts";
import { createConversation } from "./conversation.ts";
import type { LoopEvent, LoopFact } from "./events.ts";
import type { SessionRecord } from "./session-record.ts";
import { restoreSession } from "./session-record.ts";
import type { WireHistory } from "./wire-history.ts";
import { createWireHistory } from "./wire-history.ts";

/** The state of one conversation as the loop's parts share it. Written by the loop alone; strategies see `View`s. */
export interface Session {
  readonly options: AgentOptions;
  readonly config: LoopConfig;
  readonly conversation: Conversation;
  readonly overhead: Overhead;
  readonly originOf: ReturnType<typeof createOriginCounter>;
  /** The main thread's wire messages, kept from request to request. */
  readonly history: WireHistory;
  /** The model that answers now: the fallback after step 5, until the turn ends. */
  model: ModelInfo;
  previousModel: ModelInfo | null;
  turn: number;
  /** Counts over the whole conversation; one for each answer that is kept. */
  round: number;
  /** Message count of the last main request (RC8); null after the prefix was rewritten. */
  previousLength: number | null;
  /** What was said while a turn ran, in order. */
  readonly queue: UserMessage[];
  /** Focus text of a manual compaction that was asked for while a turn ran; null: none. */
  command: string | null;
  /** The history came from an earlier run, and no request has been made from it yet. */
  resumed: boolean;
  /** Tool calls that have been started, ever: none is started twice. */
  readonly startedCalls: Set<string>;
  /** What was repaired and left out in the last main request. */
  told: { readonly repairs: string; readonly rebound: number; readonly otherModel: number };
  /** The strategy itself told of a step that it took while the present moment ran. */
  sawRecoveryStep: boolean;
  /** The strategy's own cell (ST4). */
  strategyState: unknown;
  /** The turn that the end of an earlier process cut off, null where none was. */
  cutOff: { readonly opening: UserMessage | null; readonly owesAfterResponse: boolean } | null;
  /** Aborted when the conversation is put away. */
  readonly closed: AbortSignal;
  close(): void;
  /** Something of an answer has been recorded that is not yet part of the conversation. */
  underWay: boolean;

  /** Puts messages into the conversation, for good: they are recorded first. */
  append(messages: readonly Message[]): void;
  record(record: SessionRecord): void;

  now(): number;
  uuid(): string;
  emit(fact: LoopFact | CompactionFact, source?: QuerySource): void;
  /** The nth request of this source in the present round. */
  nextAttempt(source: QuerySource): number;
  requestMaxTokens(): number;
  /** Remembers by what name a model answers. */
  learnName(model: ModelInfo, name: string): void;
  /** Everything of a main-like request but its messages and cap. */
  frame(): Omit<RequestParts, "messages" | "maxTokens" | "rebound" | "previousLength">;
}

export function createSession(options: AgentOptions): Session {
  const config: LoopConfig = { ...defaultLoopConfig, ...options.config };
  const attempts = new Map<string, number>();
  const names = new Map<string, string>();
  const { system, toolDefinitions, thinking, clock } = options;

  const closing = new AbortController();
  const restored =
    options.resume === undefined ? null : restoreSession(options.resume, () => options.uuid(), clock.now());
  const conversation =
    restored?.conversation ?? createConversation(options.history === undefined ? {} : { log: options.history });
  for (const message of conversation.log()) {
    const model = message.kind === "assistant" ? findModel(message.model) : undefined;
    if (message.kind === "assistant" && model !== undefined) names.set(model.id, message.model);
  }

  const session: Session = {
    options,
    config,
    conversation,
    overhead: overheadOf(system, toolDefinitions),
    originOf: createOriginCounter(),
    history: createWireHistory(),
    model: options.model,
    previousModel: null,
    turn: restored?.turn ?? 0,
    round: restored?.round ?? 0,
    previousLength: null,
    queue: [...(restored?.waiting ?? [])],
    command: null,
    resumed: conversation.log().length > 0,
    startedCalls: new Set(restored?.startedCalls),
    told: { repairs: "{}", rebound: 0, otherModel: 0 },
    sawRecoveryStep: false,
    strategyState: restored?.strategyState ?? null,
    cutOff: restored?.unfinished === true ? restored : null,
    underWay: false,
    closed: closing.signal,
    close: () => closing.abort(),

    append: (messages) => {
      if (messages.length === 0) return;
      session.record({ kind: "appended", messages });
      if (messages.some(({ kind }) => kind === "assistant")) session.underWay = false;
      conversation.append(messages);
    },
    record: (record) => {
      if (!closing.signal.aborted) options.store?.append(record);
    },
    now: () => clock.now(),
    uuid: () => options.uuid(),
    emit: (fact, source = "main") => {
      if (closing.signal.aborted) return;
      const { turn, round } = session;
      options.emit({ ...fact, at: clock.now(), turn, round, querySource: source } as LoopEvent | CompactionEvent);
    },
    nextAttempt: (source) => {
      const key = `${source}/${session.round}`;
      const attempt = (attempts.get(key) ?? 0) + 1;
      attempts.set(key, attempt);
      return attempt;
    },
    requestMaxTokens: () => Math.min(config.outputCapTokens, session.model.maxOutput),
    learnName: (model, name) => names.set(model.id, name),
    frame: () => ({
      pins: conversation.pins(),
      carryPins: true,
      system,
      tools: toolDefinitions,
      model: session.model,
      answersAs: names.get(session.model.id) ?? session.model.id,
      thinking,
    }),
  };
  session.append(restored?.kept ?? []);
  return session;
}

/** The window that counts: the model's, or the cap where that is lower. Tokens. */
export function windowOf(options: AgentOptions, model: ModelInfo): number {
  return Math.min(model.contextWindow, options.windowCap ?? Number.POSITIVE_INFINITY);
}

/** The newest response that still stands and carries figures, null where none does (ST2). */
export function lastUsageOf(
  conversation: Conversation,
): { readonly usage: Usage; readonly messageUuid: string; readonly olderThanLastEdit: boolean } | null {
  const messages = conversation.projection();
  const changedAt = conversation.latestChangeUuid();
  let older = false;
  for (let i = messages.length - 1; i >= 0; i--) {
    const message = messages[i];
    if (message === undefined || message.kind === "boundary") return null;
    older ||= message.uuid === changedAt;
    if (message.kind !== "assistant" || message.usage === null || message.synthetic === true) continue;
    return { usage: message.usage, messageUuid: message.uuid, olderThanLastEdit: older };
  }
  return null;
}
