import type { CacheControl, WireBlock, WireMessage, WireTool } from "../../transcript/index.ts";

const ephemeral: CacheControl = { type: "ephemeral" };

/** How far the server looks back from a breakpoint for an earlier entry, in positions (mock-api.md K2). */
const LOOK_BACK = 20;

/** The most that a request may carry (mock-api.md V6). */
const MOST = 4;

/**
 * Messages with breakpoints at the end of the last user message and of the one before (RC8); with system and tools that makes four, the most that is allowed.
 * Where those carry more than one each (`fixed`), the messages get what is left.
 * `previousLength` is the number of messages of the request before this one: where more than 20 positions were added since,
 * the second breakpoint stands where that request ended, so that its entry is found.
 */
export function withMessageBreakpoints(
  messages: readonly WireMessage[],
  previousLength: number | null,
  fixed = 2,
): WireMessage[] {
  const out = [...messages];
  const last = lastUserBefore(messages, messages.length);
  if (last < 0 || fixed >= MOST) return out;
  mark(out, last);
  if (fixed + 1 >= MOST) return out;
  const second = secondBreakpoint(messages, last, previousLength);
  if (second >= 0) mark(out, second);
  return out;
}

function secondBreakpoint(messages: readonly WireMessage[], last: number, previousLength: number | null): number {
  const usual = lastUserBefore(messages, last);
  const previous = lastUserBefore(messages, previousLength ?? 0);
  return previous >= 0 && positionsAfter(messages, previous, usual) > LOOK_BACK ? previous : usual;
}

function lastUserBefore(messages: readonly WireMessage[], end: number): number {
  for (let i = end - 1; i >= 0; i--) if (messages[i]?.role === "user") return i;
  return -1;
}

/** Cache positions in (from, to], none where that is empty: a run of tool_use blocks counts as one, so does a run of tool_results (K2). */
function positionsAfter(messages: readonly WireMessage[], from: number, to: number): number {
  let positions = 0;
  for (let i = from + 1; i <= to; i++) {
    const { content } = messages[i] as WireMessage;
    if (typeof content === "string") positions++;
    else {
      let before: string | null = null;
      for (const { type } of content) {
        const joins = (type === "tool_use" || type === "tool_result") && before === type;
        if (!joins) positions++;
        before = type;
      }
    }
  }
  return positions;
}

/** Marks the last block that may carry a breakpoint. Changes the array, never the message. */
function mark(messages: WireMessage[], index: number): void {
  const message = messages[index] as WireMessage;
  const content: readonly WireBlock[] =
    typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
  const at = content.findLastIndex(canCarry);
  if (at < 0) return;
  messages[index] = {
    ...message,
    content: content.with(at, { ...(content[at] as WireBlock), cache_control: ephemeral }),
  };
}

/** Not thinking, not an empty text (V6), not an edit of the cache itself. */
function canCarry(block: WireBlock): boolean {
  return (
    block.type !== "thinking" && block.type !== "redacted_thinking" && block.type !== "cache_edits" && block.text !== ""
  );
}

/** The system prompt with its breakpoint, unless it came with some of its own; left out where it is empty. */
export function systemWithBreakpoint(system: string | readonly WireBlock[]): {
  readonly system?: readonly WireBlock[];
} {
  const blocks = typeof system === "string" ? (system === "" ? [] : [{ type: "text", text: system }]) : system;
  return blocks.length === 0 ? {} : { system: withOneBreakpoint(blocks) };
}

/** The tools, the last one with the breakpoint, unless they came with some of their own; left out where there are none. */
export function toolsWithBreakpoint(tools: readonly WireTool[]): { readonly tools?: readonly WireTool[] } {
  return tools.length === 0 ? {} : { tools: withOneBreakpoint(tools) };
}

/** How many of them carry a breakpoint. */
export function countBreakpoints(parts: readonly { readonly [field: string]: unknown }[] | undefined): number {
  return parts?.filter((part) => part.cache_control != null).length ?? 0;
}

function withOneBreakpoint<T extends { readonly [field: string]: unknown }>(parts: readonly T[]): readonly T[] {
  return countBreakpoints(parts) > 0 ? parts : parts.with(-1, { ...(parts.at(-1) as T), cache_control: ephemeral });
}
