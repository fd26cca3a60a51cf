import type { Overhead } from "../compaction/index.ts";
import { clearedResultText, clearResults } from "../compaction/index.ts";
import { estimateMessage } from "../tokens/index.ts";
import type { Message } from "../transcript/index.ts";
import { assertNever, messagesAfterLastBoundary } from "../transcript/index.ts";
import type { ContextByOrigin } from "./events.ts";
import type { CacheEditPin } from "./strategy/port.ts";

/**
 * Where the tokens of the live part come from, whole numbers, not padded (report.md R4). What `pins` name weighs its marker: the server has deleted
 * it, or gets the marker (MC3). Each message is estimated once, however often it is sent, and once more for each new pin.
 */
export function createOriginCounter(): (
  messages: readonly Message[],
  overhead: Overhead,
  pins?: readonly CacheEditPin[],
) => ContextByOrigin {
  let known = new WeakMap<Message, number>();
  let deleted: ReadonlySet<string> = new Set();
  let pinsSeen: readonly CacheEditPin[] = [];
  let last: readonly Message[] = [];
  let sums = { ...noTokens };
  const size = (message: Message): number => {
    let tokens = known.get(message);
    if (tokens === undefined) {
      tokens = estimateMessage(clearResults([message], deleted, clearedResultText)[0] as Message);
      known.set(message, tokens);
    }
    return tokens;
  };
  return (messages, overhead, pins = []) => {
    if (pins !== pinsSeen) {
      const ids = new Set(pins.flatMap(({ toolUseIds }) => toolUseIds));
      if (ids.size !== deleted.size) known = new WeakMap();
      deleted = ids;
      pinsSeen = pins;
      last = [];
    }
    // Where it has only grown, the sums go on: a request costs what is new in it.
    const hasGrown = last.length > 0 && beginsWith(messages, last);
    const added = hasGrown ? messages.slice(last.length) : messages;
    const counted = messagesAfterLastBoundary(added);
    if (!hasGrown || counted !== added) sums = { ...noTokens };
    last = messages;
    for (const message of counted) {
      const origin = originOf(message);
      if (origin !== null) sums[origin] += size(message);
    }
    const rounded = Object.fromEntries(Object.entries(sums).map(([key, sum]) => [key, Math.ceil(sum)])) as typeof sums;
    return { ...overhead, ...rounded };
  };
}

/** A plain loop: this looks at the whole past at every request. */
function beginsWith(messages: readonly Message[], first: readonly Message[]): boolean {
  for (let at = 0; at < first.length; at++) if (messages[at] !== first[at]) return false;
  return true;
}

const noTokens = { user: 0, assistant: 0, toolResults: 0, summaries: 0, attachments: 0 };

function originOf(message: Message): Exclude<keyof ContextByOrigin, "system" | "tools"> | null {
  switch (message.kind) {
    case "user":
      if (message.isCompactSummary === true) return "summaries";
      return message.content.some((block) => block.type === "tool_result") ? "toolResults" : "user";
    case "assistant":
      return "assistant";
    case "attachment":
      return "attachments";
    case "boundary":
    case "notice":
      return null;
    default:
      return assertNever(message);
  }
}
