import type { Usage } from "../transcript/index.ts";
import type { ModelInfo } from "./model-info.ts";

/** What one response cost, in dollars, whole and by kind of token. */
export interface Cost {
  readonly dollars: number;
  readonly byKind: {
    readonly uncached: number;
    readonly cacheWrite: number;
    readonly cacheRead: number;
    readonly output: number;
  };
}

/** Inference kept in one country costs this much more. Source: models.json, notes. */
const usTimes = 1.1;

/**
 * The price of one response (K5): every kind of token at its own rate, the whole times more where the model charges for long contexts.
 * Cache writes that the usage does not split are taken as 5-minute ones. Figures that are missing or not finite count as 0.
 */
export function costOf(usage: Usage, model: ModelInfo, options: { readonly inferenceGeo?: "us" } = {}): Cost {
  const uncached = figure(usage.input_tokens);
  const read = figure(usage.cache_read_input_tokens);
  const written = writes(usage);
  const { longContext, dollarsPerMTok: price } = model;
  const isLong = longContext !== null && uncached + read + written.short + written.long > longContext.aboveTokens;
  const times = ((isLong ? longContext.times : 1) * (options.inferenceGeo === "us" ? usTimes : 1)) / 1e6;
  const byKind = {
    uncached: uncached * price.input * times,
    cacheWrite: (written.short * price.cacheWrite5m + written.long * price.cacheWrite1h) * times,
    cacheRead: read * price.cacheRead * times,
    output: figure(usage.output_tokens) * price.output * times,
  };
  return { dollars: byKind.uncached + byKind.cacheWrite + byKind.cacheRead + byKind.output, byKind };
}

/** Tokens written for 5 minutes (`short`) and for an hour (`long`); what the split leaves out is short. */
function writes(usage: Usage): { readonly short: number; readonly long: number } {
  const total = figure(usage.cache_creation_input_tokens);
  const short = figure(usage.cache_creation?.ephemeral_5m_input_tokens);
  const long = figure(usage.cache_creation?.ephemeral_1h_input_tokens);
  return { short: Math.max(short, total - long), long };
}

function figure(value: number | null | undefined): number {
  return Number.isFinite(value) ? (value as number) : 0;
}
