import type { CallError } from "../ports.ts";

/** The least max_tokens with which a request is still worth sending (RC3). */
const LEAST_OUTPUT = 1_024;

/**
 * The highest max_tokens below `cap` that fits beside the input, after a refusal of input plus max_tokens (RC3).
 * Null where the refusal is another, names no figures, or no cap worth sending is left: then the input is too long.
 */
export function capThatFits(
  { class: kind, tokens = Number.NaN, limit = Number.NaN }: CallError,
  cap: number,
): number | null {
  if (kind !== "output-overflow") return null;
  const room = limit - (tokens - cap);
  return room >= LEAST_OUTPUT && room < cap ? room : null;
}
