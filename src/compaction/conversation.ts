import type { SessionLedger, TokenCount } from "../tokens/index.ts";
import { createSessionLedger, newestStretch } from "../tokens/index.ts";
import type { Message } from "../transcript/index.ts";
import { freedFrom } from "./auto/freed-since-count.ts";
import type { CompactorState } from "./compactor-state.ts";
import type { CompactionConfig, KeepLimits } from "./config.ts";
import type { CompactionContext, CompactorPorts } from "./context.ts";
import type { CachedEdits, CacheEditPin } from "./micro/cached-edits.ts";
import { createCachedEdits } from "./micro/cached-edits.ts";
import { planClearing } from "./micro/time-clearing.ts";
import type { SessionMemory } from "./session-memory/session-memory.ts";
import { createSessionMemory } from "./session-memory/session-memory.ts";
import type { WorkingEstimator } from "./working-estimator.ts";
import { createWorkingEstimator } from "./working-estimator.ts";

/** One conversation at work. Only the moments of the compactor change it. */
export interface Conversation {
  readonly config: CompactionConfig;
  readonly ports: CompactorPorts;
  readonly edits: CachedEdits;
  readonly memory: SessionMemory;
  /** The one behind `ports.estimator`. */
  readonly working: WorkingEstimator;
  /** Follows the transcript, so that a count costs what is new in it. Replaced when messages weigh otherwise. */
  ledger: SessionLedger;
  /** The past was changed since the last response: inputs before and after it do not compare. */
  edited: boolean;
  /** SM2's limits, as they were when the conversation began. */
  readonly keep: KeepLimits;
  /** Replaced as a whole, never changed in place. */
  remembered: Remembered;
  /** A compaction is running: a second one waits for nobody. */
  busy: boolean;
}

export type Remembered = Omit<CompactorState, "version" | "memory" | "edits">;

export function startConversation(
  config: CompactionConfig,
  ports: CompactorPorts,
  { memory, edits, version: _, ...remembered }: CompactorState,
): Conversation {
  const working = createWorkingEstimator(ports.estimator);
  const own = { ...ports, estimator: working.estimator };
  return {
    config,
    ports: own,
    edits: createCachedEdits(config.micro, edits),
    memory: createSessionMemory(config.sessionMemory, own, memory),
    working,
    ledger: createSessionLedger(own.estimator),
    edited: false,
    keep: keepLimits(config.sessionMemory.keep, ports.remoteKeepLimits),
    remembered,
    busy: false,
  };
}

export interface ContextSize {
  readonly count: TokenCount;
  /** The next request's size: the count, the message that waits, less what was cleared since the count was made (AC5). */
  readonly tokens: number;
}

export function sizeOf(
  conversation: Conversation,
  messages: readonly Message[],
  context: CompactionContext,
): ContextSize {
  const { ports, remembered, ledger } = conversation;
  const { estimator } = ports;
  const window = context.model.contextWindow;
  follow(conversation, messages);
  const count = ledger.countTokens({ overheadTokens: context.overheadTokens, window });
  const pending = context.pending ? estimator.total(estimator.message(context.pending)) : 0;
  const freed = count.basis === null ? deletedTokens(conversation, messages) : freedFrom(count, remembered.freed);
  return { count, tokens: count.tokens + pending - freed };
}

/** Where all is estimated, what the server has deleted weighs its marker (MC3). */
function deletedTokens(conversation: Conversation, messages: readonly Message[]): number {
  const { config, ports } = conversation;
  const deleted = new Set(deletedResults(conversation));
  const { estimator } = ports;
  const tokensFreed = planClearing(messages, deleted, config.micro.marker, estimator)?.tokensFreed ?? 0;
  return estimator.total(tokensFreed);
}

/** Told from the objects themselves, so that an edit that nobody announced is noticed too. */
function follow(conversation: Conversation, messages: readonly Message[]): void {
  const { ledger } = conversation;
  const known = ledger.messages();
  const grew = known.every((message, i) => message === messages[i]);
  if (!grew) {
    conversation.edited = true;
    ledger.rewrite(messages);
  } else for (let i = known.length; i < messages.length; i++) ledger.append(messages[i] as Message);
}

/**
 * What the newest response teaches about the rates (T6): by how much its input is more than the one before. Nothing where the past was changed between
 * them, by hand, by a layer, or by edits of the server's cache.
 */
export function learnFromResponse(
  conversation: Conversation,
  messages: readonly Message[],
  { model }: CompactionContext,
): void {
  const { edited, working } = conversation;
  conversation.edited = false;
  const stretch = edited || !working.learns ? null : newestStretch(messages, null, { window: model.contextWindow });
  if (stretch === null || !working.teach(stretch)) return;
  conversation.ledger = createSessionLedger(working.estimator);
}

/** Every block that travels with the next request: the pinned ones, then the one that waits (MC3). */
export function travellingPins({ edits }: Conversation): readonly CacheEditPin[] {
  const pending = edits.pending();
  return pending === null ? edits.pinned() : [...edits.pinned(), pending];
}

/** Results that the server has deleted, or deletes with the next request. */
export function deletedResults(conversation: Conversation): readonly string[] {
  return travellingPins(conversation).flatMap(({ toolUseIds }) => toolUseIds);
}

/** A remote figure that is no usable number changes nothing. */
function keepLimits(own: KeepLimits, remote: CompactorPorts["remoteKeepLimits"]): KeepLimits {
  const given = remote?.() ?? {};
  const pick = (name: keyof KeepLimits): number => {
    const value = given[name] ?? own[name];
    return Number.isFinite(value) && value >= 0 ? value : own[name];
  };
  return {
    minTokens: pick("minTokens"),
    minTextBlockMessages: pick("minTextBlockMessages"),
    maxTokens: pick("maxTokens"),
  };
}
