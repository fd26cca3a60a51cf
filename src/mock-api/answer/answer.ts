/** One block of an answer, with its identity and its price in output tokens. */
export type OutBlock =
  | { readonly kind: "thinking"; readonly thinking: string; readonly signature: string; readonly tokens: number }
  | { readonly kind: "text"; readonly text: string; readonly tokens: number }
  | {
      readonly kind: "tool_use";
      readonly id: string;
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>>;
      /** What is streamed: the whole JSON text, or its beginning where the answer was cut. */
      readonly json: string;
      readonly tokens: number;
    }
  | {
      readonly kind: "compaction";
      readonly content: string | null;
      readonly signature: string | null;
      /** On demand the block comes whole in its start event, at a threshold as one delta (S1). */
      readonly whole: boolean;
      readonly tokens: number;
    };

/** An answer as it will be sent. */
export interface Answer {
  readonly blocks: readonly OutBlock[];
  readonly stopReason: string;
  readonly stopSequence: string | null;
  readonly outputTokens: number;
  readonly thinkingTokens: number;
  readonly trace: readonly unknown[];
}
