import { expect, test } from "vitest";
import { createRng } from "../determinism/index.ts";
import type { WireMessage, WireRequest, WireTool } from "../transcript/index.ts";
import { answerForeign } from "./foreign-answer.ts";

const tool: WireTool = {
  name: "lookup",
  input_schema: {
    type: "object",
    properties: {
      id: { type: "integer", minimum: 3, maximum: 9 },
      mode: { type: "string", enum: ["fast", "slow"] },
      tags: { type: "array", items: { type: "string" }, minItems: 2 },
      where: { $ref: "#/$defs/place" },
      extra: { type: "boolean" },
    },
    required: ["id", "mode", "tags", "where"],
    $defs: { place: { type: "object", properties: { x: { type: "number" } }, required: ["x"] } },
  },
};

function request(messages: readonly WireMessage[]): WireRequest {
  return { model: "m", max_tokens: 1000, messages, tools: [tool] };
}

test("M1: a foreign request is served with its own tools, with inputs that fit their schemas, and ends in a text", () => {
  const messages: WireMessage[] = [{ role: "user", content: "Find it." }];
  let calls = 0;
  for (let round = 0; round < 10; round++) {
    const { content } = answerForeign(request(messages), createRng(1));
    const call = content.find((block) => block.kind === "tool-call");
    if (call?.kind !== "tool-call") break;
    calls++;
    expect(call.name).toBe("lookup");
    const { id, mode, tags, where } = call.input as { id: number; mode: string; tags: string[]; where: { x: number } };
    expect(id >= 3 && id <= 9 && Number.isInteger(id)).toBe(true);
    expect(["fast", "slow"]).toContain(mode);
    expect(tags).toHaveLength(2);
    expect(typeof where.x).toBe("number");
    expect(Object.keys(call.input)).not.toContain("extra");
    messages.push({
      role: "assistant",
      content: [{ type: "tool_use", id: `t${round}`, name: call.name, input: call.input }],
    });
    messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: `t${round}`, content: "ok" }] });
  }
  expect(calls).toBeGreaterThan(0);
  expect(calls).toBeLessThan(6);
});

test("M1: the same foreign request gets the same answer", () => {
  const asked = request([{ role: "user", content: "Find it." }]);
  expect(answerForeign(asked, createRng(1))).toEqual(answerForeign(asked, createRng(1)));
});

test("a request without tools, or that forbids them, gets a text", () => {
  const asked = request([{ role: "user", content: "Find it." }]);
  for (const bare of [
    { ...asked, tools: [] },
    { ...asked, tool_choice: { type: "none" } },
  ]) {
    expect(answerForeign(bare, createRng(1)).content.map(({ kind }) => kind)).toEqual(["text"]);
  }
});
