/** How a call says what it is for: its input's `step` is a mark of an item (`k3f9x2.17`), or tells which fact is looked up again (`again:f12`). */
export type CallPurpose =
  | { readonly kind: "step"; readonly code: string; readonly n: number }
  | { readonly kind: "again"; readonly fact: string }
  | { readonly kind: "none" };

export function markOf(code: string, n: number): string {
  return `${code}.${n}`;
}

export function againMark(fact: string): string {
  return `again:${fact}`;
}

export function purposeOf(input: unknown): CallPurpose {
  const step = typeof input === "object" && input !== null && "step" in input ? input.step : undefined;
  if (typeof step !== "string") return { kind: "none" };
  const item = /^([a-z]\d[a-z]\d[a-z]\d)\.(\d{1,6})$/.exec(step);
  if (item?.[1] !== undefined) return { kind: "step", code: item[1], n: Number(item[2]) };
  const again = /^again:(f\d+)$/.exec(step);
  return again?.[1] === undefined ? { kind: "none" } : { kind: "again", fact: again[1] };
}

/** Finished items of one goal as text: `k3f9x2.1-9, k3f9x2.12`. `numbers` ascending. */
export function markRanges(code: string, numbers: readonly number[]): string {
  const parts: string[] = [];
  for (let i = 0; i < numbers.length; ) {
    let end = i;
    while (numbers[end + 1] === (numbers[end] ?? 0) + 1) end++;
    parts.push(end === i ? markOf(code, numbers[i] ?? 0) : `${code}.${numbers[i]}-${numbers[end]}`);
    i = end + 1;
  }
  return parts.join(", ");
}
