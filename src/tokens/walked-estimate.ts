import type { Block, Message } from "../transcript/index.ts";
import type { Estimator } from "./estimator.ts";
import { estimateBlock, padded } from "./rough-estimate.ts";

/**
 * Length of a value's JSON text, found by walking it: the text is never built. Exact but for characters that JSON escapes (quotes, backslashes,
 * control characters, lone surrogates), which count as one each; so it never exceeds the real length by more than what `toJSON` hides.
 */
export function walkedJsonLength(value: unknown): number {
  switch (typeof value) {
    case "string":
      return value.length + 2;
    case "number":
      return Number.isFinite(value) ? String(value).length : 4;
    case "boolean":
      return value ? 4 : 5;
    case "object":
      return value === null
        ? 4
        : Array.isArray(value)
          ? walkArray(value)
          : walkObject(value as Record<string, unknown>);
    case "undefined":
    case "function":
    case "symbol":
    case "bigint":
      return 0;
  }
}

/** The rule of thumb for whoever must look at a whole history at once and fast: T2 but for `walkedJsonLength`. Always at most the rough estimate. */
export const walkingEstimator: Estimator = { name: "walking", block: walkBlock, message: walkMessage, total: padded };

function walkBlock(block: Block): number {
  return block.type === "tool_use"
    ? (block.name.length + walkedJsonLength(block.input ?? {})) / 4
    : estimateBlock(block);
}

function walkMessage(message: Message): number {
  if (message.kind === "boundary" || message.kind === "notice") return 0;
  let sum = 0;
  for (let i = 0; i < message.content.length; i++) sum += walkBlock(message.content[i] as Block);
  return sum;
}

function walkArray(items: readonly unknown[]): number {
  let length = 1 + Math.max(1, items.length);
  for (let i = 0; i < items.length; i++) length += isLeftOut(items[i]) ? 4 : walkedJsonLength(items[i]);
  return length;
}

function walkObject(fields: Record<string, unknown>): number {
  let length = 1;
  for (const key in fields) {
    const value = fields[key];
    if (!isLeftOut(value)) length += key.length + 4 + walkedJsonLength(value);
  }
  return Math.max(2, length);
}

function isLeftOut(value: unknown): boolean {
  return value === undefined || typeof value === "function" || typeof value === "symbol";
}
