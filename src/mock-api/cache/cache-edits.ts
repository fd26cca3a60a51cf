import type { ApiError } from "../api-error.ts";
import { invalid } from "../api-error.ts";
import { overheads } from "../count/rates.ts";
import type { BlockFacts } from "../facts/block-facts.ts";
import type { Link } from "../facts/link.ts";
import type { RequestFacts } from "../facts/request-facts.ts";

/** Tool results that the request deletes from the cached prefix (K3). */
export interface Deletions {
  /** Each with the tokens that it no longer costs. */
  readonly results: ReadonlyMap<BlockFacts, number>;
  readonly tokens: number;
}

const none: Deletions = { results: new Map(), tokens: 0 };

/** What stands before the last `cache_edits` of a conversation is all that they depend on, so they are read once for it. */
const known = new WeakMap<Link, ApiError | Deletions>();

/**
 * Reads the `cache_edits` blocks of a request. A block stays part of the prefix where it stands, so leaving it out later breaks the prefix;
 * ids that name no tool result before it are refused. The same edits give the same object.
 */
export function readCacheEdits(facts: RequestFacts): ApiError | Deletions {
  const end = facts.last.lastEdits;
  if (end === null) return none;
  let deletions = known.get(end);
  if (deletions === undefined) {
    deletions = read(facts);
    known.set(end, deletions);
  }
  return deletions;
}

function read({ messages, tokenizer }: RequestFacts): ApiError | Deletions {
  const results = new Map<string, BlockFacts>();
  const deleted = new Map<BlockFacts, number>();
  for (const [m, message] of messages.entries()) {
    if (message.toolResults + message.cacheEdits === 0) continue;
    for (const [i, block] of message.blocks.entries()) {
      if (block.type === "tool_result") results.set(block.wire.tool_use_id as string, block);
      if (block.type !== "cache_edits") continue;
      for (const [k, id] of idsIn(block).entries()) {
        const result = results.get(id);
        if (result === undefined)
          return invalid(
            `messages.${m}.content.${i}.cache_edits.edits.${k}.tool_use_id: no \`tool_result\` block with id ${id} stands before this block`,
          );
        deleted.set(result, Math.max(0, result.tokens[tokenizer] - overheads.toolResult));
      }
    }
  }
  let tokens = 0;
  for (const less of deleted.values()) tokens += less;
  return { results: deleted, tokens };
}

const noIds: ReadonlySet<string> = new Set();
const knownIds = new WeakMap<Link, ReadonlySet<string>>();

/** Ids that the `cache_edits` up to and with this link name. The same edits give the same object. */
export function deletedIds(last: Link): ReadonlySet<string> {
  const end = last.lastEdits;
  if (end === null) return noIds;
  let ids = knownIds.get(end);
  if (ids === undefined) {
    const before = end.prev === null ? noIds : deletedIds(end.prev);
    const here = end.places.flatMap((block) => (block.type === "cache_edits" ? idsIn(block) : []));
    ids = new Set([...before, ...here]);
    knownIds.set(end, ids);
  }
  return ids;
}

function idsIn(block: BlockFacts): readonly string[] {
  return (block.wire.edits as readonly { readonly tool_use_id: string }[]).map((edit) => edit.tool_use_id);
}
