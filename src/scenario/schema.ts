import * as v from "valibot";
import { strategyNames } from "../agent/index.ts";
import { faultKinds } from "../mock-api/index.ts";
import { providerNames, toolFaultKinds } from "../simulate/index.ts";
import { noteTakerProfileNames, profileNames, summariserProfileNames } from "../workload/index.ts";

const count = v.pipe(v.number(), v.integer(), v.minValue(1));
const tokens = v.pipe(v.number(), v.integer(), v.minValue(1));
const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
const source = v.picklist(["main", "compact", "session_memory", "context_collapse", "subagent"]);

const fault = v.strictObject({
  id: v.string(),
  kind: v.picklist(faultKinds),
  match: v.optional(
    v.strictObject({
      nth: v.optional(count),
      source: v.optional(source),
      turn: v.optional(count),
      round: v.optional(v.strictObject({ from: v.optional(count), to: v.optional(count) })),
      contextAboveTokens: v.optional(tokens),
      probability: v.optional(share),
    }),
    {},
  ),
  times: v.optional(count),
  with: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()]))),
});

const toolFault = v.strictObject({
  id: v.string(),
  kind: v.picklist(toolFaultKinds),
  match: v.optional(
    v.strictObject({ tool: v.optional(v.string()), nth: v.optional(count), probability: v.optional(share) }),
    {},
  ),
  times: v.optional(count),
  chars: v.optional(count),
});

const userStep = v.variant("do", [
  v.strictObject({ do: v.literal("wait"), beforeTurn: count, minutes: v.pipe(v.number(), v.minValue(0)) }),
  v.strictObject({ do: v.literal("compact"), beforeTurn: count, focus: v.optional(v.string(), "") }),
  v.strictObject({
    do: v.literal("abort"),
    atRound: count,
    when: v.optional(v.picklist(["request", "compaction", "tool"]), "request"),
  }),
]);

/** The form of a scenario file (Y1-Y4). Every key is checked: a misspelt one is an error, never ignored. */
export const scenarioSchema = v.strictObject({
  why: v.pipe(v.string(), v.minLength(10)),
  seen: v.optional(v.array(v.pipe(v.string(), v.url())), []),
  seed: v.optional(v.union([v.string(), v.number()]), 1),
  session: v.strictObject({
    profile: v.picklist(profileNames),
    rounds: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000)),
    summariser: v.optional(v.picklist(summariserProfileNames), "perfect"),
    noteTaker: v.optional(v.picklist(noteTakerProfileNames), "perfect"),
  }),
  model: v.optional(
    v.strictObject({
      id: v.optional(v.string(), "claude-sonnet-4-5"),
      fallback: v.optional(v.nullable(v.string()), null),
      provider: v.optional(v.picklist(providerNames), "anthropic"),
      trueWindow: v.optional(v.nullable(tokens), null),
    }),
    {},
  ),
  strategy: v.optional(
    v.strictObject({
      name: v.optional(v.picklist(strategyNames), "four-layer"),
      config: v.optional(v.record(v.string(), v.unknown()), {}),
      env: v.optional(v.record(v.string(), v.string()), {}),
    }),
    {},
  ),
  faults: v.optional(v.array(fault), []),
  toolFaults: v.optional(v.array(toolFault), []),
  user: v.optional(v.array(userStep), []),
  expect: v.pipe(v.array(v.string()), v.minLength(1)),
  sometimes: v.optional(v.array(v.string()), []),
  breaks: v.optional(v.array(v.string()), []),
});

/** A scenario as the file says it, defaults filled in. */
export type ScenarioFile = v.InferOutput<typeof scenarioSchema>;
