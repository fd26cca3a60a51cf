import type { WireBlock, WireMessage, WireRequest } from "../transcript/index.ts";
import { deletedIds } from "./cache/cache-edits.ts";
import { blocksOf, withBlocks } from "./context-management/clear-tool-uses.ts";
import type { RequestFacts } from "./facts/request-facts.ts";

/** What stands for the model in the place of a tool result that cache_edits deleted. */
const deletedResult = "[deleted]";

/** Makes what the model sees: without `cache_edits` blocks, and without the results that they delete (K3). */
export interface ModelViewer {
  view(facts: RequestFacts): WireRequest;
}

/** Remembers the last conversation and each message's view, so that a view costs what is new in it, and what was seen before is the same object. */
export function createModelViewer(): ModelViewer {
  const seen = new WeakMap<WireMessage, { readonly deleted: string; readonly message: WireMessage }>();
  let last: {
    readonly ids: ReadonlySet<string>;
    readonly wire: readonly WireMessage[];
    readonly viewed: readonly WireMessage[];
  } = { ids: new Set(), wire: [], viewed: [] };

  const viewOf = (message: WireMessage, ids: ReadonlySet<string>): WireMessage => {
    const deleted = deletedIn(message, ids);
    if (deleted === null) return message;
    const known = seen.get(message);
    if (known?.deleted === deleted) return known.message;
    const viewed = withBlocks(message, (block) => {
      if (block.type === "cache_edits") return undefined;
      return isDeleted(block, ids) ? { ...block, content: deletedResult } : block;
    });
    seen.set(message, { deleted, message: viewed });
    return viewed;
  };

  return {
    view: ({ body, last: end }) => {
      if (end.cacheEdits === 0) return body;
      const ids = deletedIds(end);
      const { messages } = body;
      let same = 0;
      if (last.ids === ids) while (same < last.wire.length && last.wire[same] === messages[same]) same++;
      const viewed = last.viewed.slice(0, same);
      for (let i = same; i < messages.length; i++) viewed.push(viewOf(messages[i] as WireMessage, ids));
      last = { ids, wire: messages.slice(), viewed };
      return { ...body, messages: viewed.filter((message) => message.content.length > 0) };
    },
  };
}

/** Names the results that are deleted here; null: the model sees the message as it is. */
function deletedIn(message: WireMessage, ids: ReadonlySet<string>): string | null {
  let deleted: string | null = null;
  for (const block of blocksOf(message)) {
    if (block.type === "cache_edits") deleted ??= "";
    else if (isDeleted(block, ids)) deleted = `${deleted ?? ""} ${block.tool_use_id}`;
  }
  return deleted;
}

function isDeleted(block: WireBlock, ids: ReadonlySet<string>): boolean {
  return block.type === "tool_result" && ids.has(block.tool_use_id as string);
}
