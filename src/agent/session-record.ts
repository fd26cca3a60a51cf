import type { AssistantMessage, Message, Usage, UserMessage } from "../transcript/index.ts";
import { assertNever } from "../transcript/index.ts";
import type { Conversation } from "./conversation.ts";
import { createConversation } from "./conversation.ts";
import { interruptedResult } from "./interrupted.ts";
import type { Edit } from "./strategy/port.ts";

/**
 * Where a session is kept while it runs: an append-only file, or anything like it. Contract:
 * - `append` keeps the record before it returns; a record is whole or not there at all;
 * - records are plain JSON, and are never changed or taken out afterwards.
 */
export interface SessionStore {
  append(record: SessionRecord): void;
}

/** One thing that happened. Replayed in order, the records give the session again (`restoreSession`). */
export type SessionRecord =
  | { readonly kind: "turn-started"; readonly turn: number; readonly opening: UserMessage | null }
  | { readonly kind: "turn-ended" }
  | { readonly kind: "round"; readonly round: number }
  /** Said while a turn ran: it waits for its place. */
  | { readonly kind: "queued"; readonly message: UserMessage }
  /** A part or a result of an answer that is still under way. */
  | { readonly kind: "arrived"; readonly message: Message }
  /** The answer under way is whole, and ended so; its tools may still run. */
  | { readonly kind: "answer-ended"; readonly stopReason: string | null; readonly usage: Usage | null }
  /** The answer under way was thrown away. */
  | { readonly kind: "answer-dropped" }
  /** These stand in the conversation now, and with them whatever of the answer under way was to stand. */
  | { readonly kind: "appended"; readonly messages: readonly Message[] }
  /** What a strategy answered and what it wants to remember, as one: a half of it would be a lie. */
  | { readonly kind: "answered"; readonly edits: readonly Edit[]; readonly state: unknown };

/** A session as its records tell it. */
export interface RestoredSession {
  readonly conversation: Conversation;
  readonly turn: number;
  readonly round: number;
  readonly strategyState: unknown;
  /** Of an answer under way: to be appended first. */
  readonly kept: readonly Message[];
  /** What opened the last turn, if it is not yet part of the conversation. */
  readonly opening: UserMessage | null;
  /** Said while a turn ran, and not yet part of the conversation, in order. */
  readonly waiting: readonly UserMessage[];
  /** The last turn had not ended. */
  readonly unfinished: boolean;
  /** The last answer is kept, but the strategy has not been told of it. */
  readonly owesAfterResponse: boolean;
  readonly startedCalls: ReadonlySet<string>;
}

/**
 * The session again. Nothing that was recorded is missing: of an answer under way whose tools had started, the whole blocks and the results stay, and
 * calls without a result are answered as interrupted, for they may have run; an answer of which no tool had started is asked for anew.
 */
export function restoreSession(records: readonly SessionRecord[], uuid: () => string, nowMs: number): RestoredSession {
  const conversation = createConversation();
  let waiting: UserMessage[] = [];
  const startedCalls = new Set<string>();
  let opening: UserMessage | null = null;
  let owesAfterResponse = false;
  let turn = 0;
  let round = 0;
  let openRound = 0;
  let strategyState: unknown = null;
  let unfinished = false;
  let underWay: Message[] = [];
  let end: AnswerEnd | null = null;

  for (const record of records) {
    switch (record.kind) {
      case "turn-started":
        turn = record.turn;
        unfinished = true;
        opening = record.opening;
        waiting = waiting.filter(({ uuid }) => uuid !== opening?.uuid);
        break;
      case "turn-ended":
        unfinished = false;
        break;
      case "round":
        openRound = record.round;
        break;
      case "queued":
        waiting.push(record.message);
        break;
      case "arrived":
        underWay.push(record.message);
        break;
      case "answer-ended":
        end = record;
        break;
      case "answer-dropped":
        underWay = [];
        end = null;
        break;
      case "appended": {
        const there = new Set(record.messages.map((message) => message.uuid));
        waiting = waiting.filter(({ uuid }) => !there.has(uuid));
        if (opening !== null && there.has(opening.uuid)) opening = null;
        if (record.messages.some(({ kind }) => kind === "assistant")) {
          underWay = [];
          end = null;
          round = openRound;
          owesAfterResponse = record.messages.some(hasEnded);
        }
        conversation.append(record.messages);
        break;
      }
      case "answered":
        if (record.edits.length > 0) conversation.edit(record.edits);
        strategyState = record.state;
        owesAfterResponse = false;
        break;
      default:
        assertNever(record);
    }
  }
  const kept = keptOf(underWay, end, uuid, nowMs);
  for (const message of [...conversation.log(), ...kept]) for (const id of callsOf(message)) startedCalls.add(id);
  return {
    conversation,
    kept,
    turn,
    round: kept.length > 0 ? openRound : round,
    strategyState,
    opening,
    waiting,
    unfinished,
    owesAfterResponse: owesAfterResponse || kept.some(hasEnded),
    startedCalls,
  };
}

interface AnswerEnd {
  readonly stopReason: string | null;
  readonly usage: Usage | null;
}

function keptOf(
  underWay: readonly Message[],
  end: AnswerEnd | null,
  uuid: () => string,
  nowMs: number,
): readonly Message[] {
  const calls = underWay.flatMap(callsOf);
  if (calls.length === 0) return [];
  const answered = new Set(underWay.flatMap(resultsOf));
  const open = calls.filter((id) => !answered.has(id));
  return [...withEnd(underWay, end), ...open.map((id) => interruptedResult(id, uuid(), nowMs))];
}

/** The last part of an answer carries how it ended (M2). */
function withEnd(messages: readonly Message[], end: AnswerEnd | null): readonly Message[] {
  if (end === null) return messages;
  const at = messages.findLastIndex(({ kind }) => kind === "assistant");
  const part = messages[at] as AssistantMessage;
  return messages.with(at, { ...part, stopReason: end.stopReason, usage: end.usage ?? part.usage });
}

function hasEnded(message: Message): boolean {
  return message.kind === "assistant" && message.stopReason !== null;
}

function callsOf(message: Message): readonly string[] {
  return message.kind === "assistant"
    ? message.content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []))
    : [];
}

function resultsOf(message: Message): readonly string[] {
  return message.kind === "user"
    ? message.content.flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : []))
    : [];
}
