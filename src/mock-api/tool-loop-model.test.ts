import { expect, test } from "vitest";
import type { WireMessage } from "../transcript/index.ts";
import { assistant, createRig, messageOf, result, user } from "./test-rig.ts";
import { createToolLoop } from "./tool-loop-model.ts";

const schema = {
  type: "object",
  properties: {
    key: { type: "string" },
    depth: { type: "integer" },
    exact: { type: "boolean" },
    mode: { enum: ["fast", "slow"] },
    paths: { type: "array", items: { type: "string" } },
    where: { type: "object", properties: { line: { type: "number" } } },
    hint: { type: "string" },
  },
  required: ["key", "depth", "exact", "mode", "paths", "where"],
};
const tools = [
  { name: "lookup", input_schema: schema },
  { name: "list", input_schema: { type: "object" } },
];

test("a tool loop calls what it is offered, two at once, as often as it was told, after each message of the user", () => {
  const rig = createRig({ model: createToolLoop(3) });
  const messages: WireMessage[] = [user("go")];
  const rounds: number[] = [];
  for (const said of ["and again", "and once more"]) {
    for (let round = 0; ; round++) {
      const { content, stop_reason } = messageOf(rig.send({ tools, messages: [...messages] }));
      const blocks = content.map(({ caller: _, ...block }) => block);
      const ids = blocks.flatMap((block) => (block.type === "tool_use" ? [block.id as string] : []));
      messages.push(assistant(blocks));
      if (stop_reason === "end_turn") {
        rounds.push(round);
        break;
      }
      expect(ids).toHaveLength(2);
      messages.push(user(ids.map((id) => result(id)) as WireMessage["content"]));
    }
    messages.push(user(said));
  }
  expect(rounds).toEqual([3, 3]);
});

test("inputs have what their schema requires, and nothing else", () => {
  const [first, second] = createToolLoop(1)(
    { model: "m", max_tokens: 1, messages: [user("go")], tools: tools as never },
    {} as never,
  ).content.flatMap((block) => (block.kind === "tool-call" ? [block] : []));
  expect(first).toMatchObject({ name: "lookup" });
  expect(first?.input).toEqual({
    key: "key 0",
    depth: 0,
    exact: true,
    mode: "fast",
    paths: ["paths 0"],
    where: { line: 0 },
  });
  expect(second).toMatchObject({ name: "list", input: {} });
});

test("without tools a tool loop is done at once", () => {
  const answer = messageOf(createRig({ model: createToolLoop(3) }).send({}));
  expect(answer).toMatchObject({ stop_reason: "end_turn", content: [{ text: "All 0 rounds are done." }] });
});
