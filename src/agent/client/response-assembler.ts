import type { Block, Usage, WireBlock } from "../../transcript/index.ts";
import type { ClientEvent, CompleteResponse } from "./client-port.ts";

/** The stream broke the protocol: what was assembled so far must not be taken for an answer. */
export class MalformedStream extends Error {
  constructor(what: string) {
    super(`malformed stream: ${what}`);
    this.name = "MalformedStream";
  }
}

/**
 * Makes blocks and a response of raw stream events. Blocks are keyed by their index, whatever the order in which they come (S3).
 * Events and deltas of unknown kinds are passed over. Throws `MalformedStream`.
 */
export interface ResponseAssembler {
  take(event: unknown): readonly ClientEvent[];
  /** True once anything of an answer has come. */
  started(): boolean;
}

interface OpenBlock {
  readonly index: number;
  readonly start: WireBlock;
  /** Grows by text_delta and thinking_delta. */
  text: string;
  json: string;
  signature: string | undefined;
}

export function createResponseAssembler(): ResponseAssembler {
  let head: { readonly messageId: string; readonly model: string } | undefined;
  let usage: Usage | null = null;
  let stopReason: string | null = null;
  let ended = false;
  const open = new Map<number, OpenBlock>();
  const closed = new Map<number, { readonly block: Block; readonly whole: boolean }>();
  // A call without input looks the same whether it is whole or was cut before its first byte: what comes next tells.
  let doubtful: { readonly index: number; readonly block: Block } | undefined;

  const close = (index: number, block: Block, whole: boolean): readonly ClientEvent[] => {
    closed.set(index, { block, whole });
    return whole ? [{ kind: "block", index, block }] : [];
  };
  const settleDoubt = (whole: boolean): readonly ClientEvent[] => {
    if (doubtful === undefined) return [];
    const { index, block } = doubtful;
    doubtful = undefined;
    return close(index, block, whole);
  };

  const complete = (): CompleteResponse => {
    if (head === undefined) throw new MalformedStream("message_stop before message_start");
    for (const block of open.values()) closed.set(block.index, { ...finish(block), whole: false });
    const inOrder = [...closed.entries()].sort(([a], [b]) => a - b).map(([, entry]) => entry);
    return {
      ...head,
      content: inOrder.filter(({ whole }) => whole).map(({ block }) => block),
      unfinished: inOrder.filter(({ whole }) => !whole).map(({ block }) => block),
      stopReason,
      usage,
    };
  };

  const take = (event: unknown): readonly ClientEvent[] => {
    if (!isRecord(event) || typeof event.type !== "string") throw new MalformedStream("an event without a type");
    if (ended) throw new MalformedStream(`${event.type} after message_stop`);
    switch (event.type) {
      case "message_start": {
        const message = event.message;
        if (!isRecord(message) || typeof message.id !== "string" || typeof message.model !== "string") {
          throw new MalformedStream("message_start without id and model");
        }
        if (head !== undefined) {
          // The same announcement twice before any content harms nobody; later it means that two answers run together.
          if (head.messageId === message.id && open.size + closed.size === 0) return [];
          throw new MalformedStream("a second message_start");
        }
        head = { messageId: message.id, model: message.model };
        usage = mergeUsage(usage, message.usage);
        return [{ kind: "started", ...head, usage }];
      }
      case "content_block_start": {
        const index = indexOf(event);
        const start = event.content_block;
        if (!isRecord(start) || typeof start.type !== "string") throw new MalformedStream("a block without a type");
        if (head === undefined) throw new MalformedStream("a block before message_start");
        if (open.has(index) || closed.has(index)) throw new MalformedStream(`block ${index} started twice`);
        open.set(index, { index, start: start as WireBlock, text: "", json: "", signature: undefined });
        return settleDoubt(true);
      }
      case "content_block_delta": {
        const block = open.get(indexOf(event));
        if (block === undefined) throw new MalformedStream(`a delta for block ${indexOf(event)}, which is not open`);
        if (isRecord(event.delta)) grow(block, event.delta);
        return [];
      }
      case "content_block_stop": {
        const block = open.get(indexOf(event));
        if (block === undefined) throw new MalformedStream(`the end of block ${indexOf(event)}, which is not open`);
        open.delete(block.index);
        const before = settleDoubt(true);
        const finished = finish(block);
        if (finished.whole && block.start.type === "tool_use" && block.json === "") {
          doubtful = { index: block.index, block: finished.block };
          return before;
        }
        return [...before, ...close(block.index, finished.block, finished.whole)];
      }
      case "message_delta": {
        if (isRecord(event.delta) && typeof event.delta.stop_reason === "string") stopReason = event.delta.stop_reason;
        usage = mergeUsage(usage, event.usage);
        return settleDoubt(stopReason !== "max_tokens" && stopReason !== "model_context_window_exceeded");
      }
      case "message_stop": {
        const before = settleDoubt(true);
        ended = true;
        return [...before, { kind: "complete", response: complete() }];
      }
      default:
        return [];
    }
  };
  return { take, started: () => head !== undefined };
}

function grow(block: OpenBlock, delta: Readonly<Record<string, unknown>>): void {
  if (typeof delta.text === "string") block.text += delta.text;
  if (typeof delta.thinking === "string") block.text += delta.thinking;
  if (typeof delta.partial_json === "string") block.json += delta.partial_json;
  if (typeof delta.signature === "string") block.signature = delta.signature;
  if (delta.type === "compaction_delta" && typeof delta.content === "string") block.text += delta.content;
}

/** The block as the transcript holds it; not `whole` where the stream was cut inside it. */
function finish(open: OpenBlock): { readonly block: Block; readonly whole: boolean } {
  const { start } = open;
  switch (start.type) {
    case "text":
      return { block: { type: "text", text: stringOf(start.text) + open.text }, whole: true };
    case "thinking": {
      const signature = open.signature ?? (stringOf(start.signature) || undefined);
      const thinking = stringOf(start.thinking) + open.text;
      return {
        block: { type: "thinking", thinking, ...(signature === undefined ? {} : { signature }) },
        whole: signature !== undefined,
      };
    }
    case "redacted_thinking":
      return { block: { type: "redacted_thinking", data: stringOf(start.data) }, whole: true };
    case "tool_use": {
      const input = open.json === "" ? { value: start.input ?? {} } : parseJson(open.json);
      return {
        block: {
          type: "tool_use",
          id: stringOf(start.id),
          name: stringOf(start.name),
          input: input === undefined ? {} : input.value,
        },
        whole: input !== undefined && stringOf(start.id) !== "",
      };
    }
    case "compaction": {
      const content =
        typeof start.content === "string" || open.text !== "" ? stringOf(start.content) + open.text : null;
      const signature = open.signature ?? (stringOf(start.signature) || undefined);
      return { block: { type: "compaction", content, ...(signature === undefined ? {} : { signature }) }, whole: true };
    }
    default: {
      const input = open.json === "" ? undefined : parseJson(open.json);
      const whole = open.json === "" || input !== undefined;
      return { block: { type: "opaque", wire: input === undefined ? start : { ...start, input: input.value } }, whole };
    }
  }
}

/** Later figures win; what is missing or null leaves the earlier one. */
function mergeUsage(before: Usage | null, part: unknown): Usage | null {
  if (!isRecord(part)) return before;
  const given = Object.fromEntries(Object.entries(part).filter(([, value]) => value !== null && value !== undefined));
  return { ...(before ?? {}), ...given } as unknown as Usage;
}

function indexOf(event: Readonly<Record<string, unknown>>): number {
  if (typeof event.index !== "number") throw new MalformedStream("a block event without an index");
  return event.index;
}

function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function stringOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
