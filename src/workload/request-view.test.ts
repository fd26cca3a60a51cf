import { expect, test } from "vitest";
import { createRng } from "../determinism/index.ts";
import type { WireMessage } from "../transcript/index.ts";
import { createPlan } from "./create-plan.ts";
import { createWorkload } from "./create-workload.ts";
import { converse } from "./dry-conversation.ts";
import { createFactIndex } from "./fact-index.ts";
import { profiles } from "./profiles.ts";
import type { RequestView } from "./request-view.ts";
import { createRequestReader } from "./request-view.ts";

const rng = createRng("reader");
const plan = createPlan({
  profile: profiles.bugfix,
  rounds: 120,
  rng: rng.fork("plan"),
  toolErrors: true,
  resultScale: 1,
});
const index = createFactIndex(plan);
const { messages } = converse(createWorkload({ profile: "bugfix", rounds: 120, rng }), {
  mostRounds: 300,
  rng: createRng("dry"),
});

const told = (view: RequestView): unknown => ({
  isOwn: view.isOwn,
  visible: view.visible(),
  finished: view.finished(),
  failures: plan.steps.map(({ index: step }) => view.failures(step)),
  justDone: view.justDone,
  lookedUp: [...view.lookedUp],
});
const ask = (shown: readonly WireMessage[]) => ({ model: "m", max_tokens: 1, system: plan.root, messages: shown });

test("M1: what a reader remembers of earlier requests changes nothing of what it sees in the next one", () => {
  const remembering = createRequestReader(plan, index);
  const draw = createRng("lengths");
  let length = 1;
  for (let i = 0; i < 60; i++) {
    // Mostly longer by a little; sometimes cut back, with another start, or with a copy of a message.
    length = Math.min(
      messages.length,
      draw.chance(0.8) ? length + draw.integer(1, 9) : draw.integer(1, messages.length),
    );
    const from = draw.chance(0.15) ? draw.integer(0, length - 1) : 0;
    const shown = messages.slice(from, length);
    if (draw.chance(0.2) && shown.length > 2) shown[1] = structuredClone(shown[1]) as WireMessage;
    const until = draw.chance(0.2) ? draw.integer(0, shown.length) : undefined;
    const fresh = createRequestReader(plan, index)(ask(structuredClone(shown)), until);
    expect(told(remembering(ask(shown), until))).toEqual(told(fresh));
  }
  expect(remembering(ask(messages)).finished().length).toBeGreaterThan(80);
});
