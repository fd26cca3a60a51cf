import type { ApiError } from "../api-error.ts";
import { invalid } from "../api-error.ts";
import type { BlockFacts } from "../facts/block-facts.ts";
import type { MessageFacts } from "../facts/message-facts.ts";
import type { RequestFacts } from "../facts/request-facts.ts";
import { serverCalls, serverResults } from "../form/block-shapes.ts";
import type { Rule } from "./rule.ts";
import { isForced } from "./sampling.ts";
import type { Turn } from "./turns.ts";
import { eachBlock, openTurns, total } from "./turns.ts";

/** V4: each tool call and its result are neighbours, once; forced tool choice only where the model knows it. */
export const checkPairing: Rule = (facts) => {
  const { body, model, messages, knownIds } = facts;
  if (isForced(body.tool_choice?.type) && !model.forcedToolChoice)
    return invalid('tool_choice: type "tool" and "any" are not supported for this model.');
  const turns = openTurns(facts);
  const seen: SeenIds = { known: knownIds, before: turns[0]?.first ?? 0, messages, fresh: new Map() };
  for (const [index, turn] of turns.entries()) {
    const isOld = index === 0 && turn.first > 0; // accepted before: only its calls may have lost their results
    const problem =
      (turn.role === "assistant" ? checkCalls(turn, turns[index + 1], messages, seen) : undefined) ??
      (!isOld && total(turn, messages, "toolResults") > 0
        ? checkResults(turn, turns[index - 1], messages)
        : undefined) ??
      (turn.role === "user" ? checkUserBlocks(turn, messages) : checkServerTools(turn, messages));
    if (problem !== undefined) return problem;
  }
  for (const [id, index] of seen.fresh) knownIds.set(id, { index, message: messages[index] as MessageFacts });
  return undefined;
};

/** Tool ids met so far: in the accepted beginning, before message `before`, and in what is looked at now. */
interface SeenIds {
  readonly known: RequestFacts["knownIds"];
  readonly before: number;
  readonly messages: readonly MessageFacts[];
  readonly fresh: Map<string, number>;
}

function isSeen({ known, before, messages, fresh }: SeenIds, id: string): boolean {
  if (fresh.has(id)) return true;
  const place = known.get(id);
  return place !== undefined && place.index < before && messages[place.index] === place.message;
}

function checkCalls(
  turn: Turn,
  next: Turn | undefined,
  messages: readonly MessageFacts[],
  seen: SeenIds,
): ApiError | undefined {
  if (total(turn, messages, "toolUses") === 0) return undefined;
  const answered = leadingResults(next, messages);
  const missing: string[] = [];
  let where = -1;
  const repeated = eachBlock(turn, messages, (block, m, i) => {
    if (block.type !== "tool_use") return undefined;
    const id = block.wire.id as string;
    if (isSeen(seen, id)) return invalid(`messages.${m}.content.${i}: \`tool_use\` ids must be unique`);
    seen.fresh.set(id, m);
    if (!answered.has(id)) {
      if (where < 0) where = m;
      missing.push(id);
    }
    return undefined;
  });
  if (repeated !== undefined || missing.length === 0) return repeated;
  return invalid(
    `messages.${where}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  );
}

/** Ids answered by the results with which a user turn begins. */
function leadingResults(turn: Turn | undefined, messages: readonly MessageFacts[]): ReadonlySet<string> {
  const ids = new Set<string>();
  if (turn === undefined || turn.role !== "user") return ids;
  eachBlock(turn, messages, (block) => {
    if (block.type === "tool_result") ids.add(block.wire.tool_use_id as string);
    // What edits the cache is no content.
    return block.type === "tool_result" || block.type === "cache_edits" ? undefined : "end";
  });
  return ids;
}

function checkResults(turn: Turn, before: Turn | undefined, messages: readonly MessageFacts[]): ApiError | undefined {
  const called = new Set<string>();
  if (before !== undefined && before.role === "assistant")
    eachBlock(before, messages, (block) => {
      if (block.type === "tool_use") called.add(block.wire.id as string);
      return undefined;
    });
  const answered = new Set<string>();
  return eachBlock(turn, messages, (block, m, i) => {
    if (block.type !== "tool_result") return undefined;
    const id = block.wire.tool_use_id as string;
    const at = `messages.${m}.content.${i}`;
    if (turn.role !== "user") return invalid(`${at}: \`tool_result\` blocks can only be in \`user\` messages`);
    if (!called.has(id))
      return invalid(
        `${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      );
    if (answered.has(id))
      return invalid(
        `${at}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
      );
    answered.add(id);
    return undefined;
  });
}

const onlyAssistants: readonly string[] = [
  "tool_use",
  "thinking",
  "redacted_thinking",
  "compaction",
  ...serverCalls,
  ...serverResults,
];

function checkUserBlocks(turn: Turn, messages: readonly MessageFacts[]): ApiError | undefined {
  return eachBlock(turn, messages, (block, m, i) =>
    block.type !== "text" &&
    block.type !== "tool_result" &&
    onlyAssistants.includes(block.type) &&
    !isAdoptedSummary(block)
      ? invalid(`messages.${m}.content.${i}: \`${block.type}\` blocks can only be in \`assistant\` messages`)
      : undefined,
  );
}

/** A signed compaction block: where it may stand is checked with its signature (K4). */
function isAdoptedSummary(block: BlockFacts): boolean {
  return block.type === "compaction" && typeof block.wire.signature === "string";
}

function checkServerTools(turn: Turn, messages: readonly MessageFacts[]): ApiError | undefined {
  if (turn.role !== "assistant") return undefined;
  const open = new Map<string, string>();
  const stray = eachBlock(turn, messages, (block, m, i) => {
    const at = `messages.${m}.content.${i}`;
    if (serverCalls.includes(block.type)) open.set(block.wire.id as string, at);
    else if (serverResults.includes(block.type) || block.type === "mcp_tool_result") {
      const id = block.wire.tool_use_id as string;
      if (!open.delete(id))
        return invalid(
          `${at}: unexpected \`tool_use_id\` found in \`${block.type}\` blocks: ${id}. Each must have its \`server_tool_use\` block before it in the same message.`,
        );
    }
    return undefined;
  });
  const left = [...open][0];
  // The last message may stop in the middle of a server tool's work.
  if (stray !== undefined || left === undefined || turn.first + turn.count === messages.length) return stray;
  return invalid(`${left[1]}: \`server_tool_use\` block ${left[0]} has no result block in the same message`);
}
