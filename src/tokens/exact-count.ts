import type { Message, Usage } from "../transcript/index.ts";

/** What a response says the whole context was, its answer included (T4). Tokens. */
export function exactCount(usage: Usage): number {
  return inputCount(usage) + usage.output_tokens;
}

/** What a response says its input was, cached or not. Tokens. */
export function inputCount(usage: Usage): number {
  return usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0);
}

/**
 * The usage of a message if it can be believed, else null (T4): made by a model, finite, not negative, not all zero, at most 1.5 windows.
 * Whether it is older than the last compaction is not seen from here: see `countTokens`.
 */
export function usableUsage(message: Message, window: number): Usage | null {
  if (message.kind !== "assistant" || message.synthetic === true || message.usage === null) return null;
  return isUsable(message.usage, window) ? message.usage : null;
}

function isUsable(usage: Usage, window: number): boolean {
  const { input_tokens, output_tokens } = usage;
  const created = usage.cache_creation_input_tokens ?? 0;
  const read = usage.cache_read_input_tokens ?? 0;
  if (!(isCount(input_tokens) && isCount(output_tokens) && isCount(created) && isCount(read))) return false;
  const total = input_tokens + created + read + output_tokens;
  return total > 0 && total <= 1.5 * window;
}

/** The wire can lie about types: null, missing and NaN have been seen. */
function isCount(value: unknown): value is number {
  return Number.isFinite(value) && (value as number) >= 0;
}
