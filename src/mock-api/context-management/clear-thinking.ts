import type { WireBlock, WireRequest } from "../../transcript/index.ts";
import { blocksOf, withBlocks } from "./clear-tool-uses.ts";
import type { ClearThinking } from "./config.ts";

/** Thinking turns that stay where the request does not say (SDK: the last one). */
const defaultKeep = 1;

export interface ThinkingCleared {
  readonly body: WireRequest;
  readonly turns: number;
}

/** `clear_thinking_20251015`: takes the thinking out of all but the latest assistant messages that have some. Undefined where nothing is to clear. */
export function clearThinking(edit: ClearThinking, body: WireRequest): ThinkingCleared | undefined {
  const { keep } = edit;
  if (keep === "all" || keep?.type === "all") return undefined;
  const holding = body.messages.flatMap((message, i) => (blocksOf(message).some(isThought) ? [i] : []));
  const clear = new Set(holding.slice(0, Math.max(0, holding.length - (keep?.value ?? defaultKeep))));
  if (clear.size === 0) return undefined;
  const messages = body.messages
    .map((message, i) =>
      clear.has(i) ? withBlocks(message, (block) => (isThought(block) ? undefined : block)) : message,
    )
    .filter((message) => message.content.length > 0);
  return { body: { ...body, messages }, turns: clear.size };
}

function isThought(block: WireBlock): boolean {
  return block.type === "thinking" || block.type === "redacted_thinking";
}
