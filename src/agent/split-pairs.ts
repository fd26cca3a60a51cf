import type { Message } from "../transcript/index.ts";
import { messagesAfterLastBoundary } from "../transcript/index.ts";

/**
 * What an edit tore apart, in words; empty when nothing (ST3, O4): a tool call and its result, or the parts of one response.
 * Only what stood together before counts: an open call before the edit is no fault of the edit.
 */
export function findSplits(before: readonly Message[], after: readonly Message[]): readonly string[] {
  if (before === after) return [];
  const old = contentsOf(messagesAfterLastBoundary(before));
  const now = contentsOf(messagesAfterLastBoundary(after));
  const splits: string[] = [];
  for (const id of now.calls) {
    if (old.results.has(id) && !now.results.has(id)) splits.push(`the result of ${id} is gone, its call is not`);
  }
  for (const id of now.results) {
    if (old.calls.has(id) && !now.calls.has(id)) splits.push(`the call ${id} is gone, its result is not`);
  }
  for (const [id, parts] of now.parts) {
    const had = old.parts.get(id) ?? 0;
    if (parts < had) splits.push(`${had - parts} of ${had} parts of response ${id} are gone`);
  }
  return splits;
}

interface Contents {
  readonly calls: ReadonlySet<string>;
  readonly results: ReadonlySet<string>;
  /** Messages of each response. */
  readonly parts: ReadonlyMap<string, number>;
}

function contentsOf(messages: readonly Message[]): Contents {
  const calls = new Set<string>();
  const results = new Set<string>();
  const parts = new Map<string, number>();
  for (const message of messages) {
    if (message.kind === "assistant") {
      parts.set(message.id, (parts.get(message.id) ?? 0) + 1);
      for (const block of message.content) if (block.type === "tool_use") calls.add(block.id);
    } else if (message.kind === "user") {
      for (const block of message.content) if (block.type === "tool_result") results.add(block.tool_use_id);
    }
  }
  return { calls, results, parts };
}
