import * as v from "valibot";
import { strategyNames } from "../agent/index.ts";
import { faultKinds, faultSettings } from "../mock-api/index.ts";
import { providerNames, toolFaultKinds } from "../simulate/index.ts";
import { noteTakerProfileNames, profileNames, summariserProfileNames } from "../workload/index.ts";
import type { ScenarioFile } from "./scenario-file.ts";
import { maxSeed } from "./seeds.ts";

const count = v.pipe(v.number(), v.integer(), v.minValue(1));
const tokens = v.pipe(v.number(), v.integer(), v.minValue(1));
const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
const source = v.picklist(["main", "compact", "session_memory", "context_collapse", "subagent"]);
const seed = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxSeed));

const fault = v.strictObject({
  id: v.pipe(v.string(), v.minLength(1), v.description("Its name in the record.")),
  kind: v.picklist(faultKinds),
  match: v.pipe(
    v.optional(
      v.strictObject({
        nth: v.exactOptional(count),
        source: v.exactOptional(source),
        turn: v.exactOptional(count),
        round: v.exactOptional(v.strictObject({ from: v.exactOptional(count), to: v.exactOptional(count) })),
        contextAboveTokens: v.exactOptional(tokens),
        probability: v.exactOptional(share),
      }),
      {},
    ),
    v.description("All conditions must hold; counting starts at 1."),
  ),
  times: v.pipe(v.exactOptional(count), v.description("At most so often. Default: 1; no bound with a probability.")),
  with: v.pipe(
    v.exactOptional(v.record(v.picklist(faultSettings), v.union([v.string(), v.number(), v.boolean()]))),
    v.description("Settings of this kind of fault."),
  ),
});

const toolFault = v.strictObject({
  id: v.pipe(v.string(), v.minLength(1), v.description("Its name in the record.")),
  kind: v.picklist(toolFaultKinds),
  match: v.optional(
    v.strictObject({
      tool: v.exactOptional(v.string()),
      nth: v.exactOptional(count),
      probability: v.exactOptional(share),
    }),
    {},
  ),
  times: v.exactOptional(count),
  chars: v.pipe(v.exactOptional(count), v.description("Size of an oversized result.")),
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

/** A session of the simulated world. */
const generatedSession = v.strictObject({
  transcript: v.exactOptional(v.never()),
  profile: v.picklist(profileNames),
  rounds: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(1),
    v.maxValue(10_000),
    v.description("Rounds that the session takes when nothing is forgotten."),
  ),
  summariser: v.optional(v.picklist(summariserProfileNames), "perfect"),
  noteTaker: v.optional(v.picklist(noteTakerProfileNames), "perfect"),
});

/** A session that someone had: what was said and done is in the file, and only the compaction is new. */
const recordedSession = v.strictObject({
  transcript: v.pipe(
    v.string(),
    v.minLength(1),
    v.description("A recorded session (Claude Code JSONL, or messages as JSON), as a path from this file."),
  ),
});

const matrix = v.pipe(
  v.optional(v.record(v.string(), v.pipe(v.array(v.unknown()), v.minLength(1))), {}),
  v.description("Path of a key → its values: the scenario is run for every combination."),
);

/** The matrix alone, which is laid over the rest before that is read. */
export const matrixSchema: v.GenericSchema<unknown, Pick<ScenarioFile, "matrix">> = v.object({ matrix });

const expectations = v.array(v.string());

/** The form of a scenario file (Y1-Y4). Every key is checked: a misspelt one is an error, never ignored. */
export const scenarioSchema: v.GenericSchema<unknown, ScenarioFile> = v.strictObject({
  $schema: v.pipe(v.exactOptional(v.string()), v.description("For the editor; not read.")),
  why: v.pipe(v.string(), v.minLength(10), v.description("Why this scenario exists, in one sentence.")),
  seen: v.pipe(
    v.optional(v.array(v.pipe(v.string(), v.url())), []),
    v.description("Public reports of the failure that it stands for."),
  ),
  seeds: v.pipe(
    v.optional(v.union([seed, v.string(), v.array(seed)]), 1),
    v.description("A whole number, a list, or a text such as 1-20 or 1-5,9: one run for each."),
  ),
  session: v.variant("transcript", [generatedSession, recordedSession]),
  model: v.optional(
    v.strictObject({
      id: v.optional(v.string(), "claude-sonnet-4-6"),
      fallback: v.optional(v.nullable(v.string()), null),
      provider: v.optional(v.picklist(providerNames), "anthropic"),
      window: v.pipe(
        v.optional(v.nullable(tokens), null),
        v.description("Both sides take the window for this many tokens; default: the model's own."),
      ),
      trueWindow: v.pipe(
        v.optional(v.nullable(tokens), null),
        v.description("The server's window, where it is not what the client believes."),
      ),
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
  user: v.pipe(v.optional(v.array(userStep), []), v.description("What the user does besides the session's script.")),
  matrix,
  expect: v.pipe(expectations, v.minLength(1), v.description("What must hold of each run.")),
  sometimes: v.pipe(v.optional(expectations, []), v.description("What the suite as a whole must hit.")),
  breaks: v.pipe(
    v.optional(v.array(v.string()), []),
    v.description("Invariants that this run must break; any other still fails it."),
  ),
});
