import type { Message } from "../transcript/index.ts";
import { assertNever, blockToWire } from "../transcript/index.ts";
import { attachmentRecord } from "./claude-code-attachment.ts";
import type { RawRecord } from "./split-records.ts";

/** What a session file says of itself on every line. */
export interface SessionStamp {
  readonly sessionId: string;
  readonly cwd: string;
  readonly version: string;
}

/**
 * The messages in Claude Code's session form, one record a line, each the child of the one above (L4).
 * `readTranscript` gives the same messages back: user, assistant, boundary and notice whole, attachments by the text that they render to.
 */
export function writeClaudeCode(messages: readonly Message[], stamp: SessionStamp): string {
  let parentUuid: string | null = null;
  let text = "";
  for (const message of messages) {
    const record = {
      parentUuid: message.kind === "boundary" ? null : parentUuid,
      isSidechain: false,
      userType: "external",
      ...stamp,
      ...bodyOf(message),
      uuid: message.uuid,
      timestamp: new Date(message.timestamp).toISOString(),
    };
    text += `${JSON.stringify(record)}\n`;
    parentUuid = message.uuid;
  }
  return text;
}

function bodyOf(message: Message): RawRecord {
  switch (message.kind) {
    case "user": {
      const { isMeta, isCompactSummary } = message;
      return {
        type: "user",
        message: { role: "user", content: message.content.map(blockToWire) },
        ...(isMeta === undefined ? {} : { isMeta }),
        ...(isCompactSummary === undefined ? {} : { isCompactSummary }),
      };
    }
    case "assistant":
      return {
        type: "assistant",
        message: {
          id: message.id,
          type: "message",
          role: "assistant",
          model: message.model,
          content: message.content.map(blockToWire),
          stop_reason: message.stopReason,
          stop_sequence: null,
          usage: message.usage,
        },
        ...(message.synthetic === undefined ? {} : { isApiErrorMessage: true }),
      };
    case "boundary":
      return {
        type: "system",
        subtype: "compact_boundary",
        content: "Conversation compacted",
        logicalParentUuid: message.lastUuidBefore,
        compactMetadata: {
          trigger: message.trigger,
          preTokens: message.tokensBefore,
          postTokens: message.tokensAfter,
          messagesSummarized: message.messagesSummarized,
          preservedMessages: { uuids: message.keptUuids },
        },
      };
    case "notice":
      return { type: "system", subtype: "informational", content: message.text };
    case "attachment":
      return { type: "attachment", attachment: attachmentRecord(message) };
    default:
      return assertNever(message);
  }
}
