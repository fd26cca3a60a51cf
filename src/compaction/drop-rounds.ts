import { roughTokenSum } from "../tokens/index.ts";
import type { BoundaryMessage, Message } from "../transcript/index.ts";
import { messagesAfterLastBoundary, newestHumanMessage } from "../transcript/index.ts";
import type { CompactionConfig } from "./config.ts";
import type { CompactionContext, CompactorPorts } from "./context.ts";
import { newestMessageToKeep } from "./full/newest-message.ts";
import { measureBoth } from "./full/request-size.ts";
import type { TruncatedHead } from "./full/truncate-head.ts";
import { truncateHeadForRetry } from "./full/truncate-head.ts";
import { clearResults } from "./micro/clear-results.ts";
import type { CompactionPlan } from "./plan.ts";
import type { CallError, IdPort } from "./ports.ts";

export interface DroppedRounds {
  readonly plan: CompactionPlan;
  readonly droppedMessages: number;
  readonly droppedTokens: number;
}

/**
 * The last resort when a main request is too long and cannot be summarised (RC2): the oldest rounds go, by the gap that the error names, with a
 * marker and a boundary that says `drop`. The newest human message stays (FC9). Lossy. Null where nothing is left that may go.
 */
export async function planDrop(
  messages: readonly Message[],
  error: CallError,
  context: CompactionContext,
  deletedResults: ReadonlySet<string>,
  config: CompactionConfig,
  ports: Pick<CompactorPorts, "clock" | "ids" | "estimator" | "count">,
): Promise<DroppedRounds | null> {
  const live = messagesAfterLastBoundary(messages);
  const pending = context.pending ? [context.pending] : [];
  const fixedTokens = context.overheadTokens + roughTokenSum(pending);
  const counted = clearResults(live, deletedResults, config.micro.marker);
  const human = config.full.keepNewestUserMessage && !context.pending ? newestHumanMessage(counted) : undefined;
  const marker = { uuid: ports.ids.uuid(), timestamp: ports.clock.now() };
  const cutFor = (extraTokens: number): TruncatedHead | null =>
    truncateHeadForRetry(
      counted,
      {
        error,
        maxOutput: context.requestMaxTokens,
        sentTokens: roughTokenSum(counted),
        fixedTokens,
        extraTokens,
      },
      config.full.tooLong,
      marker,
    );
  const holds = ({ messages: left }: TruncatedHead): boolean =>
    human === undefined || left.some(({ uuid }) => uuid === human.uuid);

  const first = cutFor(0);
  if (first === null) return null;
  const newest = holds(first) ? null : newestToKeep(counted, config, ports.ids);
  // With room for it more goes, so the message itself does not come back.
  const cut = newest === null ? first : (cutFor(ports.estimator.total(ports.estimator.message(newest))) ?? first);
  const whole = newest === null ? cut.messages : afterMarker(cut.messages, newest);
  const left = changedGetNewUuids(whole, live, ports.ids);
  const sizes = await measureBoth([...counted, ...pending], [...left, ...pending], context.overheadTokens, ports);
  const untouchedOnes = new Set(live);
  const keptUuids = left.filter((message) => untouchedOnes.has(message)).map(({ uuid }) => uuid);
  const boundary: BoundaryMessage = {
    kind: "boundary",
    uuid: ports.ids.uuid(),
    timestamp: ports.clock.now(),
    trigger: "drop",
    tokensBefore: sizes.before,
    tokensAfter: sizes.after,
    messagesSummarized: 0,
    lastUuidBefore: (messages.at(-1) as Message).uuid,
    keptUuids,
  };
  const untouched = commonTail(messages, left);
  const plan: CompactionPlan = {
    layer: "drop",
    trigger: "reactive",
    head: [boundary, ...left.slice(0, left.length - untouched)],
    keep: { from: messages.length - untouched, to: messages.length },
    tail: [],
    boundary,
    summary: "",
    tokensBefore: sizes.before,
    tokensAfter: sizes.after,
    reattached: [],
  };
  return { plan, droppedMessages: cut.droppedMessages, droppedTokens: cut.droppedTokens };
}

function newestToKeep(counted: readonly Message[], { full }: CompactionConfig, ids: IdPort): Message | null {
  const { newestUserMessageMaxTokens: maxTokens } = full;
  // Stryker disable next-line ArrayDeclaration: what is no message is not the one that is looked for.
  return newestMessageToKeep(counted, [], { maxTokens, mediaRefused: false, uuid: () => ids.uuid() });
}

/** The marker stands first wherever rounds were dropped; what is kept by name follows it. */
function afterMarker(left: readonly Message[], newest: Message): readonly Message[] {
  return [...left.slice(0, 1), newest, ...left.slice(1)];
}

/** A message whose results were cut or cleared is another one from then on: under its old uuid it would pass for kept (FC9). */
function changedGetNewUuids(left: readonly Message[], live: readonly Message[], ids: IdPort): readonly Message[] {
  const before = new Map(live.map((message) => [message.uuid, message]));
  return left.map((message) => {
    const old = before.get(message.uuid);
    return old === undefined || old === message ? message : { ...message, uuid: ids.uuid() };
  });
}

/** How many messages at the end are the very same objects. */
function commonTail(messages: readonly Message[], left: readonly Message[]): number {
  const offset = messages.length - left.length;
  return left.length - 1 - left.findLastIndex((message, i) => message !== messages[i + offset]);
}
