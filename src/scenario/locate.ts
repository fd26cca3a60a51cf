import type { Document, LineCounter } from "yaml";
import { isCollection, isMap, isScalar } from "yaml";

/** The line of the nearest node on the way to `path` that the file has, from 1; null for an empty file. */
export function lineAt(document: Document, lines: LineCounter, path: readonly unknown[]): number | null {
  let node: unknown = document.contents;
  let offset = offsetOf(node);
  for (const key of path) {
    if (!isCollection(node)) break;
    const pair = isMap(node) ? node.items.find((item) => isScalar(item.key) && item.key.value === key) : undefined;
    const next = node.get(key, true);
    offset = offsetOf(pair?.key) ?? offsetOf(next) ?? offset;
    node = next;
  }
  return offset === undefined ? null : lines.linePos(offset).line;
}

function offsetOf(node: unknown): number | undefined {
  return (node as { range?: readonly number[] | null } | null | undefined)?.range?.[0];
}
