import type { BeforeRequest, CompactionConfig, CompactionPlan, CompactorState } from "../../compaction/index.ts";
import { clearResults } from "../../compaction/index.ts";
import { countTokens, estimateMessageTokens, roughTokenSum } from "../../tokens/index.ts";
import type { Message, UserMessage } from "../../transcript/index.ts";
import {
  ensureToolResultPairing,
  findTranscriptProblems,
  messagesAfterLastBoundary,
  newestHumanMessage,
  normalizeForApi,
  textOf,
} from "../../transcript/index.ts";
import { promise } from "./broken-promise.ts";

/** O4: what would be sent is a request that the API accepts. */
export function requestIsValid(messages: readonly Message[], what: string): void {
  const wire = ensureToolResultPairing(normalizeForApi(messagesAfterLastBoundary(messages))).messages;
  const problems = wire.length === 0 ? [] : findTranscriptProblems(wire);
  promise(problems.length === 0, "request valid", () => `${what}: ${JSON.stringify(problems.slice(0, 3))}`);
}

/** Uuids stand once in the live part (ST6: raw at most once). */
export function nothingTwice(messages: readonly Message[]): void {
  const live = messagesAfterLastBoundary(messages);
  const uuids = new Set(live.map(({ uuid }) => uuid));
  promise(uuids.size === live.length, "nothing twice", () => `${live.length} messages, ${uuids.size} uuids`);
}

/** What a compaction was made from. */
export interface Before {
  readonly messages: readonly Message[];
  /** Whether the sizes are the library's estimates: not where a port counts. */
  readonly estimated: boolean;
  /** Results that the server had deleted; null where nobody knows any more. */
  readonly deleted: ReadonlySet<string> | null;
  readonly pending: UserMessage | null;
  readonly overheadTokens: number;
  readonly gone: ReadonlySet<string>;
}

/** O4 and FC9, SM6, AC8: everything that an adopted plan owes to what it was made from. */
export function planKeepsItsWord(
  before: Before,
  after: readonly Message[],
  plan: CompactionPlan,
  config: CompactionConfig,
): void {
  const live = messagesAfterLastBoundary(before.messages);
  const stood = new Map(live.map((message) => [message.uuid, message]));
  const [boundary, ...rest] = after;
  promise(boundary === plan.boundary && boundary.kind === "boundary", "boundary first", () => String(boundary?.kind));
  promise(
    rest.every(({ kind }) => kind !== "boundary"),
    "one boundary",
    () => "a second one follows",
  );
  const { keptUuids, lastUuidBefore, tokensBefore, tokensAfter } = plan.boundary;
  promise(
    lastUuidBefore === (before.messages.at(-1)?.uuid ?? null),
    "boundary links",
    () => `last is ${lastUuidBefore}`,
  );

  const kept = rest.filter(({ uuid }) => stood.has(uuid));
  for (const message of kept) {
    promise(message === stood.get(message.uuid), "kept unchanged", () => `${message.uuid} is another object`);
  }
  const names = kept.map(({ uuid }) => uuid).join(" ");
  promise(names === keptUuids.join(" "), "boundary names the kept", () => `${names} / ${keptUuids.join(" ")}`);
  const back = rest.find(({ uuid }) => before.gone.has(uuid));
  promise(back === undefined, "nothing from before a boundary", () => `${back?.uuid} came back`);
  nothingSplit(live, rest, plan);
  humanStays(before, live, rest, config);

  const pending = before.pending === null ? [] : [before.pending];
  const weigh = (messages: readonly Message[]): number => before.overheadTokens + estimateMessageTokens(messages);
  const { deleted } = before;
  const was =
    deleted === null ? tokensBefore : weigh([...clearResults(live, deleted, config.micro.marker), ...pending]);
  const is = weigh([...rest, ...pending]);
  promise(
    !before.estimated || (tokensBefore === was && tokensAfter === is),
    "estimates honest",
    () => `says ${tokensBefore} to ${tokensAfter}, is ${was} to ${is}`,
  );
  if (config.auto.thrashGuard !== null) {
    promise(tokensAfter < tokensBefore, "no inflation", () => `${tokensBefore} to ${tokensAfter}`);
  }
}

/** No pair and no response that was whole stands with one half inside. */
function nothingSplit(live: readonly Message[], after: readonly Message[], plan: CompactionPlan): void {
  const was = idsIn(live);
  const is = idsIn(after);
  for (const [id, count] of is.parts) {
    promise(
      count === was.parts.get(id),
      "no message.id split",
      () => `${id}: ${count} of ${was.parts.get(id)} (${plan.layer})`,
    );
  }
  // Rounds hold no result that came later than the next response: a drop may part it from its call, and M5 repairs that (G2, G3).
  if (plan.layer === "drop") return;
  for (const id of is.results)
    promise(is.calls.has(id) || !was.calls.has(id), "no pair split", () => `result ${id} alone`);
  for (const id of is.calls)
    promise(is.results.has(id) || !was.results.has(id), "no pair split", () => `call ${id} alone`);
}

function idsIn(messages: readonly Message[]): {
  readonly parts: ReadonlyMap<string, number>;
  readonly calls: ReadonlySet<string>;
  readonly results: ReadonlySet<string>;
} {
  const parts = new Map<string, number>();
  const calls = new Set<string>();
  const results = new Set<string>();
  for (const message of messages) {
    if (message.kind === "assistant") parts.set(message.id, (parts.get(message.id) ?? 0) + 1);
    if (message.kind !== "assistant" && message.kind !== "user") continue;
    for (const block of message.content) {
      if (block.type === "tool_use") calls.add(block.id);
      if (block.type === "tool_result") results.add(block.tool_use_id);
    }
  }
  return { parts, calls, results };
}

/** FC9: verbatim, or cut with a note. What a person says here begins with words of its own. */
function humanStays(
  before: Before,
  live: readonly Message[],
  after: readonly Message[],
  config: CompactionConfig,
): void {
  const human = newestHumanMessage(live);
  if (human === undefined || before.pending !== null || !config.full.keepNewestUserMessage) return;
  const text = textOf(human);
  const opening = text.slice(0, 40);
  const found = after.some((message) => {
    if (message === human) return true;
    const now = message.kind === "user" ? textOf(message) : "";
    return now.startsWith(opening) && (now.includes("was cut") || now.startsWith(text));
  });
  promise(found, "newest human present", () => `"${opening}" is gone`);
}

/** B3, AC5: the compactor's size is the plain functions' over the same messages. */
export function sizeIsPlain(
  { messages, tokens }: Pick<BeforeRequest, "messages" | "tokens">,
  state: CompactorState,
  before: Pick<Before, "pending" | "overheadTokens">,
  window: number,
  marker: string,
): void {
  const { overheadTokens, pending } = before;
  const count = countTokens(messages, { overheadTokens, window });
  const { live, pinned, pending: waiting, consumed } = state.edits;
  const pins = [...pinned, ...(waiting ? [waiting] : []), ...(consumed ? [consumed] : [])];
  const deleted = new Set(pins.flatMap(({ toolUseIds }) => toolUseIds));
  const now = messagesAfterLastBoundary(messages);
  const unsent = roughTokenSum(now) - roughTokenSum(clearResults(now, deleted, marker));
  const freed =
    count.basis === null
      ? Math.ceil((unsent * 4) / 3)
      : state.freed?.basisUuid === count.basis.messageUuid
        ? state.freed.tokens
        : 0;
  const plain = count.tokens + (pending === null ? 0 : estimateMessageTokens([pending])) - freed;
  promise(
    Math.abs(plain - tokens) < 0.001,
    "size as plain",
    () => `${tokens}, plainly ${plain} (${live.length} groups)`,
  );
}
