/**
 * The one name beyond ECMAScript that transcript/, tokens/ and compaction/ may use: every JavaScript platform has it.
 * Read only by src/tsconfig.pure.json, which compiles those rooms without Node's types and without the browser's.
 */
interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(kind: "abort", listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(kind: "abort", listener: () => void): void;
}
