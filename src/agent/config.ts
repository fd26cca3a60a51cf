/** Figures of the loop (units stand in the names). */
export interface LoopConfig {
  /** max_tokens of a main request at first, and after step 3 (RC3). */
  readonly outputCapTokens: number;
  readonly raisedOutputCapTokens: number;
  /** Step 4: how often an answer that was cut is continued before the turn fails (RC3). */
  readonly maxContinuations: number;
  /** Requests for one human message; the last line against a loop (RC6). */
  readonly maxIterations: number;
  /** How often a strategy is asked to make a refused request smaller before the refusal is surfaced (RC2). */
  readonly maxRejections: number;
  /** Overloads in a row after which the fallback model takes over (RC4). */
  readonly overloadsBeforeFallback: number;
  /** A longer tool output is cut in the middle when it arrives (RC1). */
  readonly toolOutputCapChars: number;
  readonly toolTimeoutMs: number;
  readonly retry: RetryConfig;
}

/** RC5. */
export interface RetryConfig {
  /** Retries after the first try, by who asks: a background source gives way when the server is busy. */
  readonly maxRetries: { readonly foreground: number; readonly background: number };
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
  /** Share of a delay that is left to chance, from 0 to 1. */
  readonly jitter: number;
  /** A longer wait than this, asked for by the server, is not waited for: the failure is surfaced. */
  readonly maxRetryAfterMs: number;
}

export const defaultLoopConfig: LoopConfig = {
  outputCapTokens: 8_000, // RC3: most answers are shorter, and the server reserves what is asked for
  raisedOutputCapTokens: 64_000, // RC3
  maxContinuations: 3, // RC3
  maxIterations: 1_000, // RC6: above the longest autonomous turn of the profiles
  maxRejections: 2, // RC2: drain, then compact
  overloadsBeforeFallback: 3, // RC4
  toolOutputCapChars: 400_000, // RC1
  toolTimeoutMs: 1_800_000, // half an hour: longer than any build that a person would wait for
  retry: {
    maxRetries: { foreground: 10, background: 2 }, // as the original's client
    firstDelayMs: 500, // as the SDK
    maxDelayMs: 32_000, // long enough for a burst of overloads, short enough to notice its end
    jitter: 0.25, // as the SDK
    maxRetryAfterMs: 600_000, // a person would rather hear of a longer one
  },
};
