import type { ModelInfo } from "../tokens/index.ts";
import type { QuerySource } from "../transcript/index.ts";
import type { CompactionConfig } from "./config.ts";

/** The part of a model that the lines are drawn from. */
export type WindowLimits = Pick<ModelInfo, "contextWindow" | "maxOutput">;

/** The window that counts, in tokens: the model's, or the cap where that is lower (AC4). */
export function usedWindow(model: WindowLimits, config: CompactionConfig): number {
  const { contextWindowCap } = config.limits;
  return contextWindowCap === null ? model.contextWindow : Math.min(model.contextWindow, contextWindowCap);
}

/** Tokens that a conversation may fill while room for a summary remains (AC1). */
export function effectiveWindow(model: WindowLimits, config: CompactionConfig): number {
  return usedWindow(model, config) - Math.min(model.maxOutput, config.limits.summaryReserveTokens);
}

/** At or above this many tokens auto-compact runs (AC2). A percentage only makes it earlier (AC4). */
export function autoCompactThreshold(model: WindowLimits, config: CompactionConfig): number {
  const window = effectiveWindow(model, config);
  const { autoCompactBufferTokens, autoCompactPercent } = config.limits;
  const usual = window - autoCompactBufferTokens;
  return autoCompactPercent === null ? usual : Math.min(Math.floor((window * autoCompactPercent) / 100), usual);
}

/** At or above this many tokens no request is sent (AC3). */
export function blockingLimit(model: WindowLimits, config: CompactionConfig): number {
  return config.limits.blockingLimitTokens ?? effectiveWindow(model, config) - config.limits.blockingBufferTokens;
}

/** True where compaction may start by itself (AC4). */
export function isAutoCompactEnabled(config: CompactionConfig): boolean {
  return config.auto.compactEnabled && config.auto.autoCompactEnabled;
}

export interface TokenWarningState {
  /** Whole percent, never below 0, of what remains until auto-compact, or until the window's end where that is off. */
  readonly percentLeft: number;
  readonly isAboveWarning: boolean;
  readonly isAboveError: boolean;
  readonly isAboveAutoCompact: boolean;
  readonly isAtBlockingLimit: boolean;
}

/**
 * Where a context of `count` tokens stands between the lines (AC3).
 * `justCompacted`: no exact count has come since the last compaction, so warning and error stay silent.
 */
export function tokenWarningState(
  count: number,
  model: WindowLimits,
  config: CompactionConfig,
  justCompacted = false,
): TokenWarningState {
  const auto = isAutoCompactEnabled(config);
  const threshold = autoCompactThreshold(model, config);
  const top = auto ? threshold : effectiveWindow(model, config);
  return {
    percentLeft: top <= 0 ? 0 : Math.max(0, Math.round(((top - count) / top) * 100)),
    isAboveWarning: !justCompacted && count >= top - config.limits.warningBufferTokens,
    isAboveError: !justCompacted && count >= top - config.limits.errorBufferTokens,
    isAboveAutoCompact: auto && count >= threshold,
    isAtBlockingLimit: count >= blockingLimit(model, config),
  };
}

/** Whether the request must not be sent (AC3). It never concerns a manual compaction, which asks nobody. */
export function mustBlock(
  count: number,
  model: WindowLimits,
  config: CompactionConfig,
  source: QuerySource,
  justCompacted: boolean,
): boolean {
  if (source === "compact" || source === "session_memory") return false;
  if (config.auto.mode !== "proactive" || justCompacted) return false;
  return count >= blockingLimit(model, config);
}
