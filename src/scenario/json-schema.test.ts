import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { scenarioJsonSchema } from "./json-schema.ts";

test("Y1: the published JSON Schema is that of the code; `npx vitest run src/scenario/json-schema -u` writes it anew", async () => {
  await expect(scenarioJsonSchema()).toMatchFileSnapshot("../../scenarios/scenario.schema.json");
});

test("Y1: the JSON Schema refuses keys that do not exist, and says what the rest are for", () => {
  const schema = JSON.parse(readFileSync("scenarios/scenario.schema.json", "utf8"));
  expect(schema).toMatchObject({
    type: "object",
    required: ["why", "session", "expect"],
    additionalProperties: false,
    properties: {
      why: { type: "string", minLength: 10, description: expect.stringContaining("one sentence") },
      session: {
        anyOf: [
          { properties: { rounds: { type: "integer", minimum: 1, maximum: 10_000 } } },
          { required: ["transcript"] },
        ],
      },
      faults: { items: { properties: { kind: { enum: expect.arrayContaining(["overloaded"]) } } } },
    },
  });
});
