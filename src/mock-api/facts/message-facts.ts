import type { WireBlock, WireMessage } from "../../transcript/index.ts";
import { overheads } from "../count/rates.ts";
import { nameOf } from "../count/true-text.ts";
import type { BlockFacts, BlockReader, TokenPair } from "./block-facts.ts";
import { mixInto } from "./block-facts.ts";

/** What the mock needs to know of one message, found once. */
export interface MessageFacts {
  /** Tells messages apart by role, content and breakpoints. */
  readonly name: number;
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
  readonly bytes: number;
}

export function readMessage(message: WireMessage, reader: BlockReader): MessageFacts {
  const { role, content } = message;
  const stringContent = typeof content === "string";
  const blocks = stringContent
    ? role === "assistant" && content === ""
      ? []
      : [reader.readText(content)]
    : (content ?? []).map(reader.read);
  const lanes = { a: role.length, b: stringContent && content === "" ? 1 : 2 };
  const tokens = { old: overheads.message, new: overheads.message };
  const facts = { role, blocks, tokens, stringContent, name: 0, ...noCounts };
  for (const block of blocks) {
    mixInto(lanes, block);
    lanes.a ^= ttlCode[block.ttl ?? "none"];
    tokens.old += block.tokens.old;
    tokens.new += block.tokens.new;
    facts.media += block.media.length;
    facts.bytes += block.bytes;
    if (block.ttl !== null) facts.breakpoints++;
    switch (block.type) {
      case "tool_use":
        facts.toolUses++;
        break;
      case "tool_result":
        facts.toolResults++;
        break;
      case "thinking":
      case "redacted_thinking":
        facts.thinkings++;
        break;
      case "cache_edits":
        facts.cacheEdits++;
        break;
      case "compaction":
        facts.compactions++;
        break;
    }
  }
  facts.name = nameOf(lanes);
  return facts;
}

const noCounts = {
  toolUses: 0,
  toolResults: 0,
  thinkings: 0,
  breakpoints: 0,
  media: 0,
  cacheEdits: 0,
  compactions: 0,
  bytes: 40,
};
const ttlCode = { none: 0, "5m": 0x5a17, "1h": 0x3c29 };

export function isThinking(block: WireBlock): boolean {
  return block.type === "thinking" || block.type === "redacted_thinking";
}
