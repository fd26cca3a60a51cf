import type { ClockPort } from "../compaction/index.ts";
import type { BackgroundWork } from "./strategy/port.ts";

/** Work beside the session, started now, whose end is seen at a later moment (ST4). Never rejects. */
export function startBackground<T>(clock: ClockPort, key: string, work: () => Promise<T>): BackgroundWork<T> {
  let result: ReturnType<BackgroundWork<T>["poll"]> = { kind: "running" };
  const forked = clock.fork(async () => {
    try {
      result = { kind: "done", value: await work() };
    } catch (error) {
      result = { kind: "failed", reason: error instanceof Error ? error.message : "the work failed without an error" };
    }
  });
  return {
    key,
    startedAtMs: clock.now(),
    poll: () => result,
    wait: async (timeoutMs) => {
      await clock.join(forked, timeoutMs);
      return result.kind === "running" ? "running" : "done";
    },
  };
}
