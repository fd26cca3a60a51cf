import type { BeforeRequest, CompactionConfig, CompactionOutcome, CompactorState } from "../../compaction/index.ts";
import { applyMicroPlan, breakerAt } from "../../compaction/index.ts";
import { canonicalJson } from "../../determinism/index.ts";
import { roughTokenSum } from "../../tokens/index.ts";
import type { Message } from "../../transcript/index.ts";
import { promise } from "./broken-promise.ts";

/** MC2, MC3, MC5: what layer 1 did to the messages; gives them after it, the compactor's own objects. */
export function microKeepsItsWord(
  { micro, messages: result }: BeforeRequest,
  messages: readonly Message[],
  seenResults: ReadonlySet<string>,
): readonly Message[] {
  const after = applyMicroPlan(messages, micro);
  if (micro.kind !== "clear") promise(after === messages, "local messages untouched", () => `changed by ${micro.kind}`);
  else {
    const freed = roughTokenSum(messages) - roughTokenSum(after);
    const { tokensFreed } = micro.clearing;
    promise(freed === tokensFreed, "freed honest", () => `says ${tokensFreed}, is ${freed}`);
    const again = applyMicroPlan(after, micro);
    promise(again === after, "clearing idempotent", () => "a second time changed more");
  }
  if (micro.kind === "cache-edit") {
    const standing = resultsIn(messages);
    for (const id of micro.pin.toolUseIds) {
      promise(standing.has(id), "edits name results", () => `${id} does not stand in the messages`);
      promise(seenResults.has(id), "edits name what the server has seen", () => `${id} was never sent with success`);
    }
    const place = messages.some(({ uuid }) => uuid === micro.pin.messageUuid);
    promise(place, "pin has a place", () => `${micro.pin.messageUuid} is not there`);
  }
  if (micro.kind !== "clear") return after;
  const made = new Map(result.map((message) => [message.uuid, message]));
  return after.map((message, i) => {
    const own = made.get(message.uuid);
    return message !== messages[i] && own !== undefined && canonicalJson(own) === canonicalJson(message)
      ? own
      : message;
  });
}

export function resultsIn(messages: readonly Message[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const message of messages) {
    if (message.kind !== "user") continue;
    for (const block of message.content) if (block.type === "tool_result") ids.add(block.tool_use_id);
  }
  return ids;
}

/** AC6: no automatic try while the breaker is open, one where it is half-open, and its books are right. */
export function breakerKeepsItsWord(
  outcome: CompactionOutcome | null,
  before: CompactorState,
  after: CompactorState,
  round: number,
  { auto }: CompactionConfig,
): void {
  const was = before.breaker;
  const is = after.breaker;
  const how = (): string => `${outcome?.kind}: ${JSON.stringify(was)} to ${JSON.stringify(is)} in round ${round}`;
  if (breakerAt(was, round, auto.breaker) === "open") promise(outcome === null, "breaker open", how);
  if (auto.breaker.policy.kind === "latched") {
    promise(is.failures <= auto.breaker.maxFailures, "breaker bound", how);
  }
  switch (outcome?.kind) {
    case "failed":
      promise(is.failures === was.failures + 1, "failure counted", how);
      break;
    case "aborted":
      promise(is.failures === was.failures + (auto.breaker.countAborts ? 1 : 0), "abort not counted", how);
      break;
    case "compacted":
      promise(is.failures === 0 || is.failures === was.failures + 1, "success closes the breaker", how);
      break;
    case "nothing-to-do":
    case undefined:
      promise(is.failures === was.failures, "breaker untouched", how);
  }
}

/** FC11, FC12: what a compaction that came to nothing may not have changed. What is done before it, or told by its failure, is left out. */
export function nothingChanged(before: CompactorState, after: CompactorState, reactive: boolean): void {
  const kept = ({ memory: _, triedReactive, ...state }: CompactorState): string =>
    canonicalJson({ ...state, triedReactive: reactive || triedReactive });
  promise(kept(before) === kept(after), "failure changes nothing", () => `${kept(before)} to ${kept(after)}`);
}

/** No crash of ours is hidden in a reason: what a foreign port threw says so. */
export function reasonIsForeign(reason: string): void {
  const ours = reason.startsWith("error:") && !/foreign|broke its contract|notes cannot be read|disk full/.test(reason);
  promise(!ours, "no crash inside", () => reason);
}
