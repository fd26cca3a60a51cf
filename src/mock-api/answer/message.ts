import type { WireBlock } from "../../transcript/index.ts";
import { assertNever } from "../../transcript/index.ts";
import type { CacheOutcome } from "../cache/prompt-cache.ts";
import type { Answer, OutBlock } from "./answer.ts";

/** What goes into the envelope around the content. */
export interface Envelope {
  readonly id: string;
  readonly model: string;
  /** Version 2023-06-01: a text without citations has no such field there, and clients of that time refuse a null. */
  readonly isOldVersion: boolean;
  /** Null where a fault leaves it out. */
  readonly usage: WireUsage | null;
  readonly diagnostics: unknown;
  /** Fields that only beta responses carry. */
  readonly beta: Readonly<Record<string, unknown>>;
}

/** Usage with every field that the SDK's types require. */
export type WireUsage = Readonly<Record<string, unknown>> & {
  readonly input_tokens: number;
  readonly output_tokens: number;
};

export function wireUsage(
  input: CacheOutcome,
  answer: Pick<Answer, "outputTokens" | "thinkingTokens">,
  extra: UsageExtra,
): WireUsage {
  return {
    input_tokens: input.uncached,
    cache_creation_input_tokens: input.write5m + input.write1h,
    cache_read_input_tokens: input.read,
    cache_creation: { ephemeral_5m_input_tokens: input.write5m, ephemeral_1h_input_tokens: input.write1h },
    output_tokens: answer.outputTokens,
    output_tokens_details: { thinking_tokens: answer.thinkingTokens },
    server_tool_use: null,
    service_tier: "standard",
    inference_geo: extra.geo,
    speed: extra.speed,
    ...extra.more,
  };
}

export interface UsageExtra {
  readonly geo: string | null;
  readonly speed: string | null;
  readonly more: Readonly<Record<string, unknown>>;
}

/** The whole message of a plain answer (A5: every field that the types require). */
export function wireMessage(envelope: Envelope, answer: Answer): Readonly<Record<string, unknown>> {
  return {
    id: envelope.id,
    type: "message",
    role: "assistant",
    model: envelope.model,
    content: answer.blocks.map((block) => wholeBlock(block, envelope.isOldVersion)),
    stop_reason: answer.stopReason,
    stop_sequence: answer.stopSequence,
    stop_details: stopDetails(answer.stopReason),
    container: null,
    diagnostics: envelope.diagnostics,
    ...(envelope.usage === null ? {} : { usage: envelope.usage }),
    ...envelope.beta,
  };
}

export function stopDetails(stopReason: string): unknown {
  return stopReason === "refusal" ? { type: "refusal", category: null, explanation: null } : null;
}

function wholeBlock(block: OutBlock, isOldVersion: boolean): WireBlock {
  switch (block.kind) {
    case "thinking":
      return { type: "thinking", thinking: block.thinking, signature: block.signature };
    case "text":
      return { type: "text", text: block.text, ...(isOldVersion ? {} : { citations: null }) };
    case "tool_use":
      return { type: "tool_use", id: block.id, name: block.name, input: block.input, caller: { type: "direct" } };
    case "compaction":
      return compactionBlock(block);
    default:
      return assertNever(block);
  }
}

export function compactionBlock(block: OutBlock & { readonly kind: "compaction" }): WireBlock {
  return {
    type: "compaction",
    content: block.content,
    encrypted_content: null,
    ...(block.signature === null ? {} : { signature: block.signature, tool_changes: null }),
  };
}
