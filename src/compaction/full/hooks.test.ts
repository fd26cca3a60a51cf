import { expect, test } from "vitest";
import type { VirtualClock } from "../../testing/index.ts";
import { createVirtualClock } from "../../testing/index.ts";
import type { CompactionFact } from "../events.ts";
import { runHook } from "./hooks.ts";

type Hook = (clock: VirtualClock) => Promise<unknown>;

/** Not answering is waiting for ever on the virtual clock. */
const hanging: Hook = (clock) => clock.sleep(Number.POSITIVE_INFINITY);

async function run(hook: Hook | undefined, abortAfterMs?: number) {
  const clock = createVirtualClock(0);
  const facts: CompactionFact[] = [];
  const abort = new AbortController();
  const output = await clock.run(async () => {
    if (abortAfterMs !== undefined) clock.timer(abortAfterMs, () => abort.abort());
    return runHook("PreCompact", hook && (() => hook(clock)), {
      clock,
      emit: (fact) => facts.push(fact),
      limitMs: 60_000,
      signal: abort.signal,
    });
  });
  return { output, facts, ms: clock.now() };
}

test("FC1: a hook's output comes through; no output, or no hook, is null", async () => {
  expect(await run(async () => "keep ports")).toMatchObject({ output: "keep ports", facts: [] });
  for (const nothing of [null, "", "  \n", undefined]) expect((await run(async () => nothing)).output).toBeNull();
  expect((await run(undefined)).output).toBeNull();
});

test("FC1: a hook that fails is reported and skipped, however it fails", async () => {
  for (const hook of [
    async () => Promise.reject(new Error("exit 2")),
    () => {
      throw new Error("exit 2");
    },
  ])
    expect(await run(hook)).toMatchObject({
      output: null,
      facts: [{ kind: "notice", code: "hook_failed", text: expect.stringContaining("exit 2") }],
    });
});

test("FC1: a hook that does not answer is reported and skipped after 60 s", async () => {
  const { output, facts, ms } = await run(hanging);
  expect({ output, ms }).toEqual({ output: null, ms: 60_000 });
  expect(facts).toMatchObject([{ kind: "notice", code: "hook_timed_out" }]);
});

test("FC11: an abort ends the wait for a hook within half a second", async () => {
  const { output, facts, ms } = await run(hanging, 1_200);
  expect({ output, facts }).toEqual({ output: null, facts: [] });
  expect(ms).toBeLessThanOrEqual(1_700);
});
