import type { ModelInfo } from "../../tokens/index.ts";
import type { WireBlock, WireMessage, WireRequest, WireTool } from "../../transcript/index.ts";
import type { Tokenizer } from "../count/rates.ts";
import { overheads } from "../count/rates.ts";
import type { TextCounter } from "../count/true-text.ts";
import { GenerationCache } from "../generation-cache.ts";
import type { BlockFacts } from "./block-facts.ts";
import { createBlockReader, plus } from "./block-facts.ts";
import type { Link, Opening, Root } from "./link.ts";
import { linkTo, rootOf } from "./link.ts";
import type { MessageFacts } from "./message-facts.ts";
import { readMessage } from "./message-facts.ts";

/** A request whose form has been checked, with what is known of each of its parts. */
export interface RequestFacts {
  readonly body: WireRequest;
  readonly model: ModelInfo;
  readonly tokenizer: Tokenizer;
  readonly tools: readonly BlockFacts[];
  readonly system: readonly BlockFacts[];
  readonly messages: readonly MessageFacts[];
  readonly root: Root;
  /** `links[i]` is the conversation up to and with message i. */
  readonly links: readonly Link[];
  /** The whole conversation: the last link, or the root of an empty one. */
  readonly last: Link;
  /** Names what comes before the first message: another name, another conversation. */
  readonly opening: string;
  /** So many leading messages began a request that was accepted under the same conditions: they need no second look. */
  readonly accepted: number;
  /** Tool ids met in this conversation, each with its message. An entry whose message is elsewhere now is stale. */
  readonly knownIds: Map<string, { readonly index: number; readonly message: MessageFacts }>;
}

export interface Reading {
  /** Names the rules that hold; a request is only taken for the continuation of one that was read under the same. */
  readonly conditions: string;
  /** The objects were parsed for this request, so it is idle to remember them. */
  readonly isParsed: boolean;
}

export interface RequestReader {
  read(body: WireRequest, model: ModelInfo, how?: Reading): RequestFacts;
  /** How many leading messages are the very objects of a request that was accepted under the same conditions. */
  acceptedStart(messages: unknown, conditions: string): number;
  /** Remembers a request that passed every rule, as what the next may go on from. */
  accept(facts: RequestFacts, conditions: string): void;
}

interface Trail {
  readonly wire: readonly WireMessage[];
  readonly facts: RequestFacts;
}

/** Conversations that are remembered at a time: one for each source, version and set of betas, or for each system prompt and set of tools. */
const rememberedTrails = 24;
/** Tokens of messages whose facts are shared: as many as four full 1M windows hold, twice that at the peak. */
const rememberedMessages = 4_000_000;

/** Reads requests; the work grows with what was not seen before. */
export function createRequestReader(texts: TextCounter): RequestReader {
  const blocks = createBlockReader(texts, "by object");
  const parsedBlocks = createBlockReader(texts, "none");
  const byName = new GenerationCache<number, MessageFacts>(rememberedMessages);
  const messages = new WeakMap<WireMessage, MessageFacts>();
  const tools = new WeakMap<WireTool, BlockFacts>();
  const trails = new GenerationCache<string, Trail>(rememberedTrails);
  const roots = new GenerationCache<string, Root>(rememberedTrails);
  const rootFor = (opening: string, parts: Opening): Root => {
    const known = roots.get(opening);
    const root = known ?? rootOf(parts);
    if (known === undefined) roots.set(opening, root);
    return root;
  };
  /** Equal messages have one and the same facts, whatever objects they came in. */
  const messageOf = (message: WireMessage, isParsed: boolean): MessageFacts => {
    const known = isParsed ? undefined : messages.get(message);
    if (known !== undefined) return known;
    const read = readMessage(message, isParsed ? parsedBlocks : blocks);
    const facts = byName.get(read.name) ?? read;
    if (facts === read) byName.set(read.name, read, read.tokens.new + 50);
    if (!isParsed) messages.set(message, facts);
    return facts;
  };
  const toolOf = (tool: WireTool): BlockFacts =>
    remembered(tools, tool, () => {
      const read = blocks.read({ ...tool, type: "tool", toolType: tool.type ?? "custom" });
      return { ...read, tokens: plus(read.tokens, overheads.tool) };
    });

  return {
    read: (body, model, how) => {
      const { tokenizer } = model;
      const isParsed = how?.isParsed === true;
      const trail = how === undefined ? undefined : trails.get(how.conditions);
      let same = trail === undefined ? 0 : commonStart(trail.wire, body.messages);
      const kept = same > 0 ? (trail as Trail).facts.messages.slice(0, same) : [];
      for (let i = same; i < body.messages.length; i++) {
        const facts = messageOf(body.messages[i] as WireMessage, isParsed);
        if (same === i && facts === trail?.facts.messages[i]) same++;
        kept.push(facts);
      }
      const toolFacts = (body.tools ?? []).map(toolOf);
      const system = systemBlocks(body.system).map(blocks.read);
      const hasMedia =
        (trail?.facts.links[same - 1]?.media ?? 0) > 0 || kept.some((message, i) => i >= same && message.media > 0);
      const scopes = { systemScope: String(body.speed ?? "standard"), messageScope: messageScope(body, hasMedia) };
      const parts: Opening = { modelId: body.model, tokenizer, tools: toolFacts, system, ...scopes };
      const opening = nameOfOpening(parts);
      if (same > 0 && trail?.facts.opening !== opening) same = 0;
      const root = same > 0 ? (trail as Trail).facts.root : rootFor(opening, parts);
      const links = same > 0 ? (trail as Trail).facts.links.slice(0, same) : [];
      let last: Link = links.at(-1) ?? root;
      for (let i = same; i < kept.length; i++) {
        last = linkTo(last, kept[i] as MessageFacts, i, tokenizer, root.bound);
        links.push(last);
      }
      const knownIds: RequestFacts["knownIds"] = same > 0 ? (trail as Trail).facts.knownIds : new Map();
      return {
        body,
        model,
        tokenizer,
        tools: toolFacts,
        system,
        messages: kept,
        root,
        links,
        last,
        opening,
        accepted: same,
        knownIds,
      };
    },
    acceptedStart: (wire, conditions) => {
      const trail = trails.get(conditions);
      return trail === undefined || !Array.isArray(wire) ? 0 : commonStart(trail.wire, wire as readonly WireMessage[]);
    },
    accept: (facts, conditions) => {
      trails.set(conditions, { wire: facts.body.messages.slice(), facts });
    },
  };
}

function commonStart(before: readonly WireMessage[], now: readonly WireMessage[]): number {
  const most = Math.min(before.length, now.length);
  let same = 0;
  while (same < most && before[same] === now[same]) same++;
  return same;
}

function nameOfOpening({ modelId, tools, system, systemScope, messageScope: scope }: Opening): string {
  let name = `${modelId}|${systemScope}|${scope}`;
  for (const block of tools) name += `|${block.a},${block.b},${block.ttl}`;
  name += "#";
  for (const block of system) name += `|${block.a},${block.b},${block.ttl}`;
  return name;
}

/** What, when it changes, makes every cached message prefix useless but leaves tools and system (K2). */
function messageScope(body: WireRequest, images: boolean): string {
  const effort = (body.output_config as { readonly effort?: unknown } | null | undefined)?.effort ?? null;
  return JSON.stringify([body.tool_choice ?? null, body.thinking ?? null, effort, images]);
}

function remembered<K extends object, V>(map: WeakMap<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

function systemBlocks(system: WireRequest["system"]): readonly WireBlock[] {
  if (system === undefined || system === null || system === "") return [];
  return typeof system === "string" ? [{ type: "text", text: system }] : system;
}
