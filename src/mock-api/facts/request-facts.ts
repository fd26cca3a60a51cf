import type { ModelInfo } from "../../tokens/index.ts";
import type { WireBlock, WireMessage, WireRequest, WireTool } from "../../transcript/index.ts";
import type { Tokenizer } from "../count/rates.ts";
import { overheads } from "../count/rates.ts";
import type { TextCounter } from "../count/true-text.ts";
import type { BlockFacts } from "./block-facts.ts";
import { createBlockReader, plus } from "./block-facts.ts";
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
}

export interface RequestReader {
  read(body: WireRequest, model: ModelInfo): RequestFacts;
}

/** Reads requests; the work grows with what was not seen before, message and tool objects seen before cost a look-up each. */
export function createRequestReader(texts: TextCounter): RequestReader {
  const blocks = createBlockReader(texts);
  const messages = new WeakMap<WireMessage, MessageFacts>();
  const tools = new WeakMap<WireTool, BlockFacts>();
  const messageOf = (message: WireMessage): MessageFacts => {
    let facts = messages.get(message);
    if (facts === undefined) {
      facts = readMessage(message, blocks);
      messages.set(message, facts);
    }
    return facts;
  };
  const toolOf = (tool: WireTool): BlockFacts => {
    let facts = tools.get(tool);
    if (facts === undefined) {
      const read = blocks.read({ ...tool, type: "tool", toolType: tool.type ?? "custom" });
      facts = { ...read, tokens: plus(read.tokens, overheads.tool) };
      tools.set(tool, facts);
    }
    return facts;
  };
  return {
    read: (body, model) => ({
      body,
      model,
      tokenizer: model.tokenizer,
      tools: (body.tools ?? []).map(toolOf),
      system: systemBlocks(body.system).map(blocks.read),
      messages: body.messages.map(messageOf),
    }),
  };
}

function systemBlocks(system: WireRequest["system"]): readonly WireBlock[] {
  if (system === undefined || system === null || system === "") return [];
  return typeof system === "string" ? [{ type: "text", text: system }] : system;
}
