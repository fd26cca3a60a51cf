/**
 * A content block, in the wire's own shape (`type` belongs to the wire; SDK 1.14 types; M3).
 * The union is closed: what this version does not know is carried whole inside an `opaque` block and unwrapped by `blockToWire`.
 */
export type Block =
  | TextBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ToolResultBlock
  | ImageBlock
  | DocumentBlock
  | CompactionBlock
  | CacheEditsBlock
  | OpaqueBlock;

export interface CacheControl {
  readonly type: "ephemeral";
  readonly ttl?: "5m" | "1h";
}

export interface TextBlock {
  readonly type: "text";
  readonly text: string;
  readonly cache_control?: CacheControl;
}

export interface ThinkingBlock {
  readonly type: "thinking";
  readonly thinking: string;
  /** Absent only where a stream was cut before its `signature_delta`; such a block is never sent. */
  readonly signature?: string;
}

export interface RedactedThinkingBlock {
  readonly type: "redacted_thinking";
  readonly data: string;
}

export interface ToolUseBlock {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly cache_control?: CacheControl;
}

/** An `opaque` part (search_result, tool_reference, …) passes through as it came. */
export type ToolResultPart = TextBlock | ImageBlock | DocumentBlock | OpaqueBlock;

export interface ToolResultBlock {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content: string | readonly ToolResultPart[];
  readonly is_error?: boolean;
  readonly cache_control?: CacheControl;
}

export type MediaSource =
  | { readonly type: "base64"; readonly media_type: string; readonly data: string }
  | { readonly type: "text"; readonly media_type: string; readonly data: string }
  | { readonly type: "url"; readonly url: string }
  | { readonly type: "file"; readonly file_id: string };

export interface ImageBlock {
  readonly type: "image";
  readonly source: MediaSource;
  readonly cache_control?: CacheControl;
}

export interface DocumentBlock {
  readonly type: "document";
  readonly source: MediaSource;
  readonly title?: string;
  readonly cache_control?: CacheControl;
}

/** The server's own summary (beta `compact-*`). `content` is null where the server's compaction failed (K4). */
export interface CompactionBlock {
  readonly type: "compaction";
  readonly content: string | null;
  readonly signature?: string;
}

/** Deletes named tool results from the server's cached prefix (MC3, K3). Modelled: not in the public API. */
export interface CacheEditsBlock {
  readonly type: "cache_edits";
  readonly edits: readonly { readonly type: "delete"; readonly tool_use_id: string }[];
}

/** Any other block: server_tool_use and its results, search results, and whatever comes next. Passes through untouched. */
export interface OpaqueBlock {
  readonly type: "opaque";
  readonly wire: { readonly type: string; readonly [field: string]: unknown };
}
