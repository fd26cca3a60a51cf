import { ConfigError, resolveConfig } from "../compaction/index.ts";
import { eventKinds, invariants, metricDefinitions } from "../simulate/index.ts";
import { findModel, models } from "../tokens/index.ts";
import { eventFields } from "./event-fields.ts";
import type { Expectation } from "./expectation.ts";
import { labelWords } from "./metric-labels.ts";
import { nearest } from "./nearest.ts";
import type { ScenarioFile } from "./scenario-file.ts";

const invariantNames = invariants.map((invariant) => invariant.name);

/** What an expectation names that does not exist, with the nearest name that does; null when all is known (Y3: unknown is an error, never a pass). */
export function unknownNameIn({ subject }: Expectation): string | null {
  switch (subject.kind) {
    case "ends":
      return null;
    case "event":
      return unknownInEvent(subject.name, subject.labels);
    case "metric": {
      const definition = metricDefinitions.get(subject.name);
      if (definition === undefined) return noSuch("metric", subject.name, [...metricDefinitions.keys()]);
      for (const [label, value] of Object.entries(subject.labels)) {
        if (!definition.labels.includes(label)) return noSuch(`label of ${subject.name}`, label, definition.labels);
        const words = labelWords(subject.name, label);
        if (words !== "any" && !words.includes(value)) return noSuch(`${label} of ${subject.name}`, value, words);
      }
      return null;
    }
  }
}

function unknownInEvent(kind: string, labels: Readonly<Record<string, string>>): string | null {
  if (!(eventKinds as readonly string[]).includes(kind)) return noSuch("event", kind, eventKinds);
  const fields = eventFields(kind);
  for (const [name, value] of Object.entries(labels)) {
    const words = fields[name];
    if (words === undefined) return noSuch(`label of ${kind}`, name, Object.keys(fields));
    if (words !== "any" && !words.includes(value)) return noSuch(`${name} of ${kind}`, value, words);
  }
  return null;
}

/** Where in a file, and what is wrong there. */
export interface Misnomer {
  readonly path: readonly (string | number)[];
  readonly text: string;
}

/** The first thing that a file names and that does not exist or cannot be, though its form is right; null when there is none. */
export function misnomerIn(file: ScenarioFile): Misnomer | null {
  return unknownModel(file) ?? badConfig(file) ?? twinFault(file) ?? unknownInvariant(file);
}

function unknownModel({ model }: ScenarioFile): Misnomer | null {
  const ids = models.map((known) => known.id);
  for (const key of ["id", "fallback"] as const) {
    const id = model[key];
    if (id !== null && findModel(id) === undefined) return { path: ["model", key], text: noSuch("model", id, ids) };
  }
  return null;
}

/** The library checks its own config: what it refuses is a mistake in the file. */
function badConfig({ model, strategy }: ScenarioFile): Misnomer | null {
  const info = findModel(model.id);
  const limits =
    info === undefined
      ? undefined
      : { ...info, contextWindow: typeof model.window === "number" ? model.window : info.contextWindow };
  try {
    resolveConfig(strategy.config, strategy.env, limits);
    return null;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { path: ["strategy", "config", ...error.path.split(".")], text: error.message };
  }
}

function twinFault(file: ScenarioFile): Misnomer | null {
  const seen = new Set<string>();
  for (const key of ["faults", "toolFaults"] as const) {
    for (const [i, { id }] of file[key].entries()) {
      if (seen.has(id))
        return { path: [key, i, "id"], text: `there are two faults "${id}"; each needs an id of its own` };
      seen.add(id);
    }
  }
  return null;
}

function unknownInvariant({ breaks }: ScenarioFile): Misnomer | null {
  const i = breaks.findIndex((name) => !invariantNames.includes(name));
  const name = breaks[i];
  return name === undefined ? null : { path: ["breaks", i], text: noSuch("invariant", name, invariantNames) };
}

function noSuch(what: string, name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return `there is no ${what} "${name}"${near === undefined ? "" : `; did you mean "${near}"?`} (known: ${known.join(", ")})`;
}
