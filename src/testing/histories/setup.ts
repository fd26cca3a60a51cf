import type { CompactionConfig } from "../../compaction/index.ts";
import { resolveConfig } from "../../compaction/index.ts";
import type { Rng } from "../../determinism/index.ts";
import type { ModelInfo } from "../../tokens/index.ts";
import { aModel } from "../drive-agent.ts";

/** What holds for one whole history: small windows, so that compactions come every few rounds. */
export interface HistorySetup {
  readonly config: CompactionConfig;
  readonly models: readonly ModelInfo[];
  /** Tokens of the server for each of the rough estimate's: it cannot know them. */
  readonly serverRate: number;
  readonly overheadTokens: number;
  /** What was compacted stays in the array, before its boundary. */
  readonly keepsLog: boolean;
  readonly ports: {
    readonly files: boolean;
    readonly announce: boolean;
    readonly notes: boolean;
    readonly hooks: boolean;
    /** Counts exactly, where it can tell. */
    readonly count: boolean;
  };
  /** How often, in percent, a model call, hook or file fails, hangs or lies. */
  readonly troublePercent: number;
}

export function drawSetup(rng: Rng): HistorySetup {
  const base = aModel("claude-opus-4-6");
  const small = { ...base, contextWindow: rng.integer(9_000, 14_000), maxOutput: 2_000 };
  const models = [
    { ...small, cacheEditing: rng.chance(0.7) },
    { ...small, id: "other", contextWindow: rng.integer(8_000, 20_000), cacheEditing: rng.chance(0.5) },
    { ...small, id: "bound", prefixBound: true },
  ];
  return {
    config: drawConfig(rng),
    models,
    serverRate: rng.pick([0.5, 0.8, 1, 1, 1.3, 2]),
    overheadTokens: rng.chance(0.03) ? 20_000 : rng.integer(100, 1_500),
    keepsLog: rng.chance(0.3),
    ports: {
      files: rng.chance(0.5),
      announce: rng.chance(0.4),
      notes: rng.chance(0.4),
      hooks: rng.chance(0.4),
      count: rng.chance(0.2),
    },
    troublePercent: rng.pick([0, 10, 30, 60]),
  };
}

function drawConfig(rng: Rng): CompactionConfig {
  const original = rng.chance(0.15);
  return resolveConfig({
    limits: {
      summaryReserveTokens: 1_000,
      autoCompactBufferTokens: 600,
      warningBufferTokens: 800,
      errorBufferTokens: 800,
      blockingBufferTokens: 200,
    },
    micro: {
      timeBased: { enabled: rng.chance(0.9), keepRecent: rng.integer(1, 3) },
      cached: {
        enabled: rng.chance(0.7),
        triggerThreshold: rng.integer(2, 6),
        keepRecent: rng.integer(1, 3),
        commit: rng.chance(0.9) ? "on-response" : "on-send",
      },
    },
    auto: {
      mode: rng.chance(0.9) ? "proactive" : "reactive-only",
      autoCompactEnabled: rng.chance(0.97),
      breaker: {
        maxFailures: rng.integer(1, 3),
        policy: rng.chance(0.5) ? { kind: "latched" } : { kind: "half-open", afterRounds: rng.integer(1, 6) },
        countAborts: rng.chance(0.2),
      },
      ...(original ? { thrashGuard: null } : {}),
    },
    full: {
      fork: { enabled: rng.chance(0.9), preparation: rng.chance(0.8) ? "when-needed" : "always" },
      direct: { enabled: rng.chance(0.9), attempts: rng.integer(1, 2) },
      maxSummaryTokens: 1_000,
      tooLong: { scaleRetry: !original, keepAnchors: !original },
      newestUserMessageMaxTokens: 800,
      keepNewestUserMessage: !original,
      files: { max: 3, tokensEach: 300, tokensTotal: 700 },
      skills: { tokensEach: 200, tokensTotal: 300 },
    },
    sessionMemory: {
      enabled: rng.chance(0.7),
      keep: { minTokens: rng.integer(200, 1_500), minTextBlockMessages: rng.integer(1, 4), maxTokens: 3_000 },
      extraction: {
        firstAtTokens: 2_000,
        everyTokens: rng.integer(500, 2_000),
        toolCallsBetween: 2,
        maxOutputTokens: 1_000,
      },
      sectionTokens: 300,
      totalTokens: 900,
      resumedWithoutId: original ? "last-message" : "fall-back",
    },
  }).config;
}
