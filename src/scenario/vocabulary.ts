import { eventKinds, metricDefinitions } from "../simulate/index.ts";
import type { Expectation } from "./expectation.ts";
import { nearest } from "./nearest.ts";

/** What an expectation names that does not exist, with the nearest name that does; null when all is known (Y3: unknown is an error, never a pass). */
export function unknownNameIn({ subject }: Expectation): string | null {
  switch (subject.kind) {
    case "ends":
      return null;
    case "event":
      return (eventKinds as readonly string[]).includes(subject.name)
        ? null
        : noSuch("event", subject.name, eventKinds);
    case "metric": {
      const definition = metricDefinitions.get(subject.name);
      if (definition === undefined) return noSuch("metric", subject.name, [...metricDefinitions.keys()]);
      const label = Object.keys(subject.labels).find((name) => !definition.labels.includes(name));
      return label === undefined ? null : noSuch(`label of ${subject.name}`, label, definition.labels);
    }
  }
}

function noSuch(what: string, name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return `there is no ${what} "${name}"${near === undefined ? "" : `; did you mean "${near}"?`} (known: ${known.join(", ")})`;
}
