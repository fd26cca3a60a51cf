import { roughTokenSum } from "../../tokens/index.ts";
import type { Message } from "../../transcript/index.ts";
import { groupByApiRound, lastBoundaryIndex, newestHumanMessage } from "../../transcript/index.ts";

/** A run of old messages that a summary may stand for: whole rounds, one after another. */
export interface CollapseSpan {
  readonly messages: readonly Message[];
  /** Estimate, not padded. */
  readonly tokens: number;
}

/** Rounds at the end that are never collapsed: the work in hand. */
const KEPT_ROUNDS = 3;
/** A span below this is not worth a call, in tokens: its summary would be as long. */
const LEAST_TOKENS = 2_000;

/**
 * The oldest run of whole rounds that holds nothing staged, not the newest human message, and no summary unless `summariesToo`: `wantedTokens` of it,
 * or as much as there is; null where no run is worth a call.
 */
export function oldestSpan(
  messages: readonly Message[],
  staged: ReadonlySet<string>,
  wantedTokens: number,
  summariesToo: boolean,
): CollapseSpan | null {
  const human = newestHumanMessage(messages);
  const stays = (message: Message): boolean =>
    message === human ||
    staged.has(message.uuid) ||
    (!summariesToo && message.kind === "user" && message.isCompactSummary === true);
  let run: Message[] = [];
  let tokens = 0;
  for (const round of groupByApiRound(messages.slice(lastBoundaryIndex(messages) + 1)).slice(0, -KEPT_ROUNDS)) {
    // A message that stays ends a run; what the person said is a border inside a round, for nothing pairs with it.
    const stop = round.findIndex(stays);
    const free = stop < 0 ? round : round.slice(0, stop);
    if (!splitsRound(round, free)) {
      run.push(...free);
      tokens += roughTokenSum(free);
    }
    if (tokens >= wantedTokens) break;
    if (stop < 0) continue;
    if (tokens >= LEAST_TOKENS) break;
    run = [];
    tokens = 0;
  }
  return tokens < LEAST_TOKENS ? null : { messages: run, tokens };
}

/** Whether the part leaves results of its own calls behind. */
function splitsRound(round: readonly Message[], part: readonly Message[]): boolean {
  return round
    .slice(part.length)
    .some(
      (message) =>
        message.kind === "assistant" ||
        (message.kind === "user" && message.content.some((block) => block.type === "tool_result")),
    );
}
