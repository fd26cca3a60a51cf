import fc from "fast-check";
import { expect, test } from "vitest";
import type { WireBlock, WireMessage } from "../../transcript/index.ts";
import { assistant, call, createRig, refusalText, result, text, user } from "../test-rig.ts";

const id = fc.constantFrom("a", "b", "c", "d");
const block: fc.Arbitrary<WireBlock> = fc.oneof(
  { weight: 3, arbitrary: id.map((name) => call(name) as WireBlock) },
  { weight: 3, arbitrary: id.map((name) => result(name) as WireBlock) },
  { weight: 1, arbitrary: fc.constant(text("x") as WireBlock) },
);
const message: fc.Arbitrary<WireMessage> = fc.record({
  role: fc.constantFrom("user" as const, "assistant" as const),
  content: fc.array(block, { minLength: 1, maxLength: 3 }),
});
/** A round as it should be, with ids that may have been used before. */
const wellFormed: fc.Arbitrary<readonly WireMessage[]> = fc
  .tuple(fc.uniqueArray(id, { minLength: 1, maxLength: 3 }), fc.boolean())
  .map(([ids, split]) => {
    const calls = split ? ids.map((name) => assistant([call(name)])) : [assistant(ids.map((name) => call(name)))];
    return [...calls, user([...ids.map((name) => result(name)).reverse(), text("go on")] as WireBlock[])];
  });
const conversation = fc
  .array(fc.oneof({ weight: 3, arbitrary: wellFormed }, { weight: 1, arbitrary: message.map((one) => [one]) }), {
    maxLength: 4,
  })
  .map((parts) => [user("go"), ...parts.flat(), user("and now?")]);

interface Place {
  readonly block: WireBlock;
  readonly m: number;
  readonly i: number;
}
const partsOf = ({ content }: WireMessage): readonly WireBlock[] =>
  typeof content === "string" ? [text(content) as WireBlock] : (content ?? []);

/** V4 read aloud, without memory and without haste: the first thing that is wrong. */
function firstProblem(messages: readonly WireMessage[]): string | undefined {
  const turns: { role: string; places: Place[] }[] = [];
  for (const [m, one] of messages.entries()) {
    if (turns.at(-1)?.role !== one.role) turns.push({ role: one.role, places: [] });
    turns.at(-1)?.places.push(...partsOf(one).map((each, i) => ({ block: each, m, i })));
  }
  const used = new Set<string>();
  for (const [t, { role, places }] of turns.entries()) {
    const uses = role === "assistant" ? places.filter((place) => place.block.type === "tool_use") : [];
    const next = turns[t + 1]?.places ?? [];
    const leading = next.slice(0, next.findIndex((place) => place.block.type !== "tool_result") >>> 0);
    const missing: Place[] = [];
    for (const place of uses) {
      const name = place.block.id as string;
      if (used.has(name)) return `messages.${place.m}.content.${place.i}: \`tool_use\` ids must be unique`;
      used.add(name);
      if (!leading.some((answer) => answer.block.tool_use_id === name)) missing.push(place);
    }
    if (missing[0] !== undefined)
      return `messages.${missing[0].m}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.map((place) => place.block.id).join(", ")}.`;
    const called = turns[t - 1]?.role === "assistant" ? (turns[t - 1]?.places ?? []) : [];
    const answered = new Set<unknown>();
    for (const { block: each, m, i } of places) {
      if (each.type !== "tool_result") continue;
      const at = `messages.${m}.content.${i}`;
      if (role !== "user") return `${at}: \`tool_result\` blocks can only be in \`user\` messages`;
      const isCalled = called.some((place) => place.block.type === "tool_use" && place.block.id === each.tool_use_id);
      if (!isCalled) return `${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${each.tool_use_id}.`;
      if (answered.has(each.tool_use_id)) return `${at}: each tool_use must have a single result.`;
      answered.add(each.tool_use_id);
    }
    const stray = role === "user" ? places.find((place) => place.block.type === "tool_use") : undefined;
    if (stray !== undefined)
      return `messages.${stray.m}.content.${stray.i}: \`tool_use\` blocks can only be in \`assistant\` messages`;
  }
  return undefined;
}

test("V4: whatever stands in a conversation, the first pair that is wrong is named, at once and when it is told bit by bit", () => {
  const met = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(conversation, (messages) => {
      const problem = firstProblem(messages);
      const expected = problem === undefined ? undefined : expect.stringContaining(problem);
      expect(refusalText(createRig().send({ messages }))).toEqual(expected);
      // A server that has accepted the beginning finds the same.
      const rig = createRig();
      for (let end = 1; end < messages.length; end++)
        if (messages[end - 1]?.role === "user") rig.send({ messages: messages.slice(0, end) });
      expect(refusalText(rig.send({ messages }))).toEqual(expected);
      if (problem === undefined) met.accepted++;
      else met.refused++;
    }),
    { numRuns: 200 },
  );
  expect(Math.min(met.accepted, met.refused)).toBeGreaterThan(15);
});

test("V4: an id may come again once its call is gone from the conversation, and not before", () => {
  const rig = createRig();
  const round = (name: string): WireMessage[] => [assistant([call(name)]), user([result(name)] as WireBlock[])];
  const start = [user("go"), ...round("a")];
  expect(refusalText(rig.send({ messages: [...start, ...round("b")] }))).toBeUndefined();
  expect(refusalText(rig.send({ messages: [...start, ...round("c"), ...round("b")] }))).toBeUndefined();
  expect(refusalText(rig.send({ messages: [...start, ...round("c"), ...round("a")] }))).toContain("must be unique");
  expect(refusalText(rig.send({ messages: [user("other"), ...round("a")] }))).toBeUndefined();
});

test("V4: what edits the cache may stand between results, anything else ends them", () => {
  const edits = { type: "cache_edits", edits: [{ type: "delete", tool_use_id: "a" }] };
  const answered = (between: object): unknown[] => [
    user("go"),
    assistant([call("a"), call("b")]),
    user([result("a"), between, result("b")] as WireBlock[]),
  ];
  expect(refusalText(createRig().send({ messages: answered(edits) }))).toBeUndefined();
  expect(refusalText(createRig().send({ messages: answered(text("so")) }))).toContain("immediately after: b.");
});

const searched = (name: string): WireBlock => ({ type: "server_tool_use", id: name, name: "web_search", input: {} });
const found = (name: string): WireBlock => ({ type: "web_search_tool_result", tool_use_id: name, content: [] });

test("V4: server tools pair within one message, in order; only the last message may wait for one", () => {
  const said = (content: WireBlock[], last: WireMessage[] = [user("y")]): string | undefined =>
    refusalText(createRig().send({ messages: [user("go"), assistant(content), ...last] }));
  expect(said([searched("s"), found("s"), searched("t"), found("t")])).toBeUndefined();
  expect(said([searched("s"), searched("t"), found("t")])).toContain(
    "content.0: `server_tool_use` block s has no result",
  );
  expect(said([found("s"), searched("s")])).toContain("content.0: unexpected `tool_use_id`");
  expect(said([searched("s"), found("s"), found("s")])).toContain("content.2: unexpected `tool_use_id`");
  expect(said([text("x") as WireBlock, searched("s")], [])).toBeUndefined();
  const mcp = { "anthropic-beta": "mcp-client-2025-11-20" };
  const used: WireBlock = { type: "mcp_tool_use", id: "m", name: "n", input: {}, server_name: "s" };
  const answer = (name: string): WireBlock => ({ type: "mcp_tool_result", tool_use_id: name, content: "ok" });
  const over = (content: WireBlock[]): string | undefined =>
    refusalText(createRig().send({ messages: [user("go"), assistant(content), user("y")] }, mcp));
  expect(over([used, answer("m")])).toBeUndefined();
  expect(over([used, answer("n")])).toContain("unexpected `tool_use_id` found in `mcp_tool_result` blocks: n");
  expect(over([used])).toContain("`server_tool_use` block m has no result");
});

test.each([
  [{ type: "thinking", thinking: "h", signature: "s" }],
  [{ type: "redacted_thinking", data: "d" }],
  [searched("s")],
  [found("s")],
  [{ type: "code_execution_tool_result", tool_use_id: "s", content: [] }],
  [{ type: "mcp_tool_use", id: "m", name: "n", input: {}, server_name: "s" }],
  [{ type: "compaction", content: "c" }],
])("V4: the user says nothing that only the assistant says: %j", (block) => {
  const betas = { "anthropic-beta": "mcp-client-2025-11-20,compact-2026-01-12" };
  expect(refusalText(createRig().send({ messages: [user([text("x"), block] as WireBlock[])] }, betas))).toBe(
    `messages.0.content.1: \`${block.type}\` blocks can only be in \`assistant\` messages`,
  );
});
