import { assertNever } from "./assert-never.ts";
import type { Block } from "./block.ts";
import { blockToWire } from "./block-wire.ts";
import type { AssistantMessage, Message, UserMessage } from "./message.ts";
import { isSendable, withoutBlankParts } from "./sendable.ts";
import { isThinking } from "./thinking.ts";
import { isWireToolId } from "./tool-id.ts";
import type { Paired } from "./tool-result-pairing.ts";
import { ensureToolResultPairing, noRepairs } from "./tool-result-pairing.ts";
import type { WireBlock, WireMessage } from "./wire.ts";

/** Stands where the API wants a user message and nobody spoke (M4): always the same, so that a later request repeats it byte for byte. */
export const continueText = "Continue.";

/** Where a `cache_edits` block travels: at the end of the wire message that holds the named message (MC3). */
export interface Pin {
  readonly messageUuid: string;
  readonly toolUseIds: readonly string[];
}

/**
 * The wire form of a transcript that grows (M4, M5), kept message by message: an append costs what is appended, however long the history is.
 * After any other change of the past, make a new one. Contract:
 * - `messages()` equals `normalizeForApi` over what was appended and pinned, `paired()` equals `ensureToolResultPairing` of that;
 * - `paired(ending)` is `paired()` of this transcript with one message more, which is forgotten at once: what a fork asks at the end (FC3);
 * - wire messages that did not change keep their identity;
 * - the array of `messages()` is one for the life of the transcript, brought up to date in place: not to be kept across appends.
 */
export interface WireTranscript {
  append(message: Message): void;
  /** Puts a `cache_edits` block at the end of the wire message that holds the pinned one; nothing when it is not there (MC3). */
  pin(pin: Pin): void;
  messages(): readonly WireMessage[];
  /** While all pairs are whole, no more work than `messages()`; else one pass over everything. `ending` holds no tool results. */
  paired(ending?: UserMessage): Paired;
}

/** The shape that M4 asks for by its nature: an opening by the user, then one exchange for each response. */
interface Exchange {
  readonly index: number;
  readonly response: WireBlock[];
  readonly answer: Answer;
  /** As sent; undefined after a change. */
  sentResponse: WireMessage | undefined;
  whole: boolean;
}

interface Answer {
  readonly results: WireBlock[];
  readonly rest: WireBlock[];
  readonly edits: WireBlock[];
  sent: WireMessage | undefined;
}

export function createWireTranscript(): WireTranscript {
  return new GrowingWire();
}

class GrowingWire implements WireTranscript {
  readonly #opening: Answer = emptyAnswer();
  readonly #exchanges: Exchange[] = [];
  readonly #byResponseId = new Map<string, Exchange>();
  readonly #byToolUseId = new Map<string, Exchange>();
  /** Where each user message went, by uuid: null is the opening. */
  readonly #homes = new Map<string, Exchange | null>();
  /** One exchange for every id called with: in any other, that id is a double. */
  readonly #callers = new Map<string, Exchange>();
  // Stryker disable next-line ArrayDeclaration: emptied before it is first filled, since `#dirtyFrom` is 0.
  readonly #out: WireMessage[] = [];
  /** First exchange that is out of date in `#out`; 0: the opening too, which depends on the first. */
  #dirtyFrom = 0;
  #broken = 0;

  append(message: Message): void {
    switch (message.kind) {
      case "boundary":
      case "notice":
        return;
      case "user":
      case "attachment":
        this.#appendSpoken(message.uuid, message.content);
        return;
      case "assistant":
        this.#appendResponse(message);
        return;
      default:
        assertNever(message);
    }
  }

  pin({ messageUuid, toolUseIds }: Pin): void {
    const home = this.#homes.get(messageUuid);
    if (home === undefined) return;
    const edits = toolUseIds.map((id) => ({ type: "delete", tool_use_id: id }));
    this.#touchAnswer(home).edits.push({ type: "cache_edits", edits });
  }

  messages(): readonly WireMessage[] {
    const out = this.#out;
    if (this.#dirtyFrom === 0) {
      out.length = 0;
      if (needsOpening(this.#opening, this.#exchanges[0])) out.push(userMessage(this.#opening));
    }
    out.length = Math.min(out.length, (out[0]?.role === "user" ? 1 : 0) + 2 * this.#dirtyFrom);
    for (let i = this.#dirtyFrom; i < this.#exchanges.length; i++) this.#send(this.#exchanges[i] as Exchange);
    this.#dirtyFrom = this.#exchanges.length;
    return out;
  }

  paired(ending?: UserMessage): Paired {
    const messages = ending === undefined ? this.messages() : this.#endingWith(ending, this.messages());
    const { results, rest } = this.#opening;
    const whole = this.#broken === 0 && results.length === 0 && !rest.some(isAssistantsOwn);
    return whole ? { messages, repairs: noRepairs() } : ensureToolResultPairing(messages);
  }

  /** What a person says last stands in the last message, which is always a user's. */
  #endingWith({ content }: UserMessage, messages: readonly WireMessage[]): readonly WireMessage[] {
    const home = this.#exchanges.at(-1)?.answer ?? this.#opening;
    const rest = [...home.rest, ...content.filter(isSendable).map(blockToWire)];
    return [...messages.slice(0, -1), userMessage({ ...home, rest, sent: undefined })];
  }

  #appendResponse(message: AssistantMessage): void {
    const blocks = message.content.filter(isSendable);
    if (blocks.length === 0) return;
    const exchange = this.#byResponseId.get(message.id) ?? this.#openExchange(message.id);
    exchange.sentResponse = undefined;
    this.#dirtyFrom = Math.min(this.#dirtyFrom, exchange.index);
    for (const block of blocks) {
      exchange.response.push(blockToWire(block));
      if (block.type === "tool_use") this.#byToolUseId.set(block.id, exchange);
    }
  }

  #openExchange(responseId: string): Exchange {
    const index = this.#exchanges.length;
    const exchange = { index, response: [], answer: emptyAnswer(), sentResponse: undefined, whole: true };
    this.#byResponseId.set(responseId, exchange);
    this.#exchanges.push(exchange);
    return exchange;
  }

  #appendSpoken(uuid: string, blocks: readonly Block[]): void {
    for (const block of blocks) {
      if (!isSendable(block)) continue;
      const isResult = block.type === "tool_result";
      const owner = isResult ? this.#byToolUseId.get(block.tool_use_id) : undefined;
      const home = owner ?? this.#exchanges.at(-1) ?? null;
      const answer = this.#touchAnswer(home);
      if (isResult) answer.results.push(blockToWire(withoutBlankParts(block)));
      else answer.rest.push(blockToWire(block));
      if (!this.#homes.has(uuid)) this.#homes.set(uuid, home);
    }
  }

  #touchAnswer(home: Exchange | null): Answer {
    const answer = home?.answer ?? this.#opening;
    answer.sent = undefined;
    this.#dirtyFrom = Math.min(this.#dirtyFrom, home?.index ?? 0);
    return answer;
  }

  #send(exchange: Exchange): void {
    const { answer } = exchange;
    this.#check(exchange);
    exchange.sentResponse ??= { role: "assistant", content: exchange.response.slice() };
    this.#out.push(exchange.sentResponse, userMessage(answer));
  }

  #check(exchange: Exchange): void {
    const whole = isWhole(exchange, this.#callers);
    if (whole !== exchange.whole) this.#broken += whole ? -1 : 1;
    exchange.whole = whole;
  }
}

/** Whether M5 has nothing to repair in this exchange. Notes in `callers` the ids that nobody called with yet. */
function isWhole(exchange: Exchange, callers: Map<string, Exchange>): boolean {
  const open = new Set<string>();
  let whole = !exchange.response.every(isThinking);
  for (const block of exchange.response) {
    if (block.type === "tool_result") whole = false;
    if (block.type !== "tool_use") continue;
    const id = block.id as string;
    if (!callers.has(id)) callers.set(id, exchange);
    if (callers.get(id) !== exchange || open.has(id) || !isWireToolId(id)) whole = false;
    open.add(id);
  }
  for (const result of exchange.answer.results) whole = open.delete(result.tool_use_id as string) && whole;
  return whole && open.size === 0 && !exchange.answer.rest.some(isAssistantsOwn);
}

function isAssistantsOwn(block: WireBlock): boolean {
  return block.type === "tool_use" || isThinking(block);
}

function emptyAnswer(): Answer {
  return { results: [], rest: [], edits: [], sent: undefined };
}

/** A summary that the server signed must come back first of all (K4): nothing is put before it. */
function needsOpening(opening: Answer, first: Exchange | undefined): boolean {
  if (opening.results.length + opening.rest.length > 0) return true;
  return first !== undefined && (first.response[0] as WireBlock).type !== "compaction";
}

function userMessage(answer: Answer): WireMessage {
  const { results, rest, edits } = answer;
  const spoken = results.length + rest.length === 0 ? [{ type: "text", text: continueText }] : rest;
  answer.sent ??= { role: "user", content: [...results, ...spoken, ...edits] };
  return answer.sent;
}
