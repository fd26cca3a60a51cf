/** What the project knows of one model. Dollars are per million tokens. Source: `models.json` beside this file. */
export interface ModelInfo {
  readonly id: string;
  /** Tokens. */
  readonly contextWindow: number;
  readonly maxOutput: number;
  readonly dollarsPerMTok: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly cacheWrite5m: number;
    readonly cacheWrite1h: number;
  };
  /** Shortest prefix that the server caches, in tokens; null where none is published (nothing shorter than 1024 is then assumed). */
  readonly minCacheableTokens: number | null;
  readonly thinking: readonly ("adaptive" | "enabled" | "disabled" | "between_tools")[];
  /** Thinking is bound to its past (M7). */
  readonly prefixBound: boolean;
  readonly forcedToolChoice: boolean;
  readonly tokenizer: "old" | "new";
  readonly prefill: boolean;
  readonly cacheEditing: boolean;
  /** The whole request costs `times` as much when its input is above `aboveTokens`. */
  readonly longContext: { readonly aboveTokens: number; readonly times: number } | null;
}
