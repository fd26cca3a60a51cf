import type { Rng } from "../../determinism/index.ts";
import type { WireRequest } from "../../transcript/index.ts";
import type { Tokenizer } from "../count/rates.ts";
import type { TextCounter } from "../count/true-text.ts";
import { digitsOf } from "../identity.ts";
import type { AnswerBlock, ModelAnswer } from "../ports.ts";
import type { Answer, OutBlock } from "./answer.ts";

export interface AnswerLimits {
  /** Output tokens that the client allows. */
  readonly maxTokens: number;
  /** Output tokens that still fit into the context window. */
  readonly roomInWindow: number;
  readonly thinkingOn: boolean;
  readonly tokenizer: Tokenizer;
}

/**
 * Gives what the model said its wire form: ids and signatures from the request's own stream, thinking only where it is on, tools only where they
 * were offered, cut at stop sequences, at max_tokens, and at the end of the window (V8).
 */
export function shapeAnswer(
  said: ModelAnswer,
  body: WireRequest,
  limits: AnswerLimits,
  texts: TextCounter,
  rng: Rng,
): Answer {
  const { content, stopSequence } = cutAtStopSequence(allowed(said.content, body, limits.thinkingOn), body);
  const room = Math.min(limits.maxTokens, limits.roomInWindow);
  const blocks: OutBlock[] = [];
  let used = 0;
  let isCut = false;
  for (const [index, block] of content.entries()) {
    const whole = outBlock(block, (digits) => digitsOf(rng, `block/${index}`, digits), limits.tokenizer, texts);
    if (used + whole.tokens <= room) {
      blocks.push(whole);
      used += whole.tokens;
      continue;
    }
    isCut = true;
    const part = cutBlock(whole, room - used);
    if (part !== null) blocks.push(part);
    used = room;
    break;
  }
  return {
    blocks,
    stopReason: isCut ? cutReason(limits) : stopSequence === null ? stopReasonOf(said, blocks) : "stop_sequence",
    stopSequence: isCut ? null : stopSequence,
    outputTokens: Math.max(1, used),
    thinkingTokens: thinkingIn(blocks),
    trace: said.trace,
  };
}

function cutReason(limits: AnswerLimits): string {
  return limits.roomInWindow < limits.maxTokens ? "model_context_window_exceeded" : "max_tokens";
}

function stopReasonOf(said: ModelAnswer, blocks: readonly OutBlock[]): string {
  return said.stopReason ?? (blocks.some((block) => block.kind === "tool_use") ? "tool_use" : "end_turn");
}

function allowed(content: readonly AnswerBlock[], body: WireRequest, thinkingOn: boolean): readonly AnswerBlock[] {
  const noTools = (body.tools ?? []).length === 0 || body.tool_choice?.type === "none";
  const one = body.tool_choice?.disable_parallel_tool_use === true;
  let calls = 0;
  return content.filter((block) => {
    if (block.kind === "thinking") return thinkingOn;
    if (block.kind === "text") return block.text.length > 0;
    calls++;
    return !noTools && (!one || calls === 1);
  });
}

function cutAtStopSequence(
  content: readonly AnswerBlock[],
  body: WireRequest,
): { readonly content: readonly AnswerBlock[]; readonly stopSequence: string | null } {
  const sequences = (body.stop_sequences as readonly string[] | undefined) ?? [];
  for (const [index, block] of content.entries()) {
    if (block.kind !== "text") continue;
    let first = -1;
    let stopSequence: string | null = null;
    for (const sequence of sequences) {
      const at = block.text.indexOf(sequence);
      if (at >= 0 && (first < 0 || at < first)) {
        first = at;
        stopSequence = sequence;
      }
    }
    if (stopSequence !== null)
      return {
        content: [...content.slice(0, index), { kind: "text", text: block.text.slice(0, first) }],
        stopSequence,
      };
  }
  return { content, stopSequence: null };
}

function outBlock(
  block: AnswerBlock,
  digits: (length: number) => string,
  tokenizer: Tokenizer,
  texts: TextCounter,
): OutBlock {
  switch (block.kind) {
    case "thinking":
      return {
        kind: "thinking",
        thinking: block.thinking,
        signature: `Er${digits(60)}==`,
        tokens: Math.max(1, texts.of(block.thinking).tokens[tokenizer]),
      };
    case "text":
      return { kind: "text", text: block.text, tokens: Math.max(1, texts.of(block.text).tokens[tokenizer]) };
    case "tool-call": {
      const json = JSON.stringify(block.input);
      return {
        kind: "tool_use",
        id: `toolu_${digits(24)}`,
        name: block.name,
        input: block.input,
        json,
        tokens: texts.of(json).tokens[tokenizer] + callOverhead,
      };
    }
  }
}

/** Output tokens for the framing of a tool call. Modelled. */
const callOverhead = 20;

/** The beginning of an answer, at most `tokens` of it. */
export function cutToTokens(answer: Answer, tokens: number): Answer {
  const blocks: OutBlock[] = [];
  let used = 0;
  for (const block of answer.blocks) {
    const part = used + block.tokens <= tokens ? block : cutBlock(block, tokens - used);
    if (part === null) break;
    blocks.push(part);
    used += part.tokens;
    if (part !== block) break;
  }
  return { ...answer, blocks, stopSequence: null, outputTokens: Math.max(1, used), thinkingTokens: thinkingIn(blocks) };
}

function thinkingIn(blocks: readonly OutBlock[]): number {
  return blocks.reduce((sum, block) => sum + (block.kind === "thinking" ? block.tokens : 0), 0);
}

/** The beginning of a block that fits into `room` tokens; null where nothing does. */
function cutBlock(block: OutBlock, room: number): OutBlock | null {
  if (room <= 0) return null;
  const share = (text: string): string => {
    const end = Math.floor((text.length * room) / block.tokens);
    // never half of a surrogate pair
    return text.slice(0, end > 0 && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end - 1 : end);
  };
  switch (block.kind) {
    case "thinking":
      return { ...block, thinking: share(block.thinking), tokens: room };
    case "text": {
      const text = share(block.text);
      return text.length === 0 ? null : { ...block, text, tokens: room };
    }
    case "tool_use":
      return { ...block, json: share(block.json), input: {}, tokens: room };
    case "compaction":
      return { ...block, content: block.content === null ? null : share(block.content), tokens: room };
  }
}
