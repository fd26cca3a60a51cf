import { assertNever } from "./assert-never.ts";
import type { Block, ToolResultBlock } from "./block.ts";
import { blockToWire } from "./block-wire.ts";
import type { AssistantMessage, Message } from "./message.ts";
import type { Pin } from "./normalize-for-api.ts";
import type { WireBlock, WireMessage } from "./wire.ts";

/** Stands where the API wants a user message and nobody spoke (M4): always the same, so that a later request repeats it byte for byte. */
export const continueText = "Continue.";

/**
 * The wire form of a transcript that grows (M4), kept message by message: an append costs what is appended, however long the history is.
 * Contract: equal to `normalizeForApi` over the same messages; wire messages that did not change keep their identity.
 */
export interface WireTranscript {
  append(message: Message): void;
  /** One array for the life of the transcript: a later append and call update it in place. Not to be changed, nor kept across appends. */
  messages(): readonly WireMessage[];
}

/** The shape that M4 asks for by its nature: an opening by the user, then one exchange for each response. */
interface Exchange {
  readonly response: WireBlock[];
  readonly answer: Answer;
  readonly index: number;
}

interface Answer {
  readonly results: WireBlock[];
  readonly rest: WireBlock[];
  readonly edits: WireBlock[];
}

export function createWireTranscript(pins: readonly Pin[] = []): WireTranscript {
  const opening = emptyAnswer();
  const exchanges: Exchange[] = [];
  const byResponseId = new Map<string, Exchange>();
  const byToolUseId = new Map<string, Exchange>();
  const pinsByMessage = new Map<string, readonly Pin[]>();
  for (const pin of pins) pinsByMessage.set(pin.messageUuid, [...(pinsByMessage.get(pin.messageUuid) ?? []), pin]);
  const out: WireMessage[] = [];
  /** First exchange whose wire messages are out of date; -1 is the opening. */
  let dirtyFrom = -1;

  const touch = (exchange: Exchange | undefined): Answer => {
    dirtyFrom = Math.min(dirtyFrom, exchange?.index ?? -1);
    return exchange?.answer ?? opening;
  };

  const appendResponse = (message: AssistantMessage): void => {
    const blocks = message.content.filter(isSendable);
    if (blocks.length === 0) return;
    let exchange = byResponseId.get(message.id);
    if (exchange === undefined) {
      exchange = { response: [], answer: emptyAnswer(), index: exchanges.length };
      byResponseId.set(message.id, exchange);
      exchanges.push(exchange);
    }
    touch(exchange);
    for (const block of blocks) {
      exchange.response.push(blockToWire(block));
      if (block.type === "tool_use") byToolUseId.set(block.id, exchange);
    }
  };

  const appendSpoken = (uuid: string, blocks: readonly Block[]): void => {
    let home: Answer | undefined;
    for (const block of blocks) {
      if (!isSendable(block)) continue;
      const isResult = block.type === "tool_result";
      const owner = isResult ? byToolUseId.get(block.tool_use_id) : undefined;
      const answer = touch(owner ?? exchanges.at(-1));
      if (isResult) answer.results.push(blockToWire(withoutBlankParts(block)));
      else answer.rest.push(blockToWire(block));
      home ??= answer;
    }
    for (const pin of pinsByMessage.get(uuid) ?? []) home?.edits.push(cacheEdits(pin));
  };

  return {
    append: (message) => {
      switch (message.kind) {
        case "boundary":
        case "notice":
          return;
        case "user":
        case "attachment":
          return appendSpoken(message.uuid, message.content);
        case "assistant":
          return appendResponse(message);
        default:
          return assertNever(message);
      }
    },
    messages: () => {
      if (dirtyFrom < 0) {
        out.length = 0;
        if (needsOpening(opening, exchanges[0])) out.push(userMessage(opening));
      }
      const first = Math.max(0, dirtyFrom);
      out.length = Math.min(out.length, (out[0]?.role === "user" ? 1 : 0) + 2 * first);
      for (let i = first; i < exchanges.length; i++) {
        const { response, answer } = exchanges[i] as Exchange;
        out.push({ role: "assistant", content: response.slice() }, userMessage(answer));
      }
      dirtyFrom = exchanges.length;
      return out;
    },
  };
}

function emptyAnswer(): Answer {
  return { results: [], rest: [], edits: [] };
}

/** A summary that the server signed must come back first of all (K4): nothing is put before it. */
function needsOpening(opening: Answer, first: Exchange | undefined): boolean {
  if (opening.results.length + opening.rest.length > 0) return true;
  return first !== undefined && first.response[0]?.type !== "compaction";
}

function userMessage({ results, rest, edits }: Answer): WireMessage {
  const spoken = results.length + rest.length === 0 ? [{ type: "text", text: continueText }] : rest;
  return { role: "user", content: [...results, ...spoken, ...edits] };
}

/** Blank text is refused by the API; thinking without a signature too (it was cut in the stream). */
function isSendable(block: Block): boolean {
  if (block.type === "text") return !isBlank(block.text);
  if (block.type === "thinking") return block.signature !== undefined && block.signature !== "";
  return true;
}

function withoutBlankParts(result: ToolResultBlock): ToolResultBlock {
  if (typeof result.content === "string" || !result.content.some(isBlankPart)) return result;
  return { ...result, content: result.content.filter((part) => !isBlankPart(part)) };
}

function isBlankPart(part: { readonly type: string; readonly text?: unknown }): boolean {
  return part.type === "text" && typeof part.text === "string" && isBlank(part.text);
}

function isBlank(text: string): boolean {
  return !/\S/.test(text);
}

function cacheEdits(pin: Pin): WireBlock {
  return { type: "cache_edits", edits: pin.toolUseIds.map((id) => ({ type: "delete", tool_use_id: id })) };
}
