import type { CacheControl } from "./block.ts";
import type { Usage } from "./message.ts";

/** The wire's own forms, as far as the client, the mock and the simulated model share them. Source: SDK 1.14 types. */
export interface WireMessage {
  readonly role: "user" | "assistant" | "system";
  readonly content: string | readonly WireBlock[];
}

/** A block on the wire: `type` decides, the validator of mock-api checks the rest. */
export interface WireBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface WireTool {
  readonly name: string;
  readonly description?: string;
  readonly input_schema?: { readonly type: "object"; readonly [field: string]: unknown };
  readonly cache_control?: CacheControl;
  readonly [field: string]: unknown;
}

export type WireThinking =
  | { readonly type: "enabled"; readonly budget_tokens: number }
  | { readonly type: "adaptive" }
  | { readonly type: "disabled" }
  | { readonly type: "between_tools" };

/** The body of POST /v1/messages, as far as our own client fills it. Unknown fields are the validator's matter. */
export interface WireRequest {
  readonly model: string;
  readonly max_tokens: number;
  readonly messages: readonly WireMessage[];
  readonly system?: string | readonly WireBlock[];
  readonly tools?: readonly WireTool[];
  readonly thinking?: WireThinking;
  readonly tool_choice?: {
    readonly type: string;
    readonly name?: string;
    readonly disable_parallel_tool_use?: boolean;
  };
  readonly stream?: boolean;
  readonly [field: string]: unknown;
}

/** A complete answer of POST /v1/messages. */
export interface WireResponse {
  readonly id: string;
  readonly type: "message";
  readonly role: "assistant";
  readonly model: string;
  readonly content: readonly WireBlock[];
  readonly stop_reason: string | null;
  readonly stop_sequence: string | null;
  readonly usage: Usage;
  readonly [field: string]: unknown;
}

/** Who sends a request; travels in the header `x-longhaul-source` from our own client only (F1, AC5). */
export type QuerySource = "main" | "compact" | "session_memory" | "context_collapse" | "subagent";
