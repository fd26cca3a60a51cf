import { expect, test } from "vitest";
import type { Fault } from "./fault.ts";
import type { ModelPort } from "./ports.ts";
import type { Rig } from "./test-rig.ts";
import { assistant, call, createRig, result, text, user } from "./test-rig.ts";

const sins = (rig: Rig): string[] => rig.events.flatMap((event) => (event.kind === "client_sin" ? [event.sin] : []));
const fault = (kind: Fault["kind"], settings: Fault["with"] = {}): readonly Fault[] => [
  { id: "f", kind, match: { nth: 1 }, with: settings },
];

test("F3: coming back before retry-after is a sin, after it is not", () => {
  for (const [waited, committed] of [
    [4_000, ["ignored-retry-after"]],
    [5_000, []],
  ] as const) {
    const rig = createRig({ faults: fault("rate-limit", { seconds: 5 }) });
    rig.send({});
    rig.now += waited;
    rig.send({});
    expect(sins(rig)).toEqual(committed);
  }
});

test("F3: sending the same again after a refusal that will not change", () => {
  const rig = createRig();
  const bad = { messages: [user("x"), assistant("{")] };
  rig.send(bad);
  rig.send(bad);
  rig.send({ messages: [user("x")] });
  expect(sins(rig)).toEqual(["identical-after-refusal"]);
  const expired = createRig({ faults: fault("auth-expired") });
  expired.send({});
  expired.send({});
  expect(sins(expired)).toEqual(["retried-hopeless"]);
});

test("F3: a longer prompt after prompt-too-long", () => {
  const rig = createRig({ windowOverride: 500 });
  rig.send({ messages: [user("word ".repeat(1_000))] });
  rig.send({ messages: [user("word ".repeat(900))] });
  expect(sins(rig)).toEqual([]);
  rig.send({ messages: [user("word ".repeat(2_000))] });
  expect(sins(rig)).toEqual(["longer-after-too-long"]);
});

test("F3: a cut stream that is taken for a whole answer", () => {
  const rig = createRig({ faults: fault("stream-cut", { afterEvents: 4 }) });
  rig.send({ stream: true });
  rig.send({ messages: [user("hello"), assistant("Understood."), user("and?")] });
  expect(sins(rig)).toEqual(["took-cut-for-complete"]);
  const honest = createRig({ faults: fault("stream-cut", { afterEvents: 4 }) });
  honest.send({ stream: true });
  honest.send({ stream: true });
  expect(sins(honest)).toEqual([]);
});

test("RC4: what is whole of a cut stream may stay once one of its calls has run, what is broken never", () => {
  const model: ModelPort = () => ({
    content: [
      { kind: "text", text: "I look at both." },
      { kind: "tool-call", name: "Read", input: { file_path: "a" } },
      { kind: "tool-call", name: "Read", input: { file_path: "b" } },
    ],
    trace: [],
  });
  const cutInSecondCall = () => {
    const rig = createRig({ model, faults: fault("stream-cut", { afterEvents: 10 }) });
    const { body } = rig.send({ stream: true, tools: [{ name: "Read", input_schema: { type: "object" } }] });
    const sent = body.kind === "events" ? body.events : [];
    const ids = sent.flatMap(({ content_block }) => (content_block as { readonly id?: string } | undefined)?.id ?? []);
    return { rig, ids };
  };
  const goOn = (blocks: (ids: readonly string[]) => { readonly type: string; readonly id?: string }[]) => {
    const { rig, ids } = cutInSecondCall();
    expect(ids).toHaveLength(2);
    const kept = blocks(ids);
    const results = kept.flatMap(({ id }) => (id === undefined ? [] : [result(id)]));
    const tools = [{ name: "Read", input_schema: { type: "object" } }];
    rig.send({ tools, messages: [user("hello"), assistant(kept), user([...results, text("Go on.")])] });
    return sins(rig);
  };
  expect(goOn(([first = ""]) => [text("I look at both."), call(first)])).toEqual([]);
  expect(goOn(([first = ""]) => [call(first)])).toEqual([]);
  expect(goOn(() => [text("I look at both.")])).toEqual(["took-cut-for-complete"]);
  expect(goOn((ids) => [text("I look at both."), ...ids.map((id) => call(id))])).toEqual(["took-cut-for-complete"]);
});

test("F3: lost results, edited thinking and too many breakpoints are told from their refusals", () => {
  const rig = createRig();
  rig.send({ messages: [user("go"), assistant([call("a")]), user("x")] });
  rig.send({
    messages: [user("x"), assistant([{ type: "thinking", thinking: "a", signature: "b" }, text("y")]), user("z")],
  });
  rig.send({ messages: [user([1, 2, 3, 4, 5].map((n) => text(`${n}`, { cache_control: { type: "ephemeral" } })))] });
  expect(sins(rig)).toEqual(["lost-tool-result", "edited-thinking", "too-many-breakpoints"]);
});
