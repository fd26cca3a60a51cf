import type { WireBlock, WireMessage } from "../../transcript/index.ts";
import { overheads } from "../count/rates.ts";
import type { BlockFacts, BlockReader, TokenPair } from "./block-facts.ts";
import { nothing, plus } from "./block-facts.ts";

/** What the mock needs to know of one message, found once. */
export interface MessageFacts {
  readonly role: WireMessage["role"];
  readonly blocks: readonly BlockFacts[];
  /** With the overhead of the message. */
  readonly tokens: TokenPair;
  readonly stringContent: boolean;
  readonly toolUses: number;
  readonly toolResults: number;
  readonly thinkings: number;
  readonly breakpoints: number;
  readonly media: number;
  readonly cacheEdits: number;
  readonly compactions: number;
}

export function readMessage(message: WireMessage, reader: BlockReader): MessageFacts {
  const { content } = message;
  const blocks = typeof content === "string" ? [reader.readText(content)] : (content ?? []).map(reader.read);
  const count = (holds: (block: BlockFacts) => boolean): number =>
    blocks.reduce((n, block) => n + (holds(block) ? 1 : 0), 0);
  return {
    role: message.role,
    blocks: message.role === "assistant" && content === "" ? [] : blocks,
    tokens: blocks.reduce<TokenPair>((sum, block) => plus(sum, block.tokens), plus(nothing, overheads.message)),
    stringContent: typeof content === "string",
    toolUses: count((block) => block.type === "tool_use"),
    toolResults: count((block) => block.type === "tool_result"),
    thinkings: count((block) => isThinking(block.wire)),
    breakpoints: count((block) => block.ttl !== null),
    media: blocks.reduce((n, block) => n + block.media.length, 0),
    cacheEdits: count((block) => block.type === "cache_edits"),
    compactions: count((block) => block.type === "compaction"),
  };
}

export function isThinking(block: WireBlock): boolean {
  return block.type === "thinking" || block.type === "redacted_thinking";
}
