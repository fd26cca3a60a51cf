import type { AssistantMessage, Message, Usage } from "../transcript/index.ts";
import { lastBoundaryIndex } from "../transcript/index.ts";
import { inputCount, usableUsage } from "./exact-count.ts";
import type { CountOptions } from "./token-count.ts";
import { isBasis, keptUuids } from "./token-count.ts";

/** Content whose size the server told. */
export interface Stretch {
  readonly messages: readonly Message[];
  /** What stands beside messages: system prompt, tools. */
  readonly texts: readonly string[];
  /** Tokens. */
  readonly actual: number;
}

/**
 * The newest content whose size two inputs tell: what stood in the request of the newest usable response and not in that of the one before it, that one's
 * answer included. Where only one response can be believed, everything in its request: `opening` is then the text that every request opens with, null where
 * that is not known. Null where nothing can be told. Must not be asked across an edit of the past, for then the difference is no growth; a boundary is seen by itself.
 */
export function newestStretch(
  messages: readonly Message[],
  opening: readonly string[] | null,
  { window, staleUuids }: Pick<CountOptions, "window" | "staleUuids">,
): Stretch | null {
  const start = lastBoundaryIndex(messages) + 1;
  const kept = keptUuids(messages[start - 1]);
  const usageBefore = (end: number): Told | null => {
    for (let i = end - 1; i >= start; i--) {
      const message = messages[i] as Message;
      if (!isBasis(message, window, kept, staleUuids)) continue;
      const { id } = message as AssistantMessage;
      return told(messages, start, id, window);
    }
    return null;
  };
  const newer = usageBefore(messages.length);
  if (newer === null) return null;
  const older = usageBefore(newer.first);
  const between = messages.slice(older?.first ?? start, newer.first);
  if (older === null && opening === null) return null;
  if (older === null) return { messages: between, texts: opening ?? [], actual: newer.input };
  return { messages: between, texts: [], actual: newer.input - older.input };
}

/** A response's first part, and what its usage says of its input. */
interface Told {
  readonly first: number;
  readonly input: number;
}

/** Of parts that tell different figures, the one with the largest output was sent last (T5). */
function told(messages: readonly Message[], start: number, id: string, window: number): Told {
  let first = -1;
  let best: Usage | null = null;
  for (let i = start; i < messages.length; i++) {
    const message = messages[i] as Message;
    if (message.kind !== "assistant" || message.id !== id) continue;
    if (first < 0) first = i;
    const usage = usableUsage(message, window);
    if (usage !== null && usage.output_tokens >= (best?.output_tokens ?? 0)) best = usage;
  }
  return { first, input: best === null ? 0 : inputCount(best) };
}
