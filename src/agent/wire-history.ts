import type { PreparedMessages, RequestParts } from "../compaction/index.ts";
import { prepareMessages, sendableMessages } from "../compaction/index.ts";
import type { Message, UserMessage, WireTranscript } from "../transcript/index.ts";
import { createWireTranscript, dropThinkingOfOtherModels } from "../transcript/index.ts";

/**
 * `prepareMessages` for a conversation that grows: a request costs what is new since the last one, however long the history is.
 * Contract: equal to `prepareMessages` over the same parts. `rewrites` counts the changes of the past; where it, the model or a name has changed,
 * everything is made anew. `ending` is one message more, for this request alone: a fork shares the wire messages of the main thread.
 */
export type WireHistory = (parts: RequestParts, rewrites: number, ending?: UserMessage) => PreparedMessages;

interface Kept {
  readonly key: string;
  readonly transcript: WireTranscript;
  /** The response in whose middle the past was changed: a part of it that comes later changes what is sent of the earlier ones (M7). */
  readonly straddling: string | null;
  /** Messages taken so far, and the last of them. */
  taken: number;
  last: Message | undefined;
  pins: number;
  dropped: PreparedMessages["dropped"];
}

export function createWireHistory(): WireHistory {
  let kept: Kept | undefined;
  return (parts, rewrites, ending) => {
    const { messages, pins, model, answersAs, carryPins } = parts;
    const pinsCleared = pins.length > 0 && !(carryPins && model.cacheEditing);
    if (parts.rebound === "all" || pinsCleared)
      return prepareMessages(ending === undefined ? parts : { ...parts, messages: [...messages, ending] });
    const key = `${rewrites}/${model.id}/${answersAs}`;
    if (kept === undefined || kept.key !== key || !continues(kept, messages)) kept = anew(parts, key);
    for (; kept.taken < messages.length; kept.taken++) {
      const message = messages[kept.taken] as Message;
      const own = dropThinkingOfOtherModels([message], answersAs);
      kept.transcript.append(own.messages[0] as Message);
      kept.dropped = { ...kept.dropped, otherModel: kept.dropped.otherModel + own.dropped };
      kept.last = message;
    }
    for (const pin of pins.slice(kept.pins)) kept.transcript.pin(pin);
    kept.pins = pins.length;
    return { ...kept.transcript.paired(ending), dropped: kept.dropped };
  };
}

function continues({ taken, last, straddling }: Kept, messages: readonly Message[]): boolean {
  if (taken > messages.length || messages[taken - 1] !== last) return false;
  for (let i = taken; i < messages.length; i++) {
    const message = messages[i] as Message;
    if (message.kind === "boundary" || (message.kind === "assistant" && message.id === straddling)) return false;
  }
  return true;
}

function anew(parts: RequestParts, key: string): Kept {
  const transcript = createWireTranscript();
  const { messages, dropped } = sendableMessages(parts);
  for (const message of messages) transcript.append(message);
  const straddling = straddlingResponse(parts);
  return { key, transcript, straddling, taken: parts.messages.length, last: parts.messages.at(-1), pins: 0, dropped };
}

function straddlingResponse({ messages, rebound }: RequestParts): string | null {
  const upTo = rebound === "all" ? null : rebound.upTo;
  if (upTo === null) return null;
  for (let i = messages.findLastIndex((message) => message.uuid === upTo); i >= 0; i--) {
    const message = messages[i];
    if (message?.kind === "assistant") return message.id;
  }
  return null;
}
