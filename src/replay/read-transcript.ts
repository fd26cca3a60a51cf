import type { Message, PlainMessage } from "../transcript/index.ts";
import { messagesFromWire } from "../transcript/index.ts";
import { createClaudeCodeReader } from "./claude-code.ts";
import type { Irregularities } from "./irregularity.ts";
import { countIrregularities } from "./irregularity.ts";
import { splitRecords } from "./split-records.ts";
import { survey } from "./survey.ts";

/** A transcript from a file: what it is, its messages in order, and what was odd about it. */
export interface ReadTranscript {
  readonly format: "claude-code" | "anthropic-messages";
  readonly messages: readonly Message[];
  readonly irregularities: Irregularities;
}

/** A file that holds no conversation, in one sentence that says what is read. */
export class TranscriptError extends Error {
  override name = "TranscriptError";
}

/**
 * Reads a Claude Code session file (JSONL), or Anthropic messages as JSON (an array, or an object with `messages`).
 * The form is told by the records, never by the first line (L2). Throws `TranscriptError` when nothing of either is in it.
 */
export async function readTranscript(chunks: AsyncIterable<Uint8Array>): Promise<ReadTranscript> {
  const irregular = countIrregularities();
  const reader = createClaudeCodeReader(irregular);
  const messages: Message[] = [];
  const start = new StartOfFile();
  for await (const record of splitRecords(start.tap(chunks), irregular)) {
    const message = reader.read(record);
    if (message === null) continue;
    messages.push(message);
    start.forget();
  }
  if (messages.length > 0) {
    survey(messages, irregular);
    return { format: "claude-code", messages, irregularities: irregular.counts() };
  }
  const plain = plainMessages(start.text());
  if (plain === null) {
    throw new TranscriptError(
      'holds no conversation: expected a Claude Code session (one JSON record a line) or Anthropic messages as JSON (an array, or {"messages": [...]})',
    );
  }
  const unusual = countIrregularities();
  survey(plain, unusual);
  return { format: "anthropic-messages", messages: plain, irregularities: unusual.counts() };
}

/** Keeps what was read until a first session record shows that it is not one JSON text. A larger JSON text is refused as no conversation. */
class StartOfFile {
  static readonly LIMIT_BYTES = 64 * 1024 * 1024;
  #chunks: Uint8Array[] | null = [];
  #bytes = 0;

  async *tap(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.#bytes += chunk.length;
      if (this.#bytes > StartOfFile.LIMIT_BYTES) this.forget();
      this.#chunks?.push(chunk);
      yield chunk;
    }
  }
  forget(): void {
    this.#chunks = null;
  }
  text(): string {
    const decoder = new TextDecoder();
    return (this.#chunks ?? []).map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode();
  }
}

function plainMessages(text: string): readonly Message[] | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const list = Array.isArray(value) ? value : (value as { messages?: unknown } | null)?.messages;
  if (!Array.isArray(list) || list.length === 0 || !list.every(isPlainMessage)) return null;
  let n = 0;
  return messagesFromWire(list, { uuid: () => `message-${++n}` });
}

function isPlainMessage(value: unknown): value is PlainMessage {
  const { role, content } = (value ?? {}) as { role?: unknown; content?: unknown };
  if (role !== "user" && role !== "assistant" && role !== "system") return false;
  return (
    typeof content === "string" || (Array.isArray(content) && content.every((block) => typeof block?.type === "string"))
  );
}
