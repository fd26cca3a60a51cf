import fc from "fast-check";
import { expect, test } from "vitest";
import type { ErrorClass } from "../compaction/index.ts";
import type { CallFailure } from "./client/client-port.ts";
import { defaultLoopConfig } from "./config.ts";
import { backoffMs, decideRetry } from "./retry.ts";

const { retry } = defaultLoopConfig;
const failure = (errorClass: ErrorClass, more: Partial<CallFailure> = {}): CallFailure => ({
  error: { class: errorClass, text: "" },
  status: 500,
  retryAfterMs: null,
  shouldRetry: null,
  ...more,
});
const decide = (given: CallFailure, source: "main" | "compact" | "session_memory" | "subagent" = "main", retries = 0) =>
  decideRetry({ failure: given, source, retries, draw: 0 }, retry);

test("RC5: delays double up to the longest", () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7, 90].map((retries) => backoffMs(retries, 0, retry))).toEqual([
    500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 32_000, 32_000,
  ]);
});

test("RC5: chance only shortens a delay, by a quarter at most, to whole milliseconds", () => {
  fc.assert(
    fc.property(fc.nat(20), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (retries, draw) => {
      const longest = backoffMs(retries, 0, retry);
      const delay = backoffMs(retries, draw, retry);
      expect(Number.isInteger(delay)).toBe(true);
      expect(delay).toBeLessThanOrEqual(longest);
      expect(delay).toBeGreaterThanOrEqual(longest * 0.75);
    }),
  );
});

test.each(["overflow", "output-overflow", "media", "auth", "refusal", "permanent"] as const)(
  "F3: %s is never sent again as it was",
  (errorClass) => {
    expect(decide(failure(errorClass, { shouldRetry: true, retryAfterMs: 1 }))).toEqual({ kind: "give-up" });
  },
);

test("RC5: the server's wait is kept, but not one that is longer than anybody waits", () => {
  expect(decide(failure("rate-limited", { retryAfterMs: 90_000 }))).toEqual({ kind: "retry", inMs: 90_000 });
  expect(decide(failure("rate-limited", { retryAfterMs: 600_001 }))).toEqual({ kind: "give-up" });
});

test("RC5: the server's word that a retry is useless is taken", () => {
  expect(decide(failure("transient", { shouldRetry: false }))).toEqual({ kind: "give-up" });
});

test("RC5: background sources give way to an overload, and give up earlier otherwise", () => {
  for (const source of ["session_memory", "subagent"] as const) {
    expect(decide(failure("overloaded"), source)).toEqual({ kind: "give-up" });
    expect(decide(failure("transient"), source, 1).kind).toBe("retry");
    expect(decide(failure("transient"), source, 2).kind).toBe("give-up");
  }
  for (const source of ["main", "compact"] as const) {
    expect(decide(failure("overloaded"), source, 9).kind).toBe("retry");
    expect(decide(failure("overloaded"), source, 10).kind).toBe("give-up");
  }
});

test("RC5: the longest wait that anybody waits is still waited, and a collapse is background work", () => {
  const asked = failure("rate-limited", { retryAfterMs: retry.maxRetryAfterMs });
  expect(decide(asked)).toEqual({ kind: "retry", inMs: retry.maxRetryAfterMs });
  const question = { failure: failure("overloaded"), retries: 0, draw: 0 };
  const kinds = (["main", "compact", "context_collapse", "session_memory", "subagent"] as const).map(
    (source) => decideRetry({ ...question, source }, retry).kind,
  );
  expect(kinds).toEqual(["retry", "retry", "give-up", "give-up", "give-up"]);
  expect(backoffMs(5_000, 0, retry)).toBe(retry.maxDelayMs);
});
