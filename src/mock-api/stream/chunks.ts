import type { Rng } from "../../determinism/index.ts";

/** Cuts a body at seeded byte offsets: also inside a UTF-8 character or an SSE line (S1). `mean` is the mean size of a chunk in bytes. */
export function chunksOf(bytes: Uint8Array, mean: number | "whole", rng: Rng): readonly Uint8Array[] {
  if (mean === "whole") return [bytes];
  const chunks: Uint8Array[] = [];
  for (let from = 0; from < bytes.length; ) {
    const to = Math.min(bytes.length, from + rng.integer(1, 2 * mean - 1));
    chunks.push(bytes.subarray(from, to));
    from = to;
  }
  return chunks;
}
