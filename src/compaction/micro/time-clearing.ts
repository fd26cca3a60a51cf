import type { Estimator } from "../../tokens/index.ts";
import type { Message } from "../../transcript/index.ts";
import { lastBoundaryIndex } from "../../transcript/index.ts";
import type { MicroConfig } from "../config.ts";
import { isClearable } from "./clear-results.ts";

/** Results to be cleared, oldest first. Tokens are the estimator's, unpadded. */
export interface Clearing {
  readonly toolUseIds: readonly string[];
  readonly tokensFreed: number;
  /** What each changed message gives up, by its index in the input (AC5 counts only some of them). */
  readonly freedAt: readonly { readonly index: number; readonly tokens: number }[];
}

const millisPerMinute = 60_000;

/**
 * The old tool results to clear because the server's cache has expired (MC2), null when there is nothing to do.
 * Due when the last assistant message of the live part is older than the gap. The newest results stay, one at least.
 * The caller makes sure that it is the main thread that asks.
 */
export function planTimeClearing(
  messages: readonly Message[],
  nowMs: number,
  config: MicroConfig,
  estimator: Estimator,
): Clearing | null {
  const ids = idsForTimeClearing(messages, nowMs, config);
  return ids === null ? null : planClearing(messages, ids, config.marker, estimator);
}

/** The ids that fall when the gap is over, null while it is not. */
export function idsForTimeClearing(
  messages: readonly Message[],
  nowMs: number,
  config: MicroConfig,
): ReadonlySet<string> | null {
  const { enabled, gapThresholdMinutes, keepRecent } = config.timeBased;
  if (!enabled || !isGapLonger(messages, nowMs, gapThresholdMinutes * millisPerMinute)) return null;
  const ids = compactableIds(messages, config);
  return new Set(ids.slice(0, Math.max(0, ids.length - Math.max(1, keepRecent))));
}

/** What clearing the named results of the live part changes and frees; null when it changes nothing. */
export function planClearing(
  messages: readonly Message[],
  toolUseIds: ReadonlySet<string>,
  marker: string,
  estimator: Estimator,
): Clearing | null {
  const cleared = new Set<string>();
  const freedAt: { index: number; tokens: number }[] = [];
  for (let index = lastBoundaryIndex(messages) + 1; index < messages.length; index++) {
    const message = messages[index] as Message;
    if (message.kind !== "user") continue;
    let tokens = 0;
    let touched = false;
    for (const block of message.content) {
      if (!isClearable(block, toolUseIds, marker)) continue;
      touched = true;
      cleared.add(block.tool_use_id);
      tokens += estimator.block(block) - estimator.block({ ...block, content: marker });
    }
    if (touched) freedAt.push({ index, tokens });
  }
  if (cleared.size === 0) return null;
  return { toolUseIds: [...cleared], tokensFreed: freedAt.reduce((sum, { tokens }) => sum + tokens, 0), freedAt };
}

function isGapLonger(messages: readonly Message[], nowMs: number, gapMs: number): boolean {
  for (let i = messages.length - 1; i >= 0; i--) {
    const message = messages[i] as Message;
    if (message.kind === "boundary") return false;
    if (message.kind === "assistant") return nowMs - message.timestamp > gapMs;
  }
  return false;
}

/** Compactable tool calls of the live part, oldest first. An id that comes twice counts where it came last. */
function compactableIds(messages: readonly Message[], config: MicroConfig): string[] {
  const ids = new Set<string>();
  for (let i = lastBoundaryIndex(messages) + 1; i < messages.length; i++) {
    const message = messages[i] as Message;
    if (message.kind !== "assistant") continue;
    for (const block of message.content) {
      if (block.type !== "tool_use" || !config.compactableTools.includes(block.name)) continue;
      ids.delete(block.id);
      ids.add(block.id);
    }
  }
  return [...ids];
}
