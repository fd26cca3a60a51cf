/** Every figure of the library in one object (units stand in the names; sources and reasons at `defaultConfig`). */
export interface CompactionConfig {
  readonly limits: LimitsConfig;
  readonly micro: MicroConfig;
  readonly auto: AutoConfig;
  readonly full: FullConfig;
  readonly sessionMemory: SessionMemoryConfig;
}

/** AC1-AC4. */
export interface LimitsConfig {
  /** Lowers the model's window, never raises it. Null: the model's own. */
  readonly contextWindowCap: number | null;
  readonly summaryReserveTokens: number;
  readonly autoCompactBufferTokens: number;
  readonly warningBufferTokens: number;
  readonly errorBufferTokens: number;
  readonly blockingBufferTokens: number;
  /** Percent of the effective window, above 0 up to 100; it only makes auto-compact earlier. Null: the buffer decides. */
  readonly autoCompactPercent: number | null;
  /** Takes the place of effective window minus blocking buffer. Null: not set. */
  readonly blockingLimitTokens: number | null;
}

/** MC1-MC3. */
export interface MicroConfig {
  readonly compactableTools: readonly string[];
  /** Text that takes a cleared result's place. */
  readonly marker: string;
  readonly timeBased: { readonly enabled: boolean; readonly gapThresholdMinutes: number; readonly keepRecent: number };
  readonly cached: {
    readonly enabled: boolean;
    readonly triggerThreshold: number;
    readonly keepRecent: number;
    /** `on-response`: pinned when the request has succeeded. `on-send` (the original's) loses the block of a failed request. */
    readonly commit: "on-response" | "on-send";
  };
}

/** AC4-AC8. */
export interface AutoConfig {
  /** False stops all compaction, manual and reactive too (DISABLE_COMPACT). */
  readonly compactEnabled: boolean;
  /** False stops automatic and reactive compaction (DISABLE_AUTO_COMPACT). */
  readonly autoCompactEnabled: boolean;
  /** `reactive-only`: wait for the API's refusal. `collapse`: context collapse (RC7) owns the lines. */
  readonly mode: "proactive" | "reactive-only" | "collapse";
  readonly breaker: {
    readonly maxFailures: number;
    readonly policy: { readonly kind: "latched" } | { readonly kind: "half-open"; readonly afterRounds: number };
    /** The original counts a user's abort as a failure. */
    readonly countAborts: boolean;
  };
  /** Null: results are adopted unmeasured, as in the original (AC8). */
  readonly thrashGuard: {
    readonly compactions: number;
    readonly withinRounds: number;
    /** Percent of the request's tokens; freeing less is no progress. */
    readonly minFreedPercent: number;
  } | null;
}

/** FC and PT. */
export interface FullConfig {
  readonly fork: { readonly enabled: boolean; readonly preparation: "when-needed" | "always" };
  readonly direct: { readonly enabled: boolean; readonly attempts: number };
  readonly maxSummaryTokens: number;
  readonly tooLong: {
    readonly maxRetries: number;
    /** Percent of the groups that fall where the error names no figures. */
    readonly dropPercent: number;
    /** Scale the estimate by what the error says. The original does not. */
    readonly scaleRetry: boolean;
    /** What the rest hangs on stays while rounds can go: earlier summaries, and the newest human message. The original drops them first, for they stand first. */
    readonly keepAnchors: boolean;
  };
  readonly hookTimeoutMs: number;
  readonly keepNewestUserMessage: boolean;
  readonly newestUserMessageMaxTokens: number;
  readonly files: { readonly max: number; readonly tokensEach: number; readonly tokensTotal: number };
  readonly skills: { readonly tokensEach: number; readonly tokensTotal: number };
  /** File names that are memory, not work: never re-attached as read files; their instructions join FC6. */
  readonly memoryFileNames: readonly string[];
}

/** SM. */
export interface SessionMemoryConfig {
  readonly enabled: boolean;
  readonly keep: KeepLimits;
  readonly extraction: {
    readonly firstAtTokens: number;
    readonly everyTokens: number;
    readonly toolCallsBetween: number;
    readonly maxOutputTokens: number;
  };
  readonly waitMs: number;
  readonly staleMs: number;
  readonly sectionTokens: number;
  readonly totalTokens: number;
  /** What a session resumed without `lastSummarizedMessageId` does. `last-message` (the original's) loses what the notes do not cover. */
  readonly resumedWithoutId: "fall-back" | "last-message";
}

/** SM2: how much of the tail session memory keeps verbatim. */
export interface KeepLimits {
  readonly minTokens: number;
  readonly minTextBlockMessages: number;
  readonly maxTokens: number;
}

/** The figures of spec/compaction.md, which are Claude Code's as publicly analysed, except where a comment says otherwise. */
export const defaultConfig: CompactionConfig = {
  limits: {
    contextWindowCap: null,
    summaryReserveTokens: 20_000, // AC1: p99.99 of summaries is 17 387 tokens
    autoCompactBufferTokens: 13_000, // AC2: room for the round that crosses the line
    warningBufferTokens: 20_000, // AC3
    errorBufferTokens: 20_000, // AC3
    blockingBufferTokens: 3_000, // AC3: room for a manual compaction's own prompt
    autoCompactPercent: null,
    blockingLimitTokens: null,
  },
  micro: {
    // MC1: output that can be had again; never an agent's, a skill's or an MCP tool's
    compactableTools: ["Read", "Bash", "Shell", "PowerShell", "Grep", "Glob", "WebSearch", "WebFetch", "Edit", "Write"],
    marker: "[Old tool result content cleared]", // MC2
    timeBased: { enabled: true, gapThresholdMinutes: 60, keepRecent: 5 }, // MC2: the longest lifetime of a server cache is an hour
    cached: { enabled: true, triggerThreshold: 12, keepRecent: 5, commit: "on-response" }, // MC3
  },
  auto: {
    compactEnabled: true,
    autoCompactEnabled: true,
    mode: "proactive",
    breaker: { maxFailures: 3, policy: { kind: "latched" }, countAborts: false }, // AC6: a fleet saw up to 3 272 failures in a row without it
    thrashGuard: { compactions: 3, withinRounds: 10, minFreedPercent: 10 }, // AC8: ours
  },
  full: {
    fork: { enabled: true, preparation: "when-needed" }, // FC2, FC3: every changed byte ends the shared prefix
    direct: { enabled: true, attempts: 2 }, // FC3
    maxSummaryTokens: 20_000, // FC3: the same reserve as AC1
    tooLong: { maxRetries: 3, dropPercent: 20, scaleRetry: true, keepAnchors: true }, // PT1, PT2
    hookTimeoutMs: 60_000, // FC1
    keepNewestUserMessage: true, // FC9: ours
    newestUserMessageMaxTokens: 20_000, // FC9
    files: { max: 5, tokensEach: 5_000, tokensTotal: 50_000 }, // FC10
    skills: { tokensEach: 5_000, tokensTotal: 25_000 }, // FC10
    memoryFileNames: ["CLAUDE.md", "CLAUDE.local.md", "AGENTS.md"], // FC6, FC10
  },
  sessionMemory: {
    enabled: true,
    keep: { minTokens: 10_000, minTextBlockMessages: 5, maxTokens: 40_000 }, // SM2
    extraction: { firstAtTokens: 10_000, everyTokens: 5_000, toolCallsBetween: 3, maxOutputTokens: 16_000 }, // SM1; output: 12 000 of notes and room to think
    waitMs: 15_000, // SM5
    staleMs: 60_000, // SM5
    sectionTokens: 2_000, // SM1
    totalTokens: 12_000, // SM1
    resumedWithoutId: "fall-back", // SM5
  },
};
