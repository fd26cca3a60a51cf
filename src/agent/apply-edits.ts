import type { Block, Message, ToolResultBlock } from "../transcript/index.ts";
import { assertNever } from "../transcript/index.ts";
import type { CacheEditPin, Edit } from "./strategy/port.ts";

/** What a list of edits makes of a projection. */
export interface EditOutcome {
  /** The same array when nothing changed. */
  readonly messages: readonly Message[];
  /** Something that stood before was changed, moved or taken away: not merely added to at the end (M7). */
  readonly rewrote: boolean;
  readonly pinned: readonly CacheEditPin[];
}

/** Edits that do not fit the projection that they were made for. None of them is applied. */
export class EditRefused extends Error {
  constructor(what: string) {
    super(what);
    this.name = "EditRefused";
  }
}

/**
 * Applies the edits of one answer together (ST3). Indices and ids refer to the projection as given. Messages that no edit names stay the same objects.
 * Throws `EditRefused` where a range is out of bounds, two edits meet, or an id is not there.
 */
export function applyEdits(projection: readonly Message[], edits: readonly Edit[]): EditOutcome {
  const slots: (readonly Message[])[] = projection.map((message) => [message]);
  const touched = new Set<number>();
  const inserts = new Map<number, Message[]>();
  const pinned: CacheEditPin[] = [];
  let rewrote = false;
  let changed = false;

  const touch = (index: number): void => {
    if (touched.has(index)) throw new EditRefused(`two edits meet at message ${index}`);
    touched.add(index);
    rewrote = true;
    changed = true;
  };
  const insert = (index: number, messages: readonly Message[]): void => {
    if (messages.length === 0) return;
    changed = true;
    if (index < projection.length) rewrote = true;
    inserts.set(index, [...(inserts.get(index) ?? []), ...messages]);
  };

  for (const edit of edits) {
    switch (edit.kind) {
      case "replace": {
        const { from, to } = edit;
        if (!(Number.isInteger(from) && Number.isInteger(to) && 0 <= from && from <= to && to <= projection.length)) {
          throw new EditRefused(`replace [${from}, ${to}) is not within ${projection.length} messages`);
        }
        for (let i = from; i < to; i++) {
          touch(i);
          slots[i] = [];
        }
        insert(from, edit.messages);
        break;
      }
      case "hide":
        for (const uuid of edit.uuids) {
          const index = indexOfUuid(projection, uuid);
          touch(index);
          slots[index] = [];
        }
        break;
      case "clear":
        for (const [index, message] of clearResults(projection, edit.toolUseIds, edit.marker)) {
          touch(index);
          slots[index] = [message];
        }
        break;
      case "restate": {
        const index = indexOfUuid(projection, edit.uuid);
        const message = projection[index] as Message;
        if (message.kind === "boundary" || message.kind === "notice") {
          throw new EditRefused(`message ${edit.uuid} is a ${message.kind}, which has no content`);
        }
        touch(index);
        slots[index] = [{ ...message, content: edit.content }];
        break;
      }
      case "append":
        insert(projection.length, edit.messages);
        break;
      case "cache-edit":
        indexOfUuid(projection, edit.pin.messageUuid);
        pinned.push(edit.pin);
        break;
      default:
        assertNever(edit);
    }
  }
  if (!changed) return { messages: projection, rewrote: false, pinned };
  const messages = slots.flatMap((slot, i) => [...(inserts.get(i) ?? []), ...slot]);
  messages.push(...(inserts.get(projection.length) ?? []));
  return { messages, rewrote, pinned };
}

/** The messages in which a result of these calls gets the marker, by index. Results that hold it already do not count. */
function clearResults(
  messages: readonly Message[],
  toolUseIds: readonly string[],
  marker: string,
): readonly (readonly [number, Message])[] {
  const ids = new Set(toolUseIds);
  const cleared: [number, Message][] = [];
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i] as Message;
    if (message.kind !== "user") continue;
    if (!message.content.some((block) => isClearable(block, ids, marker))) continue;
    const content = message.content.map((block) =>
      isClearable(block, ids, marker) ? { ...block, content: marker } : block,
    );
    cleared.push([i, { ...message, content }]);
  }
  return cleared;
}

function isClearable(block: Block, ids: ReadonlySet<string>, marker: string): block is ToolResultBlock {
  return block.type === "tool_result" && ids.has(block.tool_use_id) && block.content !== marker;
}

function indexOfUuid(messages: readonly Message[], uuid: string): number {
  const index = messages.findLastIndex((message) => message.uuid === uuid);
  if (index < 0) throw new EditRefused(`no message ${uuid} in the projection`);
  return index;
}
