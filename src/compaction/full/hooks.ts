import type { CompactionFact } from "../events.ts";
import type { ClockPort } from "../ports.ts";
import { startForeign, waitFor } from "./wait-for.ts";

export interface HookRun {
  readonly clock: ClockPort;
  readonly emit: (fact: CompactionFact) => void;
  readonly limitMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A hook's output, null where it has none. A hook that is missing, fails, or does not answer within the limit costs nothing but its
 * output: it is reported by a notice and skipped (FC1). An abort ends the wait. Never rejects.
 */
export async function runHook(
  name: "PreCompact" | "SessionStart" | "PostCompact",
  hook: (() => Promise<unknown>) | undefined,
  { clock, emit, limitMs, signal }: HookRun,
): Promise<string | null> {
  if (hook === undefined) return null;
  const waited = await waitFor(clock, startForeign(clock, hook), limitMs, signal);
  switch (waited.kind) {
    case "done":
      return typeof waited.value === "string" && waited.value.trim() !== "" ? waited.value : null;
    case "failed":
      emit({ kind: "notice", code: "hook_failed", text: `The ${name} hook failed and was skipped: ${waited.why}` });
      return null;
    case "timed-out":
      emit({
        kind: "notice",
        code: "hook_timed_out",
        text: `The ${name} hook did not answer within ${limitMs} ms and was skipped.`,
      });
      return null;
    case "aborted":
      return null;
  }
}
