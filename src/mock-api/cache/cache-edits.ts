import type { ApiError } from "../api-error.ts";
import { invalid } from "../api-error.ts";
import { overheads } from "../count/rates.ts";
import type { BlockFacts } from "../facts/block-facts.ts";
import type { RequestFacts } from "../facts/request-facts.ts";

/** Tool results that the request deletes from the cached prefix, each with the tokens that it no longer costs (K3). */
export type DeletedResults = ReadonlyMap<BlockFacts, number>;

const none: DeletedResults = new Map();

/**
 * Reads the `cache_edits` blocks of a request. A block stays part of the prefix where it stands, so leaving it out later breaks the prefix;
 * ids that name no tool result before it are refused.
 */
export function readCacheEdits({ messages, tokenizer, last }: RequestFacts): ApiError | DeletedResults {
  if (last.cacheEdits === 0) return none;
  const results = new Map<string, BlockFacts>();
  const deleted = new Map<BlockFacts, number>();
  for (const [m, message] of messages.entries()) {
    for (const [i, block] of message.blocks.entries()) {
      if (block.type === "tool_result") results.set(block.wire.tool_use_id as string, block);
      if (block.type !== "cache_edits") continue;
      const edits = block.wire.edits as readonly { readonly tool_use_id: string }[];
      for (const [k, { tool_use_id }] of edits.entries()) {
        const result = results.get(tool_use_id);
        if (result === undefined)
          return invalid(
            `messages.${m}.content.${i}.cache_edits.edits.${k}.tool_use_id: no \`tool_result\` block with id ${tool_use_id} stands before this block`,
          );
        deleted.set(result, Math.max(0, result.tokens[tokenizer] - overheads.toolResult));
      }
    }
  }
  return deleted;
}
