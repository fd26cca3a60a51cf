import { expect, test } from "vitest";
import type { WireMessage } from "../../transcript/index.ts";
import type { ModelPort } from "../ports.ts";
import type { Rig } from "../test-rig.ts";
import { assistant, createRig, messageOf, refusalText, result, text, user } from "../test-rig.ts";

const thinks: ModelPort = () => ({
  content: [
    { kind: "thinking", thinking: "first thought" },
    { kind: "thinking", thinking: "second thought" },
    { kind: "tool-call", name: "Read", input: {} },
  ],
  trace: [],
});
const model = "claude-opus-5-5";
const base = { model, tools: [{ name: "Read", input_schema: { type: "object" } }] };

/** A conversation of `turns` answers, as the server gave them. */
function converse(rig: Rig, turns: number, fields: object = base): WireMessage[] {
  const messages: WireMessage[] = [user("go")];
  for (let n = 0; n < turns; n++) {
    const answer = messageOf(rig.send({ ...fields, messages: [...messages] }));
    const id = answer.content.find((block) => block.type === "tool_use")?.id as string;
    messages.push(
      assistant(answer.content.map(({ citations: _, caller: __, ...block }) => block as never)),
      user([result(id)]),
    );
  }
  return messages;
}

/** The message with the blocks for which `keep` holds. */
function filter(message: WireMessage, keep: (type: string, index: number) => boolean): WireMessage {
  return {
    ...message,
    content: (message.content as { type: string }[]).filter((block, i) => keep(block.type, i)) as never,
  };
}
const withoutThinking = (message: WireMessage): WireMessage =>
  typeof message.content === "string" ? message : filter(message, (type) => type !== "thinking");
/** The blocks of one message. */
function partsOf(messages: readonly WireMessage[], index: number): unknown {
  return messages[index]?.content ?? [];
}
const bound = "The block is bound to a different conversation";

const refused = (rig: Rig, messages: readonly WireMessage[], fields: object = base): string | undefined =>
  refusalText(rig.send({ ...fields, messages }));

test("V5: what the server gave, unchanged, is accepted; any edit of the past before kept thinking is refused", () => {
  const rig = createRig({ model: thinks });
  const messages = converse(rig, 3);
  expect(refused(rig, messages)).toBeUndefined();
  expect(refused(rig, [user("GO"), ...messages.slice(1)])).toContain(bound);
  expect(refused(rig, messages, { ...base, system: "other" })).toContain(bound);
  expect(refused(rig, messages, { ...base, tools: [{ ...base.tools[0], description: "other" }] })).toContain(bound);
  const [answered] = partsOf(messages, 2) as { tool_use_id: string }[];
  const cleared = messages.with(2, user([result(answered?.tool_use_id ?? "", "cleared")]));
  expect(refused(rig, cleared)).toBe(
    'messages.3.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".',
  );
});

test("V5: cache_control anywhere does not break the binding", () => {
  const rig = createRig({ model: thinks });
  const messages = converse(rig, 2);
  const marked = messages.with(0, user([text("go", { cache_control: { type: "ephemeral" } })]));
  expect(refused(rig, marked)).toBeUndefined();
});

test("V5: thinking may go from the start, or all of it, but must leave no gap", () => {
  const rig = createRig({ model: thinks });
  const messages = converse(rig, 3);
  const without = (...indices: number[]): WireMessage[] =>
    messages.map((message, i) => (indices.includes(i) ? withoutThinking(message) : message));
  expect(refused(rig, without(1))).toBeUndefined();
  expect(refused(rig, without(1, 3))).toBeUndefined();
  expect(refused(rig, without(1, 3, 5))).toBeUndefined();
  expect(refused(rig, without(3, 5))).toBeUndefined();
  expect(refused(rig, without(3))).toContain(bound);
});

test("V5: the latest message may lose all its thinking, not a part of it, and no letter of it", () => {
  const rig = createRig({ model: thinks });
  const messages = converse(rig, 2);
  const cut = messages.with(
    3,
    filter(messages[3] as WireMessage, (_, i) => i !== 1),
  );
  expect(refused(rig, cut)).toBe(
    "messages.3.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.",
  );
  expect(refused(rig, messages.with(3, withoutThinking(messages[3] as WireMessage)))).toBeUndefined();
  const [thought, ...rest] = partsOf(messages, 3) as { thinking: string }[];
  const edited = messages.with(3, assistant([{ ...thought, thinking: "other" }, ...rest] as never));
  expect(refused(rig, edited)).toContain("cannot be modified");
});

test("V5: on a model that does not bind thinking, a changed past is accepted, a changed block is not", () => {
  const rig = createRig({ model: thinks });
  const fields = { ...base, model: "claude-opus-5", thinking: { type: "adaptive" } };
  const messages = converse(rig, 2, fields);
  expect(refused(rig, [user("GO"), ...messages.slice(1)], fields)).toBeUndefined();
  const [thought, ...rest] = partsOf(messages, 1) as { thinking: string }[];
  expect(refused(rig, messages.with(1, assistant([{ ...thought, thinking: "other" }, ...rest] as never)), fields)).toBe(
    "messages.1.content.0: Invalid `signature` in `thinking` block",
  );
});

test("V5: thinking of another model is dropped without a word, and costs nothing", () => {
  const rig = createRig({ model: thinks });
  const messages = converse(rig, 2);
  const other = { ...base, model: "claude-sonnet-5-5" };
  const kept = messageOf(rig.send({ ...other, messages }));
  const none = messageOf(rig.send({ ...other, messages: messages.map(withoutThinking) }));
  expect(kept.usage.input_tokens).toBe(none.usage.input_tokens);
});

test("V5: with drop_block a mismatch is dropped and reported instead of refused", () => {
  const rig = createRig({ model: thinks });
  const messages = converse(rig, 2).with(0, user("GO"));
  const thinking = { type: "adaptive", block_binding: { prefix_mismatch_behavior: "drop_block" } };
  const beta = { "anthropic-beta": "thinking-binding-controls-2026-08-01" };
  const reply = messageOf(rig.send({ ...base, thinking, messages }, beta));
  expect(reply.input_transformations).toEqual(
    ["messages.1.content.0", "messages.1.content.1", "messages.3.content.0", "messages.3.content.1"].map((path) => ({
      type: "thinking_dropped",
      path,
      reason: "prefix_binding_mismatch",
    })),
  );
  expect(refusalText(rig.send({ ...base, thinking, messages }))).toBe(
    "thinking.adaptive.block_binding: Extra inputs are not permitted",
  );
});

test("V5: in an open tool loop with `enabled` the latest message may lose none of its thinking", () => {
  const rig = createRig({ model: thinks });
  const fields = {
    ...base,
    model: "claude-opus-4-5",
    max_tokens: 5_000,
    thinking: { type: "enabled", budget_tokens: 2_000 },
  };
  const messages = converse(rig, 2, fields);
  expect(refused(rig, messages, fields)).toBeUndefined();
  expect(refused(rig, messages.with(3, withoutThinking(messages[3] as WireMessage)), fields)).toContain(
    "Expected `thinking`",
  );
});

test("V5: of a stream that is cut, only thinking whose end was sent is known", () => {
  const cutAfterFirst = { id: "cut", kind: "stream-cut", match: {}, with: { afterEvents: 8 } } as const;
  const rig = createRig({ model: thinks, faults: [cutAfterFirst] });
  const reply = rig.send({ ...base, stream: true });
  const events = reply.body.kind === "events" ? reply.body.events : [];
  const signatures = events.flatMap((event) => (event.delta as { signature?: string } | undefined)?.signature ?? []);
  expect(events.filter((event) => event.type === "content_block_stop")).toHaveLength(1);
  const keep = assistant([
    { type: "thinking", thinking: "first thought", signature: signatures[0] },
    text("x"),
  ] as never);
  expect(refused(rig, [user("hello"), keep, user("y")])).toBeUndefined();
});
