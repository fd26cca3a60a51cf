import type { Estimator, ModelInfo } from "../../tokens/index.ts";
import type { Message, QuerySource } from "../../transcript/index.ts";
import type { MicroConfig } from "../config.ts";
import type { CachedEdits, CacheEditPin } from "./cached-edits.ts";
import { clearResults } from "./clear-results.ts";
import type { Clearing } from "./time-clearing.ts";
import { idsForTimeClearing, planClearing } from "./time-clearing.ts";

/** What layer 1 does to the next request (MC5): `time` changes local messages, `cached` names results for the server to forget. */
export type MicroPlan =
  | { readonly kind: "none" }
  | {
      readonly kind: "clear";
      /** `cached`: a request that cannot carry the pinned edits has their results cleared here instead. */
      readonly path: "time" | "cached";
      readonly clearing: Clearing;
      readonly marker: string;
    }
  | { readonly kind: "cache-edit"; readonly pin: CacheEditPin; readonly isNew: boolean; readonly tokensFreed: number };

export interface MicroInput {
  readonly messages: readonly Message[];
  readonly nowMs: number;
  readonly source: QuerySource;
  readonly model: Pick<ModelInfo, "id" | "cacheEditing">;
  /** The model whose cache the pinned edits belong to, null before the first request. */
  readonly cachedModelId: string | null;
}

/**
 * Decides layer 1 for the next request. Changes `edits` only, and only for the main thread (MC4). Never calls the API (MC5).
 * Order: edits that cannot travel become clearings; then an expired cache; then the cached path.
 */
export function planMicrocompact(
  input: MicroInput,
  edits: CachedEdits,
  config: MicroConfig,
  estimator: Estimator,
): MicroPlan {
  const { messages, nowMs, source, model, cachedModelId } = input;
  if (source !== "main") return { kind: "none" };
  const canEdit = config.cached.enabled && model.cacheEditing;
  const canCarry = canEdit && (cachedModelId === null || cachedModelId === model.id);
  const timeIds = idsForTimeClearing(messages, nowMs, config);
  if (timeIds !== null || !canCarry) {
    const ids = new Set([...(timeIds ?? []), ...namedIds(edits)]);
    const clearing = ids.size === 0 ? null : planClearing(messages, ids, config.marker, estimator);
    if (clearing !== null || timeIds === null) edits.reset();
    if (clearing !== null)
      return { kind: "clear", path: timeIds === null ? "cached" : "time", clearing, marker: config.marker };
  }
  if (!canEdit) return { kind: "none" };
  const waiting = edits.pending();
  const pin = edits.prepare(messages);
  if (pin === null) return { kind: "none" };
  const tokensFreed = planClearing(messages, new Set(pin.toolUseIds), config.marker, estimator)?.tokensFreed ?? 0;
  return { kind: "cache-edit", pin, isNew: pin !== waiting, tokensFreed };
}

/** Ids that the pinned blocks name: a request that cannot carry the blocks must not bring these results back. */
function namedIds(edits: CachedEdits): readonly string[] {
  const pending = edits.pending();
  return [...edits.pinned(), ...(pending === null ? [] : [pending])].flatMap(({ toolUseIds }) => toolUseIds);
}

/** The messages after layer 1. The same array unless results were cleared. */
export function applyMicroPlan(messages: readonly Message[], plan: MicroPlan): readonly Message[] {
  return plan.kind === "clear" ? clearResults(messages, new Set(plan.clearing.toolUseIds), plan.marker) : messages;
}
