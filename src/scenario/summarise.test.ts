import { expect, test } from "vitest";
import type { RunEvent } from "../simulate/index.ts";
import { computeMetrics } from "../simulate/index.ts";
import { summarise } from "./summarise.ts";

test("a summary counts compactions by layer whatever set them off, and dollars of all sources", () => {
  const where = { at: 0, turn: 1, round: 1, querySource: "main" };
  const done = { kind: "compact_succeeded", tokensBefore: 9, tokensAfter: 1, durationMs: 1, ...where };
  const served = { kind: "served", trueTokens: 5, billed: { read: 1, write: 2, uncached: 3, output: 4 }, ...where };
  const events = [
    { ...done, layer: "full", trigger: "auto" },
    { ...done, layer: "full", trigger: "reactive" },
    { ...done, layer: "session-memory", trigger: "auto" },
    { ...served, dollars: 1 },
    { ...served, dollars: 2, querySource: "compact" },
  ] as unknown as RunEvent[];
  const footer = { kind: "footer", events: 5, hash: "abc", metrics: computeMetrics(events), broken: [] } as const;
  expect(summarise({ header: {} as never, events, footer })).toMatchObject({
    hash: "abc",
    layers: { full: 2, sessionMemory: 1, retries: 0 },
    dollars: 3,
    tokens: 20,
    peakContext: 5,
  });
});
