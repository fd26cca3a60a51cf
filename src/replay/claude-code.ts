import type { AssistantMessage, Block, BoundaryMessage, Message, Usage } from "../transcript/index.ts";
import { blockFromWire } from "../transcript/index.ts";
import { attachmentOf } from "./claude-code-attachment.ts";
import type { IrregularityCounter } from "./irregularity.ts";
import type { RawRecord } from "./split-records.ts";

/** Reads the records of a Claude Code session file into messages, in the file's order (L2). One reader a file. */
export interface ClaudeCodeReader {
  /** The message of a record; null for what is no part of the main conversation. */
  read(record: RawRecord): Message | null;
}

const messageTypes = new Set(["user", "assistant", "system", "attachment"]);

/**
 * File order decides, never the parent chain: parallel calls branch it, and following it from a leaf would drop siblings (L3).
 * Sidechains, duplicates and unknown records are counted and left out.
 */
export function createClaudeCodeReader({ note }: IrregularityCounter): ClaudeCodeReader {
  const seen = new Set<string>();
  const known = new Set<string>();
  let sessionId: string | null = null;
  let lastTime = Number.NEGATIVE_INFINITY;
  let first = true;

  const checkChain = (record: RawRecord, uuid: string): void => {
    const parent = record.parentUuid ?? record.logicalParentUuid;
    if (typeof parent === "string" && !known.has(parent)) note(first ? "starts-in-mid-chain" : "dangling-parent");
    first = false;
    known.add(uuid);
  };

  const timeOf = (record: RawRecord): number => {
    const time = typeof record.timestamp === "string" ? Date.parse(record.timestamp) : Number.NaN;
    if (Number.isNaN(time)) {
      note("no-timestamp");
      return Math.max(lastTime, 0);
    }
    if (time < lastTime) note("time-backwards");
    lastTime = Math.max(lastTime, time);
    return lastTime;
  };

  return {
    read: (record) => {
      const uuid = typeof record.uuid === "string" ? record.uuid : null;
      if (typeof record.type !== "string" || !messageTypes.has(record.type) || uuid === null) {
        if (uuid !== null) known.add(uuid); // skipped records stand in the parent chain, too
        note("unknown-record");
        return null;
      }
      if (seen.has(uuid)) {
        note("duplicate-record");
        return null;
      }
      seen.add(uuid);
      if (record.isSidechain === true) {
        known.add(uuid);
        note("sidechain");
        return null;
      }
      if (typeof record.sessionId === "string") {
        sessionId ??= record.sessionId;
        if (record.sessionId !== sessionId) note("several-sessions");
      }
      checkChain(record, uuid);
      return messageOf(record, { uuid, timestamp: timeOf(record) }, note);
    },
  };
}

interface Base {
  readonly uuid: string;
  readonly timestamp: number;
}
type Note = IrregularityCounter["note"];

function messageOf(record: RawRecord, base: Base, note: Note): Message | null {
  const message = asObject(record.message);
  switch (record.type) {
    case "user":
      return {
        ...base,
        kind: "user",
        content: contentOf(message.content, note),
        ...(record.isMeta === true ? { isMeta: true as const } : {}),
        ...(record.isCompactSummary === true ? { isCompactSummary: true as const } : {}),
      };
    case "assistant":
      return assistantOf(record, message, base, note);
    case "system":
      return record.subtype === "compact_boundary"
        ? boundaryOf(record, base, note)
        : { ...base, kind: "notice", text: String(record.content ?? "") };
    default:
      return attachmentOf(asObject(record.attachment), base);
  }
}

function assistantOf(record: RawRecord, message: RawRecord, base: Base, note: Note): AssistantMessage {
  const model = typeof message.model === "string" ? message.model : "unknown";
  const synthetic = model === "<synthetic>" || record.isApiErrorMessage === true;
  if (synthetic) note("synthetic-message");
  return {
    ...base,
    kind: "assistant",
    id: typeof message.id === "string" ? message.id : base.uuid,
    model,
    content: contentOf(message.content, note),
    stopReason: typeof message.stop_reason === "string" ? message.stop_reason : null,
    usage: usageOf(message.usage),
    ...(synthetic ? { synthetic: true as const } : {}),
  };
}

function boundaryOf(record: RawRecord, base: Base, note: Note): BoundaryMessage {
  const metadata = asObject(record.compactMetadata);
  if (record.compactMetadata === undefined) note("boundary-without-metadata");
  const kept = asObject(metadata.preservedMessages).uuids;
  const keptUuids = Array.isArray(kept) ? kept.filter((uuid): uuid is string => typeof uuid === "string") : [];
  note("kept-before-boundary", keptUuids.length);
  const tokensBefore = Number(metadata.preTokens ?? 0);
  const tokensAfter = Number(metadata.postTokens ?? 0);
  return {
    ...base,
    kind: "boundary",
    trigger: metadata.trigger === "manual" ? "manual" : "auto",
    tokensBefore: Number.isFinite(tokensBefore) ? tokensBefore : 0,
    tokensAfter: Number.isFinite(tokensAfter) ? tokensAfter : 0,
    messagesSummarized: Number(metadata.messagesSummarized ?? 0) || 0,
    lastUuidBefore: typeof record.logicalParentUuid === "string" ? record.logicalParentUuid : null,
    keptUuids,
  };
}

function contentOf(content: unknown, note: Note): Block[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((raw): Block[] => {
    const wire = asObject(raw);
    if (typeof wire.type !== "string") return [];
    const block = blockFromWire(wire as { type: string });
    if (block.type === "opaque") note("unknown-block");
    if (block.type === "thinking" && block.thinking === "") note("empty-thinking");
    return [block];
  });
}

/** The figures as written, NaN and null included: whether they can be used is for the counter of tokens to say (T4). */
function usageOf(raw: unknown): Usage | null {
  const usage = asObject(raw);
  if (usage.input_tokens === undefined && usage.output_tokens === undefined) return null;
  return raw as Usage;
}

function asObject(value: unknown): RawRecord {
  return typeof value === "object" && value !== null ? (value as RawRecord) : {};
}
