import { expect, test } from "vitest";
import { overheadOf } from "./overhead.ts";

test("the overhead is the system prompt and the tools, where there are any", () => {
  expect(overheadOf("12345", [])).toEqual({ system: 2, tools: 0 });
  const tools = [{ name: "Read", input_schema: { type: "object" } } as const];
  expect(overheadOf("", tools)).toEqual({ system: 0, tools: Math.ceil(JSON.stringify(tools).length / 4) });
});
