import type { ModelInfo } from "../../tokens/index.ts";
import type { ApiError } from "../api-error.ts";
import type { Deletions } from "../cache/cache-edits.ts";
import { readCacheEdits } from "../cache/cache-edits.ts";
import type { Weightless } from "../cache/losses.ts";
import { checkEdits } from "../context-management/config.ts";
import type { CompactionRegistry } from "../context-management/on-demand.ts";
import {
  checkCompactionBlocks,
  checkCompactionRequest,
  isCompactionOnDemand,
} from "../context-management/on-demand.ts";
import type { RequestFacts } from "../facts/request-facts.ts";
import type { ThinkingRegistry } from "../thinking-registry.ts";
import { checkBreakpoints } from "./breakpoints.ts";
import { checkContent } from "./content.ts";
import { checkMedia } from "./media.ts";
import { checkPairing } from "./pairing.ts";
import { checkRoles } from "./roles.ts";
import type { Rule, RuleContext } from "./rule.ts";
import { checkSampling } from "./sampling.ts";
import type { DroppedThinking, ThinkingPast } from "./thinking-blocks.ts";
import { checkThinkingBlocks } from "./thinking-blocks.ts";
import { checkThinkingConfig } from "./thinking-config.ts";

/** A request that only its size can still refuse. */
export interface Admitted {
  readonly kind: "admitted";
  readonly past: ThinkingPast;
  readonly dropped: readonly DroppedThinking[];
  /** What the model does not see, and so nobody pays. */
  readonly lost: Weightless;
  readonly deletedTokens: number;
}

export interface Registries {
  readonly thinking: ThinkingRegistry;
  readonly compactions: CompactionRegistry;
}

const before: readonly Rule[] = [checkSampling, checkRoles, checkContent, checkPairing];
const after: readonly Rule[] = [checkBreakpoints, checkMedia];

/** V1 to V7 in order, after the form: the first failure wins. */
export function admit(facts: RequestFacts, context: RuleContext, registries: Registries): ApiError | Admitted {
  const early =
    checkCompactionRequest(facts) ??
    firstFailure(
      isCompactionOnDemand(facts.body) ? before.filter((rule) => rule !== checkContent) : before,
      facts,
      context,
    ) ??
    checkThinkingConfig(facts);
  if (early !== undefined) return early;
  const thinking = checkThinkingBlocks(facts, registries.thinking);
  if (thinking.kind === "refused") return thinking.error;
  const late =
    checkCompactionBlocks(facts, registries.compactions) ??
    checkEdits(facts.body, context.betas) ??
    firstFailure(after, facts, context);
  if (late !== undefined) return late;
  const deleted = readCacheEdits(facts);
  if ("status" in deleted) return deleted;
  return {
    kind: "admitted",
    past: thinking.past,
    dropped: thinking.dropped,
    ...weightless(facts, deleted, thinking.dropped),
  };
}

function firstFailure(rules: readonly Rule[], facts: RequestFacts, context: RuleContext): ApiError | undefined {
  for (const rule of rules) {
    const failure = rule(facts, context);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

function weightless(
  facts: RequestFacts,
  deleted: Deletions,
  dropped: readonly DroppedThinking[],
): Pick<Admitted, "lost" | "deletedTokens"> {
  const deletedTokens = deleted.tokens;
  if (dropped.length === 0) return { lost: deleted.results, deletedTokens };
  const lost = new Map(deleted.results);
  for (const { block } of dropped) lost.set(block, block.tokens[facts.tokenizer]);
  return { lost, deletedTokens };
}

/** The window that the server enforces. */
export function windowOf(model: ModelInfo, override: number | "unlimited" | undefined): number {
  if (override === "unlimited") return Number.POSITIVE_INFINITY;
  return Math.min(model.contextWindow, override ?? model.contextWindow);
}
