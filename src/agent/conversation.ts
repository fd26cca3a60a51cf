import type { Message } from "../transcript/index.ts";
import { applyEdits } from "./apply-edits.ts";
import { findSplits } from "./split-pairs.ts";
import type { CacheEditPin, Edit } from "./strategy/port.ts";

/**
 * One conversation: the canonical log, which only grows, and the projection, which is what requests are made from (ST3).
 * Everything goes through `append` and `edit`, so replaying those two gives the same conversation again.
 */
export interface Conversation {
  log(): readonly Message[];
  projection(): readonly Message[];
  pins(): readonly CacheEditPin[];
  /** The last message that stood when something before it was last changed; null: never (M7). */
  latestChangeUuid(): string | null;
  /** How often what stood before was changed; appending is no change. */
  rewrites(): number;
  append(messages: readonly Message[]): void;
  /** Applies the edits of one answer, and tells what they tore apart. Throws `EditRefused`, and nothing has changed. */
  edit(edits: readonly Edit[]): EditReport;
}

export interface EditReport {
  readonly changed: boolean;
  readonly splits: readonly string[];
}

/** Where a conversation stands: all that `append` and `edit` have made of it. */
export interface ConversationState {
  readonly log: readonly Message[];
  readonly projection: readonly Message[];
  readonly pins: readonly CacheEditPin[];
  readonly latestChangeUuid: string | null;
}

export function createConversation(start?: Partial<ConversationState>): Conversation {
  const log: Message[] = [...(start?.log ?? start?.projection ?? [])];
  const logged = new Set(log.map((message) => message.uuid));
  let projection = [...(start?.projection ?? log)];
  let pins = start?.pins ?? [];
  let rewrites = 0;
  let latestChangeUuid = start?.latestChangeUuid ?? null;

  const record = (messages: readonly Message[]): void => {
    for (const message of messages) {
      if (logged.has(message.uuid)) continue;
      logged.add(message.uuid);
      log.push(message);
    }
  };

  return {
    log: () => log,
    projection: () => projection,
    pins: () => pins,
    latestChangeUuid: () => latestChangeUuid,
    rewrites: () => rewrites,
    append: (messages) => {
      record(messages);
      // A new array: whoever holds a view keeps what was shown.
      projection = [...projection, ...messages];
    },
    edit: (edits) => {
      const before = projection;
      const outcome = applyEdits(before, edits);
      // Where the prefix is rewritten, the server's copy of it is gone, and with it what was deleted there (MC3).
      if (outcome.rewrote) pins = [];
      if (outcome.pinned.length > 0) pins = [...pins, ...outcome.pinned];
      if (outcome.messages === before) return { changed: outcome.pinned.length > 0, splits: [] };
      for (const edit of edits) if (edit.kind === "replace" || edit.kind === "append") record(edit.messages);
      projection = [...outcome.messages];
      if (outcome.rewrote) {
        latestChangeUuid = projection.at(-1)?.uuid ?? null;
        rewrites++;
      }
      return { changed: true, splits: findSplits(before, projection) };
    },
  };
}
