import type { WireBlock, WireMessage, WireRequest } from "../transcript/index.ts";
import { blocksOf, withBlocks } from "./context-management/clear-tool-uses.ts";

/** What stands for the model in the place of a tool result that cache_edits deleted. */
const deletedResult = "[deleted]";

/** Makes what the model sees: without `cache_edits` blocks, and without the results that they delete (K3). */
export interface ModelViewer {
  view(body: WireRequest): WireRequest;
}

/** Remembers by message object, so that a view costs what is new in it. */
export function createModelViewer(): ModelViewer {
  const seen = new WeakMap<WireMessage, { readonly deleted: string; readonly message: WireMessage }>();
  return {
    view: (body) => {
      const ids = new Set(body.messages.flatMap((message) => blocksOf(message).flatMap(deletedBy)));
      if (ids.size === 0) return body;
      const messages = body.messages.map((message) => {
        const here = blocksOf(message).filter((block) => isDeleted(block, ids));
        const key = here.map((block) => block.tool_use_id).join();
        const known = seen.get(message);
        if (known?.deleted === key) return known.message;
        const viewed = withBlocks(message, (block) => {
          if (block.type === "cache_edits") return undefined;
          return isDeleted(block, ids) ? { ...block, content: deletedResult } : block;
        });
        seen.set(message, { deleted: key, message: viewed });
        return viewed;
      });
      return { ...body, messages: messages.filter((message) => message.content.length > 0) };
    },
  };
}

function isDeleted(block: WireBlock, ids: ReadonlySet<string>): boolean {
  return block.type === "tool_result" && ids.has(block.tool_use_id as string);
}

function deletedBy(block: WireBlock): readonly string[] {
  if (block.type !== "cache_edits") return [];
  return (block.edits as readonly { readonly tool_use_id: string }[]).map((edit) => edit.tool_use_id);
}
