import { roughTokenCount } from "../../tokens/index.ts";
import type {
  Block,
  Message,
  TextBlock,
  ToolResultBlock,
  ToolResultPart,
  UserMessage,
} from "../../transcript/index.ts";
import { cutMiddle, fairCap } from "./cut-text.ts";

/**
 * The messages with their largest tool results cut in the middle until `tokens` (rough) are freed, all to the same length (PT4).
 * Nothing is cut below a readable rest, so less may be freed; the same array when nothing could be.
 */
export function cutLargestResults(messages: readonly Message[], tokens: number): readonly Message[] {
  const lengths = messages
    .filter(isUserMessage)
    .flatMap(resultTexts)
    .map((text) => text.length);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const cap = Math.max(SHORTEST_REST_CHARS, fairCap(lengths, total - tokens / roughTokenCount("x")));
  if (!lengths.some((length) => length > cap)) return messages;
  return messages.map((message) =>
    isUserMessage(message) && resultTexts(message).some((text) => text.length > cap)
      ? { ...message, content: message.content.map((block) => cutResult(block, cap)) }
      : message,
  );
}

/** Enough for a command's first and last lines. */
const SHORTEST_REST_CHARS = 400;

const CUT_NOTE = "\n[… the middle of this output was cut, so that the conversation fits …]\n";

function isUserMessage(message: Message): message is UserMessage {
  return message.kind === "user";
}

function isResult(block: Block): block is ToolResultBlock {
  return block.type === "tool_result";
}

function isText(part: ToolResultPart): part is TextBlock {
  return part.type === "text";
}

function resultTexts({ content }: UserMessage): readonly string[] {
  return content.filter(isResult).flatMap(textsOf);
}

function textsOf({ content }: ToolResultBlock): readonly string[] {
  return typeof content === "string" ? [content] : content.filter(isText).map(({ text }) => text);
}

function cutResult(block: Block, cap: number): Block {
  if (!isResult(block)) return block;
  const { content } = block;
  if (typeof content === "string") return { ...block, content: cutMiddle(content, cap, CUT_NOTE) };
  return {
    ...block,
    content: content.map((part) => (isText(part) ? { ...part, text: cutMiddle(part.text, cap, CUT_NOTE) } : part)),
  };
}
