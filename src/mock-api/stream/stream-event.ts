/** One server-sent event: `data.type` is also its name. Source: SDK 1.14 `RawMessageStreamEvent` and its beta form. */
export interface StreamEvent {
  readonly type:
    | "message_start"
    | "content_block_start"
    | "content_block_delta"
    | "content_block_stop"
    | "message_delta"
    | "message_stop"
    | "ping"
    | "error";
  readonly [field: string]: unknown;
}
