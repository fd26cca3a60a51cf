import { expect, test } from "vitest";
import { metricDefinitions } from "../simulate/index.ts";
import { labelWords } from "./metric-labels.ts";

test("Y3: a label of a few words is held to them in whatever metric it stands", () => {
  const open = [...metricDefinitions.values()].flatMap(({ name, labels }) =>
    labels.filter((label) => labelWords(name, label) === "any").map((label) => `${name}{${label}}`),
  );
  // Reasons and tool names are open; every other label is closed.
  expect(open).toEqual(["compaction_failures{reason}", "tool_errors{tool}"]);
});
