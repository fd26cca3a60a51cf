import type { Block } from "./block.ts";

/** One record of a conversation (M1). `kind` tells what it is; only `user`, `assistant` and rendered `attachment` reach the wire. */
export type Message = UserMessage | AssistantMessage | BoundaryMessage | NoticeMessage | AttachmentMessage;

interface MessageBase {
  readonly uuid: string;
  /** Milliseconds since the epoch, from the clock port. */
  readonly timestamp: number;
}

export interface UserMessage extends MessageBase {
  readonly kind: "user";
  readonly content: readonly Block[];
  /** Made by the harness, not typed by a person. */
  readonly isMeta?: true;
  readonly isCompactSummary?: true;
}

/**
 * One part of an API response, or all of it. Parts of one response share `id` (M2).
 * `usage` and `stopReason` are the wire's; `synthetic` marks what was made locally (an API-error text) and was never sent by a model.
 */
export interface AssistantMessage extends MessageBase {
  readonly kind: "assistant";
  /** The API's `message.id`. */
  readonly id: string;
  readonly model: string;
  readonly content: readonly Block[];
  readonly stopReason: string | null;
  readonly usage: Usage | null;
  readonly synthetic?: true;
}

/** Where a compaction or a stated drop ended: nothing before it is live any more (M6, FC9). A local `system` message. */
export interface BoundaryMessage extends MessageBase {
  readonly kind: "boundary";
  /** `drop`: head truncation without a summary, as a last resort (RC2), reported as lossy. */
  readonly trigger: "auto" | "manual" | "reactive" | "drop";
  /** Estimate of the whole next request (system, tools, attachments included) before and after, in tokens. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly messagesSummarized: number;
  /** Uuid of the last message before the boundary, null for an empty history. */
  readonly lastUuidBefore: string | null;
  /** Uuids, in order, of the messages kept verbatim from before; empty when none are. */
  readonly keptUuids: readonly string[];
}

/** A local `system` message for the person: never sent. */
export interface NoticeMessage extends MessageBase {
  readonly kind: "notice";
  readonly text: string;
}

/** A local record that is sent as a user message (M1): what it renders to is its `content`. */
export interface AttachmentMessage extends MessageBase {
  readonly kind: "attachment";
  readonly attachment:
    | { readonly kind: "file"; readonly path: string }
    | { readonly kind: "plan" }
    | { readonly kind: "skill"; readonly name: string }
    | { readonly kind: "skill-list" }
    | { readonly kind: "agents" }
    | { readonly kind: "deferred-tools" }
    | { readonly kind: "mcp" }
    | { readonly kind: "todo" }
    | { readonly kind: "hook"; readonly hook: string };
  readonly content: readonly Block[];
}

/** Token figures of a response, as the wire has them. Null or missing where the server gave none. */
export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_creation_input_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly cache_creation?: {
    readonly ephemeral_5m_input_tokens: number;
    readonly ephemeral_1h_input_tokens: number;
  } | null;
}
