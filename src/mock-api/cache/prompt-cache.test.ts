import { expect, test } from "vitest";
import type { WireBlock, WireMessage } from "../../transcript/index.ts";
import type { Rig } from "../test-rig.ts";
import { assistant, call, createRig, messageOf, result, text, user } from "../test-rig.ts";

const breakpoint = { cache_control: { type: "ephemeral" } };
const hour = { cache_control: { type: "ephemeral", ttl: "1h" } };
const minute = 60_000;
const long = (name: string): string => `${name} ${"some words that are long enough to be worth it ".repeat(500)}`;
const model = "claude-opus-4-8";

interface Paid {
  readonly uncached: number;
  readonly write: number;
  readonly read: number;
}

function pay(rig: Rig, fields: object): Paid {
  const { usage } = messageOf(rig.send({ model, ...fields }));
  return {
    uncached: usage.input_tokens as number,
    write: usage.cache_creation_input_tokens as number,
    read: usage.cache_read_input_tokens as number,
  };
}
const sum = ({ uncached, write, read }: Paid): number => uncached + write + read;
const marked = (content: string): WireMessage => user([text(content, breakpoint)]);

test("K2: what one request wrote at its breakpoint, the next reads; the sum is the input", () => {
  const rig = createRig();
  const first = pay(rig, { messages: [marked(long("a"))] });
  expect(first).toMatchObject({ read: 0, uncached: 0 });
  expect(first.write).toBeGreaterThan(2_000);
  rig.now += minute;
  const second = pay(rig, { messages: [user([text(long("a"))]), assistant("yes"), marked("go on")] });
  expect(second.read).toBe(first.write);
  expect(second.write).toBeLessThan(100);
  const whole = rig.api.countTrueTokens({
    model,
    max_tokens: 1,
    messages: [user([text(long("a"))]), assistant("yes"), user("go on")],
  });
  expect(sum(second)).toBe(whole);
});

test("K2: nothing is written without a breakpoint", () => {
  const rig = createRig();
  pay(rig, { messages: [user(long("a"))] });
  rig.now += minute;
  expect(pay(rig, { messages: [marked(long("a"))] }).read).toBe(0);
});

test("K2: an entry lives five minutes from the start of the last request that used it, or an hour", () => {
  for (const [control, life] of [
    [breakpoint, 5 * minute],
    [hour, 60 * minute],
  ] as const) {
    const rig = createRig();
    const ask = { messages: [user([text(long("a"), control)])] };
    pay(rig, ask);
    rig.now += life - 1;
    expect(pay(rig, ask).read).toBeGreaterThan(0);
    rig.now += life - 1;
    expect(pay(rig, ask).read).toBeGreaterThan(0);
    rig.now += life;
    expect(pay(rig, ask).read).toBe(0);
  }
});

test("K2: an entry can be read only once the first response has begun", () => {
  const rig = createRig();
  const ask = { messages: [marked(long("a"))] };
  const begun = rig.send({ model, ...ask, stream: true }).latency.first as number;
  rig.now += begun - 1;
  expect(pay(rig, ask).read).toBe(0);
  rig.now += 1;
  expect(pay(rig, ask).read).toBeGreaterThan(0);
});

test("K2: below the model's minimum length nothing is cached", () => {
  const rig = createRig();
  const words = { messages: [marked("word ".repeat(3_300))] };
  expect(pay(rig, { ...words, model: "claude-opus-4-6" })).toMatchObject({ write: 0, read: 0 });
  expect(pay(rig, words).write).toBeGreaterThan(2_000);
});

test("K2: a hit is looked for 20 positions back, the breakpoint included", () => {
  const blocks = (count: number): WireBlock[] => Array.from({ length: count }, (_, i) => text(`block ${i}`));
  const ask = (extra: number): object => ({
    messages: [
      user([
        text(long("a"), extra === 0 ? breakpoint : {}),
        ...blocks(extra).map((block, i) => (i === extra - 1 ? { ...block, ...breakpoint } : block)),
      ]),
    ],
  });
  for (const [extra, hits] of [
    [19, true],
    [20, false],
  ] as const) {
    const rig = createRig();
    pay(rig, ask(0));
    rig.now += minute;
    expect(pay(rig, ask(extra)).read > 0).toBe(hits);
  }
});

test("K2: a run of tool calls, and of their results, counts as one position", () => {
  const rig = createRig();
  const ids = Array.from({ length: 15 }, (_, i) => `id${i}`);
  pay(rig, { messages: [marked(long("a"))] });
  rig.now += minute;
  const later = [
    user([text(long("a"))]),
    assistant(ids.map((id) => call(id))),
    user([...ids.map((id) => result(id)), text("next", breakpoint)] as WireBlock[]),
  ];
  expect(pay(rig, { messages: later }).read).toBeGreaterThan(0);
});

test("K2: what changes decides what is lost", () => {
  const tools = [{ name: "Read", input_schema: { type: "object" }, description: long("tool"), ...breakpoint }];
  const base = { tools, system: [text(long("system"), breakpoint)], messages: [marked(long("message"))] };
  const read = (change: object): number => {
    const rig = createRig();
    pay(rig, base);
    rig.now += minute;
    return pay(rig, { ...base, ...change }).read;
  };
  const all = read({});
  const upToSystem = read({ tool_choice: { type: "none" } });
  const upToTools = read({ speed: "fast" });
  expect(upToTools).toBeGreaterThan(0);
  expect(upToSystem).toBeGreaterThan(upToTools);
  expect(all).toBeGreaterThan(upToSystem);
  expect(read({ tools: [{ ...tools[0], description: long("other") }] })).toBe(0);
  expect(read({ thinking: { type: "adaptive" } })).toBe(upToSystem);
  expect(read({ output_config: { effort: "low" } })).toBe(upToSystem);
  expect(read({ messages: [marked(long("other"))] })).toBe(upToSystem);
  expect(read({ system: [text(long("other"), breakpoint)] })).toBe(upToTools);
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
  expect(read({ messages: [...base.messages, user([image])] })).toBe(upToSystem);
  expect(read({ model: "claude-opus-5" })).toBe(0);
});

test("K2: writes are split by how long they live", () => {
  const rig = createRig();
  const { usage } = messageOf(rig.send({ model, system: [text(long("system"), hour)], messages: [marked(long("a"))] }));
  const split = usage.cache_creation as unknown as Record<string, number>;
  expect(split.ephemeral_1h_input_tokens).toBeGreaterThan(2_000);
  expect(split.ephemeral_5m_input_tokens).toBeGreaterThan(2_000);
  expect((split.ephemeral_1h_input_tokens ?? 0) + (split.ephemeral_5m_input_tokens ?? 0)).toBe(
    usage.cache_creation_input_tokens,
  );
});

test("V1: max_tokens 0 warms the cache", () => {
  const rig = createRig();
  const warmed = messageOf(rig.send({ model, max_tokens: 0, messages: [marked(long("a"))] }));
  expect(warmed).toMatchObject({ content: [], stop_reason: "max_tokens" });
  rig.now += minute;
  expect(pay(rig, { messages: [marked(long("a"))] }).read).toBeGreaterThan(0);
});

test("A5: diagnostics say why an earlier answer's prefix was not read", () => {
  const rig = createRig();
  const ask = { model, system: "s", messages: [marked(long("a"))] };
  const { id } = messageOf(rig.send(ask));
  rig.now += minute;
  const reason = (change: object, previous = id): unknown =>
    (
      messageOf(rig.send({ ...ask, ...change, diagnostics: { previous_message_id: previous } })).diagnostics as {
        cache_miss_reason: { type: string } | null;
      }
    ).cache_miss_reason?.type ?? null;
  expect(reason({})).toBeNull();
  expect(reason({ model: "claude-opus-5" })).toBe("model_changed");
  expect(reason({ system: "t" })).toBe("system_changed");
  expect(reason({ tools: [{ name: "R", input_schema: { type: "object" } }] })).toBe("tools_changed");
  expect(reason({ messages: [marked(long("b"))] })).toBe("messages_changed");
  expect(reason({}, "msg_unknown")).toBe("previous_message_not_found");
  rig.now += 10 * minute;
  expect(reason({})).toBe("unavailable");
});

const edits = (...ids: string[]): WireBlock => ({
  type: "cache_edits",
  edits: ids.map((tool_use_id) => ({ type: "delete", tool_use_id })),
});

test("K3: deleted results leave the input without breaking the prefix before the edit; left out later, the prefix no longer matches", () => {
  const rig = createRig();
  const past = [user("go"), assistant([call("a")]), user([result("a", long("big"))] as WireBlock[]), assistant("ok")];
  const before = pay(rig, { messages: [...past.slice(0, 3), assistant("ok"), marked("next")] });
  rig.now += minute;
  const edited = [...past, user([text("next")]), assistant("fine"), user([edits("a"), text("more", breakpoint)])];
  const second = messageOf(rig.send({ model, messages: edited }));
  const deleted = second.usage.cache_deleted_input_tokens as number;
  expect(deleted).toBeGreaterThan(2_000);
  expect(second.usage.cache_read_input_tokens).toBe(before.write - deleted);
  rig.now += minute;
  const third = pay(rig, {
    messages: [...edited.slice(0, -1), user([edits("a"), text("more")]), assistant("k"), marked("end")],
  });
  expect(third.read).toBe(
    (second.usage.cache_read_input_tokens as number) + (second.usage.cache_creation_input_tokens as number),
  );
  const forgotten = pay(rig, {
    messages: [...edited.slice(0, -1), user([text("more")]), assistant("k"), marked("end")],
  });
  expect(forgotten.read).toBeLessThan(before.write + 1);
  expect(sum(forgotten)).toBeGreaterThan(sum(third) + 2_000);
});

test("K3: ids that no result before them has are refused, and models without the capability know no such block", () => {
  const rig = createRig();
  const messages = [user("go"), assistant([call("a")]), user([result("a"), edits("b"), text("x")] as WireBlock[])];
  expect(rig.send({ model, messages }).status).toBe(400);
  const good = messages.with(2, user([result("a"), edits("a"), text("x")] as WireBlock[]));
  expect(rig.send({ model, messages: good }).status).toBe(200);
  expect(rig.send({ model: "claude-haiku-4-5", messages: good }).status).toBe(400);
});

test("K3: the model does not see what was deleted", () => {
  const seen: unknown[] = [];
  const rig = createRig({
    model: (request) => {
      seen.push(request.messages);
      return { content: [], trace: [] };
    },
  });
  rig.send({
    model,
    messages: [user("go"), assistant([call("a")]), user([result("a", "secret"), edits("a"), text("x")] as WireBlock[])],
  });
  expect(JSON.stringify(seen)).not.toMatch(/secret|cache_edits/);
});
