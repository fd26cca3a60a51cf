import { eventKinds, metricDefinitions } from "../simulate/index.ts";
import { findModel, models } from "../tokens/index.ts";
import { eventFields } from "./event-fields.ts";
import type { Expectation } from "./expectation.ts";
import { nearest } from "./nearest.ts";
import type { ScenarioFile } from "./schema.ts";

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
      const label = Object.keys(subject.labels).find((name) => !definition.labels.includes(name));
      return label === undefined ? null : noSuch(`label of ${subject.name}`, label, definition.labels);
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

/** The first thing that a file names and that does not exist, though its form is right: a model, a fault id used twice. */
export function unknownReferenceIn(file: ScenarioFile): { path: readonly unknown[]; text: string } | null {
  const ids = models.map((model) => model.id);
  for (const key of ["id", "fallback"] as const) {
    const id = file.model[key];
    if (id !== null && findModel(id) === undefined) return { path: ["model", key], text: noSuch("model", id, ids) };
  }
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

function noSuch(what: string, name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return `there is no ${what} "${name}"${near === undefined ? "" : `; did you mean "${near}"?`} (known: ${known.join(", ")})`;
}
