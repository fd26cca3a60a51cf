/** Thinking, readable or not: what is bound to its maker and its past (M7), and says nothing by itself (M5). */
export function isThinking(block: { readonly type: string }): boolean {
  return block.type === "thinking" || block.type === "redacted_thinking";
}
