import type { ClockPort, Forked } from "../ports.ts";

export type Waited<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "failed"; readonly why: string }
  | { readonly kind: "timed-out" }
  | { readonly kind: "aborted" };

/** Starts work by someone else beside the caller. Whatever it throws, at once or later, comes out of `waitFor`. */
export function startForeign<T>(clock: ClockPort, work: () => Promise<T>): Forked<T> {
  return clock.fork(async () => work());
}

/**
 * What became of forked work, within a time limit. Never rejects. An abort is seen after `ABORT_LOOK_MS` at the latest: a join
 * cannot be ended from outside, so the wait is made in slices.
 */
export async function waitFor<T>(
  clock: ClockPort,
  work: Forked<T>,
  limitMs: number,
  signal: AbortSignal | undefined,
): Promise<Waited<T>> {
  const deadline = clock.now() + limitMs;
  try {
    while (!work.done()) {
      if (signal?.aborted) return { kind: "aborted" };
      const leftMs = deadline - clock.now();
      if (leftMs <= 0) return { kind: "timed-out" };
      await clock.join(work, Math.min(leftMs, ABORT_LOOK_MS));
    }
    return { kind: "done", value: (await clock.join(work)) as T };
  } catch (error) {
    return { kind: "failed", why: error instanceof Error ? error.message : String(error) };
  }
}

/** Short enough for a person who has pressed Escape; long enough that a hook of a minute is looked at some hundred times only. */
const ABORT_LOOK_MS = 500;
