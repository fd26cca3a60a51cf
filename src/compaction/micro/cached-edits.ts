import type { Message } from "../../transcript/index.ts";
import { lastBoundaryIndex } from "../../transcript/index.ts";
import type { MicroConfig } from "../config.ts";

/** A `cache_edits` block and the message at which it travels, in this request and in every later one (MC3). */
export interface CacheEditPin {
  readonly messageUuid: string;
  readonly toolUseIds: readonly string[];
}

/** Live tool results of one user message: neither named in a block yet, nor cleared. */
interface ResultGroup {
  readonly messageUuid: string;
  readonly toolUseIds: readonly string[];
  /** A request that holds them has succeeded. Only then may they be deleted. */
  readonly seen: boolean;
}

/** Everything that the cached path remembers, as plain data that survives a resume. */
export interface CachedEditsState {
  /** Oldest first. */
  readonly live: readonly ResultGroup[];
  /** Made, and not yet sent with success. */
  readonly pending: CacheEditPin | null;
  /** `commit: "on-send"` only: the block has left with a request whose answer is not known. */
  readonly consumed: CacheEditPin | null;
  readonly pinned: readonly CacheEditPin[];
}

export const emptyCachedEdits: CachedEditsState = { live: [], pending: null, consumed: null, pinned: [] };

/**
 * The cached path of one conversation (MC3). Contract:
 * - nothing here changes or keeps a message; a block names tool_use ids only;
 * - each result is registered once, at the cost of the messages that are new since the last call;
 * - a block that was made waits unchanged until `commit`, so a request that failed is repeated with it;
 * - `commit` pins it for good; `reset` forgets everything.
 */
export interface CachedEdits {
  /** Registers what is new and makes a block when too many results are live. The block that waits, null when there is none. */
  prepare(messages: readonly Message[]): CacheEditPin | null;
  pending(): CacheEditPin | null;
  pinned(): readonly CacheEditPin[];
  /** The request went through: its block is pinned, its results are known to the server. The pin that was added, if any. */
  commit(): CacheEditPin | null;
  reset(): void;
  state(): CachedEditsState;
}

export function createCachedEdits(config: MicroConfig, initial: CachedEditsState = emptyCachedEdits): CachedEdits {
  const { triggerThreshold, keepRecent, commit: committing } = config.cached;
  const compactable = new Set(config.compactableTools);
  let { live, pending, consumed, pinned } = initial;
  /** Ids that are registered or named in a block. */
  let known = knownIds(initial);
  const scan = { count: 0, lastUuid: null as string | null, calls: new Set<string>() };

  function reset(): void {
    ({ live, pending, consumed, pinned } = emptyCachedEdits);
    known = new Set();
    scan.count = 0;
    scan.calls.clear();
  }

  function register(messages: readonly Message[]): void {
    const goesOn = messages[scan.count - 1]?.uuid === scan.lastUuid;
    if (!goesOn) {
      const stand = standingResults(messages);
      if (holdsAll(messages, stand, pinsOf({ pinned, pending, consumed }))) live = stillLive(live, stand);
      else reset();
      known = knownIds({ live, pinned, pending, consumed });
      scan.count = lastBoundaryIndex(messages) + 1;
      scan.calls.clear();
    }
    for (let i = scan.count; i < messages.length; i++) registerMessage(messages[i] as Message);
    scan.count = messages.length;
    scan.lastUuid = messages.at(-1)?.uuid ?? null;
  }

  function registerMessage(message: Message): void {
    if (message.kind === "assistant") {
      for (const block of message.content) {
        if (block.type === "tool_use" && compactable.has(block.name)) scan.calls.add(block.id);
      }
    }
    if (message.kind !== "user") return;
    const fresh: string[] = [];
    for (const block of message.content) {
      if (block.type !== "tool_result" || !scan.calls.has(block.tool_use_id)) continue;
      if (known.has(block.tool_use_id) || block.content === config.marker) continue;
      known.add(block.tool_use_id);
      fresh.push(block.tool_use_id);
    }
    if (fresh.length > 0) live = [...live, { messageUuid: message.uuid, toolUseIds: fresh, seen: false }];
  }

  function choose(messages: readonly Message[]): CacheEditPin | null {
    const count = live.reduce((sum, { toolUseIds }) => sum + toolUseIds.length, 0);
    const place = newPlace(messages);
    if (count <= triggerThreshold || place === null) return null;
    let left = Math.max(0, count - Math.max(1, keepRecent));
    const chosen: string[] = [];
    const rest: ResultGroup[] = [];
    for (const group of live) {
      const old = group.toolUseIds.slice(0, left);
      left -= old.length;
      if (group.seen) chosen.push(...old);
      const kept = group.seen ? group.toolUseIds.slice(old.length) : group.toolUseIds;
      if (kept.length > 0) rest.push({ ...group, toolUseIds: kept });
    }
    if (chosen.length === 0) return null;
    live = rest;
    return { messageUuid: place, toolUseIds: chosen };
  }

  return {
    prepare(messages) {
      register(messages);
      pending ??= choose(messages);
      if (committing === "on-response") return pending;
      consumed = pending;
      pending = null;
      return consumed;
    },
    pending: () => pending ?? consumed,
    pinned: () => pinned,
    commit() {
      live = live.map((group) => (group.seen ? group : { ...group, seen: true }));
      const sent = committing === "on-response" ? pending : consumed;
      pending = null;
      consumed = null;
      if (sent !== null) pinned = [...pinned, sent];
      return sent;
    },
    reset,
    state: () => ({ live, pending, consumed, pinned }),
  };
}

function knownIds(state: CachedEditsState): Set<string> {
  return new Set([...state.live, ...pinsOf(state)].flatMap(({ toolUseIds }) => toolUseIds));
}

function pinsOf({ pinned, pending, consumed }: Omit<CachedEditsState, "live">): readonly CacheEditPin[] {
  return [...pinned, pending, consumed].filter((pin) => pin !== null);
}

/** Where each result of the live part stands: the index of its message. */
type StandingResults = ReadonlyMap<string, number>;

function standingResults(messages: readonly Message[]): StandingResults {
  const places = new Map<string, number>();
  for (let i = lastBoundaryIndex(messages) + 1; i < messages.length; i++) {
    const message = messages[i] as Message;
    if (message.kind !== "user") continue;
    for (const block of message.content) if (block.type === "tool_result") places.set(block.tool_use_id, i);
  }
  return places;
}

/**
 * Whether every pin's place still stands, and all that it names before it: a server refuses an edit of what it has not been sent.
 * Where something is gone somebody rewrote the history, and the cached prefix is gone with it.
 */
function holdsAll(messages: readonly Message[], stand: StandingResults, pins: readonly CacheEditPin[]): boolean {
  const places = new Map(messages.map(({ uuid }, i) => [uuid, i]));
  return pins.every(({ messageUuid, toolUseIds }) => {
    const place = places.get(messageUuid) ?? -1;
    return toolUseIds.every((id) => (stand.get(id) ?? messages.length) <= place);
  });
}

/** The groups without results that somebody has taken out. */
function stillLive(groups: readonly ResultGroup[], stand: StandingResults): readonly ResultGroup[] {
  return groups.flatMap((group) => {
    const toolUseIds = group.toolUseIds.filter((id) => stand.has(id));
    return toolUseIds.length === 0 ? [] : [{ ...group, toolUseIds }];
  });
}

/** Uuid of the message where a new block may stand: what is sent last and was never sent before. Null where an answer stands last. */
function newPlace(messages: readonly Message[]): string | null {
  const last = messages.findLast((message) => message.kind !== "notice");
  return last?.kind === "user" || last?.kind === "attachment" ? last.uuid : null;
}
