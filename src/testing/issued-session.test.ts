import fc from "fast-check";
import { expect, test } from "vitest";
import { aModel } from "./drive-agent.ts";
import type { IssuedSetup } from "./issued-session.ts";
import { issuedRounds, playIssuedSession } from "./issued-session.ts";

const adaptive = { type: "adaptive" } as const;
const enabled = { type: "enabled", budget_tokens: 1_024 } as const;

const setups: readonly IssuedSetup[] = [
  { model: aModel("claude-opus-5-5"), thinking: adaptive, known: "place" },
  { model: aModel("claude-opus-4-6"), thinking: adaptive, known: "unknown" },
  { model: aModel("claude-opus-4-6"), thinking: adaptive, known: "all" },
  { model: aModel("claude-haiku-4-5"), thinking: enabled, known: "all" },
];

test("M4, M5, M7: whatever went wrong in a session that the mock answered, its next requests are accepted, with the thinking that may stay", () => {
  const resent = new Map(setups.map((setup) => [setup, 0]));
  fc.assert(
    fc.property(fc.constantFrom(...setups), issuedRounds(), (setup, rounds) => {
      const { refusals, thinkingResent } = playIssuedSession(setup, rounds);
      resent.set(setup, (resent.get(setup) ?? 0) + thinkingResent);
      expect(refusals).toEqual([]);
    }),
    { numRuns: Number(process.env.LONGHAUL_CASES ?? 1000) },
  );
  for (const blocks of resent.values()) expect(blocks).toBeGreaterThan(10);
});
