import type { WireThinking } from "../../transcript/index.ts";
import type { ApiError } from "../api-error.ts";
import { invalid } from "../api-error.ts";
import { nameOf } from "../count/true-text.ts";
import type { BlockFacts } from "../facts/block-facts.ts";
import type { MessageFacts } from "../facts/message-facts.ts";
import { isThinking } from "../facts/message-facts.ts";
import type { RequestFacts } from "../facts/request-facts.ts";
import type { EmittedThinking, ThinkingRegistry } from "../thinking-registry.ts";
import { isThinkingOn } from "./thinking-config.ts";
import type { Turn } from "./turns.ts";
import { eachBlock, openTurns, total } from "./turns.ts";

/** What V5 found: a refusal, or the blocks that the model will not see and the state after the last message. */
export type ThinkingVerdict =
  | { readonly kind: "refused"; readonly error: ApiError }
  | { readonly kind: "passed"; readonly dropped: readonly DroppedThinking[]; readonly past: ThinkingPast };

export interface DroppedThinking {
  readonly block: BlockFacts;
  /** Where it stood: `messages.I.content.J`. */
  readonly path: string;
  readonly reason: "model_binding_mismatch" | "prefix_binding_mismatch";
}

/** What a thinking block made now is bound to. */
export interface ThinkingPast {
  readonly prefix: number;
  readonly held: number;
  readonly lastHeld: string | null;
}

/** V5, the blocks: signed by this server, unchanged, and, on models that bind thinking to its past, in the past in which they were made. */
export function checkThinkingBlocks(facts: RequestFacts, registry: ThinkingRegistry): ThinkingVerdict {
  const { messages, body } = facts;
  const turns = openTurns(facts);
  const latest = turns.findLastIndex((turn) => turn.role === "assistant");
  const early = checkLatestForm(turns, latest, facts);
  if (early !== undefined) return { kind: "refused", error: early };
  const dropped: DroppedThinking[] = [];
  const before = facts.links[(turns[0]?.first ?? 0) - 1] ?? facts.root;
  const standing: Standing = { count: before.thinkings, last: before.lastThinking };
  for (const [index, turn] of turns.entries()) {
    if (total(turn, messages, "thinkings") > 0) {
      const prefix = nameOf((facts.links[turn.first - 1] ?? facts.root).bound);
      const problem = eachBlock(turn, messages, (block, m, i): ApiError | undefined => {
        if (!isThinking(block.wire)) return undefined;
        const path = `messages.${m}.content.${i}`;
        const found = judge(block, path, index === latest, prefix, standing, facts, registry);
        if (found === undefined) return undefined;
        if (found.kind === "dropped") {
          dropped.push(found.dropped);
          return undefined;
        }
        return found.error;
      });
      const lost = problem ?? (index === latest ? partlyLost(turn, messages, body.model, registry) : undefined);
      if (lost !== undefined) return { kind: "refused", error: lost };
    }
  }
  const past = { prefix: nameOf(facts.last.bound), held: standing.count, lastHeld: standing.last };
  return { kind: "passed", dropped, past };
}

/** The thinking that stands before the place that is looked at. */
interface Standing {
  count: number;
  last: string | null;
}

type Judgement =
  | { readonly kind: "refused"; readonly error: ApiError }
  | { readonly kind: "dropped"; readonly dropped: DroppedThinking };

function judge(
  block: BlockFacts,
  path: string,
  isLatest: boolean,
  prefix: number,
  standing: Standing,
  { body, model }: RequestFacts,
  registry: ThinkingRegistry,
): Judgement | undefined {
  const refused = (text: string): Judgement => ({ kind: "refused", error: invalid(`${path}: ${text}`) });
  const emitted = registry.find(signatureOf(block));
  if (emitted === undefined) return refused(`Invalid \`signature\` in \`${block.type}\` block`);
  if (emitted.text !== textOf(block))
    return refused(isLatest ? unmodifiable : `Invalid \`signature\` in \`${block.type}\` block`);
  if (emitted.model !== body.model)
    return { kind: "dropped", dropped: { block, path, reason: "model_binding_mismatch" } };
  if (model.prefixBound && !standsInItsPast(emitted, prefix, standing)) {
    if (dropsMismatches(body.thinking))
      return { kind: "dropped", dropped: { block, path, reason: "prefix_binding_mismatch" } };
    return refused(
      `Invalid \`signature\` in \`${block.type}\` block. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block".`,
    );
  }
  standing.count++;
  standing.last = emitted.signature;
  return undefined;
}

/** The thinking before it must be a suffix of what its request held: by induction, the same last block and no more of them. */
function standsInItsPast(emitted: EmittedThinking, prefix: number, { count, last }: Standing): boolean {
  if (emitted.prefix !== prefix) return false;
  return count === 0 || (last === emitted.lastHeld && count <= emitted.held);
}

const unmodifiable =
  "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.";

/** The latest message may lose all its thinking, not a part of it. */
function partlyLost(
  turn: Turn,
  messages: readonly MessageFacts[],
  model: string,
  registry: ThinkingRegistry,
): ApiError | undefined {
  const standing = new Map<string, { count: number; path: string }>();
  eachBlock(turn, messages, (block, m, i) => {
    const emitted = isThinking(block.wire) ? registry.find(signatureOf(block)) : undefined;
    if (emitted === undefined || emitted.model !== model) return undefined;
    const entry = standing.get(emitted.response) ?? { count: 0, path: `messages.${m}.content.${i}` };
    entry.count++;
    standing.set(emitted.response, entry);
    return undefined;
  });
  for (const [response, { count, path }] of standing)
    if (count < registry.countOf(response)) return invalid(`${path}: ${unmodifiable}`);
  return undefined;
}

/** What the latest assistant message must begin with, or must not hold, whatever is in it. */
function checkLatestForm(
  turns: readonly Turn[],
  latest: number,
  { messages, body, model }: RequestFacts,
): ApiError | undefined {
  const turn = turns[latest];
  if (turn === undefined) return undefined;
  const isFinal = latest === turns.length - 1;
  if (isFinal && !isThinkingOn(body.thinking, model) && total(turn, messages, "thinkings") > 0) {
    const at = eachBlock(turn, messages, (block, m, i) =>
      isThinking(block.wire) ? `messages.${m}.content.${i}` : undefined,
    );
    return invalid(
      `${at}: When thinking is disabled, an \`assistant\` message in the final position cannot contain \`thinking\`. To use thinking blocks, enable \`thinking\` in your request.`,
    );
  }
  if (body.thinking?.type !== "enabled" || isFinal) return undefined;
  const after = turns.slice(latest + 1).find((next) => next.role === "user");
  const inLoop =
    total(turn, messages, "toolUses") > 0 && after !== undefined && total(after, messages, "toolResults") > 0;
  const first = eachBlock(turn, messages, (block) => block);
  if (!inLoop || first === undefined || isThinking(first.wire)) return undefined;
  return invalid(
    `messages.${turn.first}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first.type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable \`thinking\`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking`,
  );
}

function dropsMismatches(thinking: WireThinking | null | undefined): boolean {
  const binding = (
    thinking as { readonly block_binding?: { readonly prefix_mismatch_behavior?: string } | null } | null | undefined
  )?.block_binding;
  return binding?.prefix_mismatch_behavior === "drop_block";
}

function signatureOf(block: BlockFacts): string {
  return (block.type === "thinking" ? block.wire.signature : block.wire.data) as string;
}

function textOf(block: BlockFacts): string {
  return block.type === "thinking" ? (block.wire.thinking as string) : "";
}
