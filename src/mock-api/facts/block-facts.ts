import type { WireBlock } from "../../transcript/index.ts";
import type { MediaFacts } from "../count/media.ts";
import { imageFacts, imageTokens, pdfFacts } from "../count/media.ts";
import type { Tokenizer } from "../count/rates.ts";
import { overheads } from "../count/rates.ts";
import type { Lanes, TextCounter } from "../count/true-text.ts";
import { lanesOf } from "../count/true-text.ts";

export type Ttl = "5m" | "1h";
export type TokenPair = Readonly<Record<Tokenizer, number>>;

/** What the mock needs to know of one block, found once for its content. The block's form has been checked. */
export interface BlockFacts extends Lanes {
  readonly type: string;
  readonly tokens: TokenPair;
  /** Size in a body, within a few per cent: what the edge's limit is held against (V1). */
  readonly bytes: number;
  /** Set where the block is a cache breakpoint. The hash leaves `cache_control` out. */
  readonly ttl: Ttl | null;
  readonly wire: WireBlock;
  readonly media: readonly FoundMedia[];
}

export interface FoundMedia {
  /** Where inside the block: "" or ".tool_result.content.K". */
  readonly inside: string;
  readonly facts: MediaFacts;
}

/** Reads blocks. Texts are remembered by content; blocks by object, which only pays where objects are sent again. */
export interface BlockReader {
  read(block: WireBlock): BlockFacts;
  readText(text: string): BlockFacts;
}

export function createBlockReader(texts: TextCounter, memory: "by object" | "none"): BlockReader {
  const byObject = new WeakMap<object, BlockFacts>();
  const reader: BlockReader = {
    read: (block) => {
      if (memory === "none") return factsOf(block, texts, reader);
      let facts = byObject.get(block);
      if (facts === undefined) {
        facts = factsOf(block, texts, reader);
        byObject.set(block, facts);
      }
      return facts;
    },
    readText: (text) => textFacts({ type: "text", text }, text, texts),
  };
  return reader;
}

function textFacts(wire: WireBlock, text: string, texts: TextCounter): BlockFacts {
  const { a, b, tokens, bytes } = texts.of(text);
  return { type: "text", wire, tokens, bytes: bytes + framing, ttl: ttlOf(wire), a: a ^ tagOf("text"), b, media: [] };
}

function factsOf(block: WireBlock, texts: TextCounter, reader: BlockReader): BlockFacts {
  const base = { type: block.type, wire: block, ttl: ttlOf(block) };
  switch (block.type) {
    case "text":
      return textFacts(block, block.text as string, texts);
    case "thinking": {
      const text = texts.of(block.thinking as string);
      const signature = texts.lanesOf(block.signature as string);
      return {
        ...base,
        ...mix({ a: text.a ^ tagOf("thinking"), b: text.b }, signature),
        tokens: text.tokens,
        bytes: text.bytes + framing,
        media: [],
      };
    }
    case "tool_use": {
      const input = texts.of(JSON.stringify(block.input) ?? "null");
      const name = texts.of(block.name as string);
      const id = texts.lanesOf(block.id as string);
      return {
        ...base,
        ...mix(mix({ a: id.a ^ tagOf("tool_use"), b: id.b }, name), input),
        tokens: plus(plus(input.tokens, name.tokens), overheads.toolUse),
        bytes: input.bytes + framing,
        media: [],
      };
    }
    case "tool_result":
      return resultFacts(block, base, texts, reader);
    case "image":
    case "document":
      return mediaFacts(block, base, texts, reader);
    case "compaction": {
      // Signature and tool changes belong to what the block is.
      const whole = texts.lanesOf(withoutBreakpoint(block));
      const { tokens, bytes } = texts.of((block.content as string | null | undefined) ?? "");
      return { ...base, a: whole.a ^ tagOf("compaction"), b: whole.b, tokens, bytes: bytes + framing, media: [] };
    }
    default: {
      // Whatever else the form check let in is weighed as the JSON that it is.
      const json = texts.of(withoutBreakpoint(block));
      const weighs = block.type === "cache_edits" ? nothing : json.tokens;
      return { ...base, a: json.a ^ tagOf(block.type), b: json.b, tokens: weighs, bytes: json.bytes, media: [] };
    }
  }
}

type Base = Pick<BlockFacts, "type" | "wire" | "ttl">;

function resultFacts(block: WireBlock, base: Base, texts: TextCounter, reader: BlockReader): BlockFacts {
  const id = texts.lanesOf(block.tool_use_id as string);
  let lanes: Lanes = { a: id.a ^ tagOf("tool_result"), b: block.is_error === true ? ~id.b : id.b };
  let tokens: TokenPair = plus(nothing, overheads.toolResult);
  let bytes = framing;
  const media: FoundMedia[] = [];
  const content = block.content as string | readonly WireBlock[] | undefined;
  if (typeof content === "string") {
    const text = texts.of(content);
    lanes = mix(lanes, text);
    tokens = plus(tokens, text.tokens);
    bytes += text.bytes;
  } else {
    content?.forEach((part, k) => {
      const facts = reader.read(part);
      lanes = mix(lanes, facts);
      tokens = plus(tokens, facts.tokens);
      bytes += facts.bytes;
      for (const found of facts.media) media.push({ ...found, inside: `.tool_result.content.${k}${found.inside}` });
    });
  }
  return { ...base, ...lanes, tokens, bytes, media };
}

function mediaFacts(block: WireBlock, base: Base, texts: TextCounter, reader: BlockReader): BlockFacts {
  const source = block.source as { readonly type: string; readonly data?: string; readonly content?: unknown };
  const content = source.data ?? JSON.stringify(source);
  const { cache_control: _, source: __, ...rest } = block;
  const lanes = mix(lanesOf(JSON.stringify([rest, source.type])), texts.lanesOf(content));
  const bytes = content.length + framing;
  if (source.type === "base64" && typeof source.data === "string") {
    const facts = block.type === "image" ? imageFacts(source.data) : pdfFacts(source.data);
    const count = facts.kind === "image" ? imageTokens(facts.size) : facts.pages * overheads.pdfPage;
    return { ...base, ...lanes, bytes, tokens: { old: count, new: count }, media: [{ inside: "", facts }] };
  }
  if (block.type === "document" && typeof source.data === "string")
    return { ...base, ...lanes, bytes, tokens: texts.of(source.data).tokens, media: [] };
  if (block.type === "document" && source.content !== undefined) {
    const parts =
      typeof source.content === "string"
        ? [reader.readText(source.content)]
        : (source.content as WireBlock[]).map(reader.read);
    return {
      ...base,
      ...lanes,
      bytes,
      tokens: parts.reduce((sum, part) => plus(sum, part.tokens), nothing),
      media: [],
    };
  }
  // A url or a file: its size is unknown here, so it weighs as much as the largest of its kind.
  const count = block.type === "image" ? imageTokens(null) : overheads.pdfPage;
  const facts: MediaFacts =
    block.type === "image" ? { kind: "image", base64Chars: 0, size: null } : { kind: "pdf", base64Chars: 0, pages: 1 };
  return { ...base, ...lanes, bytes, tokens: { old: count, new: count }, media: [{ inside: "", facts }] };
}

/** Bytes of a block's field names, type and ids, about. */
const framing = 80;

const nothing: TokenPair = { old: 0, new: 0 };

export function plus(a: TokenPair, b: TokenPair | number): TokenPair {
  return typeof b === "number" ? { old: a.old + b, new: a.new + b } : { old: a.old + b.old, new: a.new + b.new };
}

/** Joins two hashes into one; the order matters. */
function mix(x: Lanes, y: Lanes): Lanes {
  const lanes = { a: x.a, b: x.b };
  mixInto(lanes, y);
  return lanes;
}

/** Joins the second hash into the first, in place. */
export function mixInto(x: { a: number; b: number }, y: Lanes): void {
  const a = Math.imul(x.a ^ y.a, 0x85ebca6b) ^ (x.b >>> 13);
  const b = Math.imul(x.b ^ (y.b + 0x9e3779b1), 0xc2b2ae35) ^ (a >>> 15);
  x.a = Math.imul(a ^ (b >>> 16), 0x27d4eb2f);
  x.b = b ^ (x.a >>> 11);
}

function ttlOf(block: WireBlock): Ttl | null {
  const control = block.cache_control as { readonly ttl?: Ttl } | null | undefined;
  return control === undefined || control === null ? null : (control.ttl ?? "5m");
}

function withoutBreakpoint(block: WireBlock): string {
  const { cache_control: _, ...rest } = block;
  return JSON.stringify(rest);
}

const tags = new Map<string, number>();
function tagOf(type: string): number {
  let tag = tags.get(type);
  if (tag === undefined) {
    tag = lanesOf(type).a;
    if (tags.size < 200) tags.set(type, tag);
  }
  return tag;
}
