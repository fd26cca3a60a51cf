import type { AttachmentMessage, BoundaryMessage, Message, UserMessage } from "../../transcript/index.ts";
import { lastBoundaryIndex } from "../../transcript/index.ts";
import type { FullConfig } from "../config.ts";
import type { CompactorPorts } from "../context.ts";
import type { Trigger } from "../events.ts";
import type { CompactionPlan } from "../plan.ts";
import type { Attachments } from "./attachments.ts";
import { newestMessageToKeep } from "./newest-message.ts";
import { measureBoth } from "./request-size.ts";

/** What a summary's result is made of, whichever layer made the summary. */
export interface ResultParts {
  readonly layer: "full" | "session-memory";
  readonly trigger: Trigger;
  /** The array that the plan's indices refer to. */
  readonly messages: readonly Message[];
  /** The live part as it weighs on the server, where pinned cache edits have deleted some of it (MC3). Default: as it stands. */
  readonly counted?: readonly Message[];
  /** Kept verbatim: indices into `messages`, after the last boundary. */
  readonly keep: { readonly from: number; readonly to: number };
  readonly summary: string;
  readonly summaryMessage: UserMessage;
  /** Where the kept messages stand to the summary: older ones come before it (`partial-from`). */
  readonly keptStand: "after-summary" | "before-summary";
  readonly attachments: Attachments;
  /** Output of the SessionStart hooks, null where there is none. */
  readonly hookOutput: string | null;
  /** The server has refused this conversation's media. */
  readonly mediaRefused: boolean;
  /** The user's message that waits to be sent: with it, no older one need be kept. It counts in both sizes. */
  readonly pending?: UserMessage | null;
  readonly overheadTokens: number;
}

/**
 * The plan of a compaction, in the order of FC9: boundary, summary, newest human message where it is not kept anyway, kept messages,
 * attachments, hook output; in `partial-from` the kept messages come right after the boundary. Changes nothing. Session memory uses it too.
 */
export async function assembleResult(
  parts: ResultParts,
  config: FullConfig,
  ports: Pick<CompactorPorts, "clock" | "ids" | "estimator" | "count">,
): Promise<CompactionPlan> {
  const { clock, ids } = ports;
  const live = parts.messages.slice(lastBoundaryIndex(parts.messages) + 1);
  const kept = parts.messages.slice(parts.keep.from, parts.keep.to);
  const newest = keepsNewest(parts, config)
    ? newestMessageToKeep(live, kept, {
        maxTokens: config.newestUserMessageMaxTokens,
        mediaRefused: parts.mediaRefused,
        uuid: () => ids.uuid(),
      })
    : null;
  const summary: readonly Message[] = newest === null ? [parts.summaryMessage] : [parts.summaryMessage, newest];
  const closing = [...parts.attachments.messages, ...hookMessages(parts.hookOutput, ports)];
  const summaryFirst = parts.keptStand === "after-summary";
  const opening = summaryFirst ? summary : [];
  const tail = summaryFirst ? closing : [...summary, ...closing];
  const pending = parts.pending ? [parts.pending] : [];
  const result = [...opening, ...kept, ...tail];
  const tokens = await measureBoth(
    [...(parts.counted ?? live), ...pending],
    [...result, ...pending],
    parts.overheadTokens,
    ports,
  );
  const stood = new Set<Message>(kept);
  if (newest !== null && live.includes(newest)) stood.add(newest);
  const boundary: BoundaryMessage = {
    kind: "boundary",
    uuid: ids.uuid(),
    timestamp: clock.now(),
    trigger: parts.trigger,
    tokensBefore: tokens.before,
    tokensAfter: tokens.after,
    messagesSummarized: countSaid(live) - countSaid([...stood]),
    lastUuidBefore: parts.messages.at(-1)?.uuid ?? null,
    keptUuids: result.filter((message) => stood.has(message)).map(({ uuid }) => uuid),
  };
  return {
    layer: parts.layer,
    trigger: parts.trigger,
    head: [boundary, ...opening],
    keep: parts.keep,
    tail,
    boundary,
    summary: parts.summary,
    tokensBefore: tokens.before,
    tokensAfter: tokens.after,
    reattached: parts.attachments.reattached,
  };
}

/** Notices are local, and nobody summarises them. */
function countSaid(messages: readonly Message[]): number {
  let count = 0;
  for (const { kind } of messages) if (kind !== "notice") count++;
  return count;
}

/** The original's full compaction keeps nothing (`keepNewestUserMessage: false`). */
function keepsNewest(parts: ResultParts, config: FullConfig): boolean {
  return config.keepNewestUserMessage && !parts.pending;
}

function hookMessages(
  output: string | null,
  { clock, ids }: Pick<CompactorPorts, "clock" | "ids">,
): readonly AttachmentMessage[] {
  if (output === null) return [];
  return [
    {
      kind: "attachment",
      uuid: ids.uuid(),
      timestamp: clock.now(),
      attachment: { kind: "hook", hook: "SessionStart" },
      content: [{ type: "text", text: `Output of the SessionStart hook:\n\n${output}` }],
    },
  ];
}
