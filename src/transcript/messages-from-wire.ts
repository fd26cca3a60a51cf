import type { Block } from "./block.ts";
import { blockFromWire } from "./block-wire.ts";
import type { Message } from "./message.ts";

/** A message as the SDK's callers write it: `Anthropic.MessageParam` fits without a cast. */
export interface PlainMessage {
  readonly role: "user" | "assistant" | "system";
  readonly content: string | readonly { readonly type: string }[];
}

/**
 * A transcript from plain API messages (CF2). Neighbouring assistant messages are parts of one response, as the API reads them.
 * A `system` message becomes a meta user message. Nothing says who made the answers: `model` defaults to "", usage is null.
 */
export function messagesFromWire(
  params: readonly PlainMessage[],
  ids: { uuid(): string },
  from: { readonly model?: string; readonly timestamp?: number } = {},
): readonly Message[] {
  const { model = "", timestamp = 0 } = from;
  let responseId: string;
  return params.map((param, i): Message => {
    const uuid = ids.uuid();
    const content = blocksOf(param);
    if (param.role !== "assistant") {
      return { kind: "user", uuid, timestamp, content, ...(param.role === "system" && { isMeta: true }) };
    }
    if (params[i - 1]?.role !== "assistant") responseId = `msg_${uuid}`;
    return { kind: "assistant", uuid, timestamp, id: responseId, model, content, stopReason: null, usage: null };
  });
}

function blocksOf({ content }: PlainMessage): readonly Block[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content.map(blockFromWire);
}
