import type { AttachmentMessage, UserMessage } from "./message.ts";

/** The user message as which an attachment is sent (M1): meta, with the same uuid, so that it can be found again. */
export function renderAttachment(attachment: AttachmentMessage): UserMessage {
  const { uuid, timestamp, content } = attachment;
  return { kind: "user", uuid, timestamp, content, isMeta: true };
}
