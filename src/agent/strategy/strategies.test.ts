import { describe, expect, test } from "vitest";
import { resolveConfig } from "../../compaction/index.ts";
import { aModel, strategyContract } from "../../testing/index.ts";
import type { Strategy } from "../index.ts";
import { createStrategy, strategyNames } from "../index.ts";
import { dropOldest } from "./drop-oldest.ts";
import { nothing } from "./port.ts";

/** The four layers know the window by their config. */
const { config } = resolveConfig({ limits: { contextWindowCap: 42_000 } }, {}, aModel("claude-sonnet-4-5"));

/** All but the drain, which belongs to collapse mode. */
const recoverySteps = ["reactive-compact", "raise-output-cap", "continuation", "model-fallback"] as const;

test("O5: every strategy claims liveness but the one that does nothing", () => {
  const claims = strategyNames.filter((name) => createStrategy(name, { config }).live);
  expect(claims).toEqual(strategyNames.filter((name) => name !== "none"));
});

for (const name of strategyNames) {
  describe(name, () => {
    const steps = name === "four-layer" ? recoverySteps : [];
    for (const law of strategyContract(() => createStrategy(name, { config }), { steps }))
      test(law.name, law.check, 120_000);
  });
}

const collapsing = { ...config, auto: { ...config.auto, mode: "collapse" as const } };

describe("RC7: four-layer in collapse mode", () => {
  const steps = [...recoverySteps, "collapse-drain"] as const;
  for (const law of strategyContract(() => createStrategy("four-layer", { config: collapsing }), { steps }))
    test(law.name, law.check, 120_000);
});

/** A sixth, in 11 lines: drops old rounds whenever more than twelve messages stand. Nothing else had to change for it. */
const halving: Strategy = {
  name: "halving",
  live: true,
  start: ({ uuid }) => ({
    beforeRequest: async (view) => {
      const edit = view.projection.length > 12 ? dropOldest(view, 10_000, uuid) : null;
      return edit === null ? nothing : { status: { kind: "done" }, edits: [edit], next: { kind: "send" } };
    },
  }),
};

describe("ST5: a sixth strategy, written here", () => {
  for (const law of strategyContract(() => halving)) test(law.name, law.check, 120_000);
});
