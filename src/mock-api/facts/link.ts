import type { Tokenizer } from "../count/rates.ts";
import { overheads } from "../count/rates.ts";
import type { Lanes } from "../count/true-text.ts";
import { lanesOf, nameOf } from "../count/true-text.ts";
import type { BlockFacts } from "./block-facts.ts";
import { mixInto } from "./block-facts.ts";
import type { MessageFacts } from "./message-facts.ts";

/**
 * A conversation up to and with one message, as a link to the one before: what of a request can be said without looking at the messages
 * again. A request that goes on from an earlier one shares its links, so its work grows with what is new (performance.md B2).
 * The root holds tools and system prompt. Weights are those of the whole content; what was deleted or dropped is told by `Losses`.
 */
export interface Link {
  readonly prev: Link | null;
  /** Null at the root. */
  readonly message: MessageFacts | null;
  /** Index of the first message of its turn (V2); -1 at the root. */
  readonly turnStart: number;

  /** The cache's view (K2): one place for each block, in order. `keys[i]` names the whole prefix up to place i, `sums[i]` is its size. */
  readonly keys: readonly number[];
  readonly sums: readonly number[];
  /** Places of one run of tool calls, or of results, share a number. */
  readonly runs: readonly number[];
  readonly places: readonly BlockFacts[];
  /** Places before this link's own. */
  readonly placesBefore: number;
  /** After the last place. */
  readonly lanes: Lanes;
  readonly tokens: number;
  readonly run: number;
  readonly lastType: string;

  /** What thinking that is made now is bound to (V5): everything but thinking, cache_control and cache_edits. */
  readonly bound: Lanes;
  readonly thinkings: number;
  readonly lastThinking: string | null;

  /** This link, or the nearest before it, whose own blocks hold a breakpoint. */
  readonly lastBreak: Link | null;
  /** This link, or the nearest before it, whose own blocks hold `cache_edits`. */
  readonly lastEdits: Link | null;
  readonly media: number;
  readonly cacheEdits: number;
  readonly compactions: number;
  /** Size of the body so far, about. */
  readonly bytes: number;
  /** The link that was made last to go on from here. */
  next: Link | null;
}

/** What makes one conversation of a model differ from another before the first message. */
export interface Opening {
  readonly modelId: string;
  readonly tokenizer: Tokenizer;
  readonly tools: readonly BlockFacts[];
  readonly system: readonly BlockFacts[];
  /** What, when it changes, makes cached system and messages useless. */
  readonly systemScope: string;
  /** What, when it changes, makes cached messages useless. */
  readonly messageScope: string;
}

export interface Root extends Link {
  readonly toolsKey: number;
  readonly systemKey: number;
}

const borders = {
  tools: lanesOf("tools"),
  system: lanesOf("system"),
  user: lanesOf("user"),
  assistant: lanesOf("assistant"),
};

export function rootOf({ modelId, tokenizer, tools, system, systemScope, messageScope }: Opening): Root {
  const places = createPlaces(lanesOf(modelId), overheads.request, 0, "");
  const bound: { a: number; b: number } = { a: 1, b: 2 };
  if (tools.length > 0) places.tokens += overheads.anyTools;
  for (const tool of tools) {
    addPlace(places, tool, tokenizer);
    mixInto(bound, tool);
  }
  mixInto(bound, borders.tools);
  const toolsKey = nameOf(places.lanes);
  mixInto(places.lanes, lanesOf(systemScope));
  if (system.length > 0) places.tokens += overheads.system;
  for (const block of system) {
    addPlace(places, block, tokenizer);
    mixInto(bound, block);
  }
  mixInto(bound, borders.system);
  const systemKey = nameOf(places.lanes);
  mixInto(places.lanes, lanesOf(messageScope));
  const root = {
    keys: places.keys,
    sums: places.sums,
    runs: places.runs,
    places: places.places,
    placesBefore: 0,
    lanes: places.lanes,
    tokens: places.tokens,
    run: places.run,
    lastType: places.lastType,
    prev: null,
    message: null,
    turnStart: -1,
    bound,
    thinkings: 0,
    lastThinking: null,
    lastBreak: null as Link | null,
    lastEdits: null,
    media: 0,
    cacheEdits: 0,
    compactions: 0,
    bytes: places.places.reduce((sum, block) => sum + block.bytes, 0),
    next: null,
    toolsKey,
    systemKey,
  };
  if (places.places.some((block) => block.ttl !== null)) root.lastBreak = root;
  return root;
}

/**
 * The conversation with one more message; `index` is that message's. `start` is what the root is bound to: a compaction begins there anew.
 * Asked again for the same message, which is what a fork of a conversation does all along, it gives the same link.
 */
export function linkTo(prev: Link, message: MessageFacts, index: number, tokenizer: Tokenizer, start: Lanes): Link {
  if (prev.next?.message === message) return prev.next;
  const link = newLink(prev, message, index, tokenizer, start);
  prev.next = link;
  return link;
}

function newLink(prev: Link, message: MessageFacts, index: number, tokenizer: Tokenizer, start: Lanes): Link {
  const places = createPlaces(prev.lanes, prev.tokens + overheads.message, prev.run, prev.lastType);
  places.lanes.a ^= message.role.length;
  const isNewTurn = prev.message?.role !== message.role;
  const bound: { a: number; b: number } = { a: prev.bound.a, b: prev.bound.b };
  if (isNewTurn) mixInto(bound, borders[message.role]);
  let { lastThinking } = prev;
  for (const block of message.blocks) {
    addPlace(places, block, tokenizer);
    if (block.type === "thinking") lastThinking = block.wire.signature as string;
    else if (block.type === "redacted_thinking") lastThinking = block.wire.data as string;
    else if (block.type !== "cache_edits") {
      // What stood before a compaction is gone for the server too.
      if (block.type === "compaction") Object.assign(bound, start);
      mixInto(bound, block);
    }
  }
  // Written out: spreading `places` costs more than all the rest.
  const link = {
    keys: places.keys,
    sums: places.sums,
    runs: places.runs,
    places: places.places,
    placesBefore: prev.placesBefore + prev.places.length,
    lanes: places.lanes,
    tokens: places.tokens,
    run: places.run,
    lastType: places.lastType,
    prev,
    message,
    turnStart: isNewTurn ? index : prev.turnStart,
    bound,
    thinkings: prev.thinkings + message.thinkings,
    lastThinking,
    lastBreak: prev.lastBreak as Link | null,
    lastEdits: prev.lastEdits as Link | null,
    media: prev.media + message.media,
    cacheEdits: prev.cacheEdits + message.cacheEdits,
    compactions: prev.compactions + message.compactions,
    bytes: prev.bytes + message.bytes,
    next: null,
  };
  if (message.breakpoints > 0) link.lastBreak = link;
  if (message.cacheEdits > 0) link.lastEdits = link;
  return link;
}

interface Places {
  readonly keys: number[];
  readonly sums: number[];
  readonly runs: number[];
  readonly places: BlockFacts[];
  lanes: { a: number; b: number };
  tokens: number;
  run: number;
  lastType: string;
}

function createPlaces(lanes: Lanes, tokens: number, run: number, lastType: string): Places {
  return {
    keys: [],
    sums: [],
    runs: [],
    places: [],
    lanes: { a: lanes.a, b: lanes.b },
    tokens,
    run,
    lastType,
  };
}

function addPlace(into: Places, block: BlockFacts, tokenizer: Tokenizer): void {
  mixInto(into.lanes, block);
  into.tokens += block.tokens[tokenizer];
  const joins = block.type === into.lastType && (block.type === "tool_use" || block.type === "tool_result");
  if (!joins) into.run++;
  into.lastType = block.type;
  into.keys.push(nameOf(into.lanes));
  into.sums.push(into.tokens);
  into.runs.push(into.run);
  into.places.push(block);
}
