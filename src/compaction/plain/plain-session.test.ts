import type Anthropic from "@anthropic-ai/sdk";
import { expect, test } from "vitest";
import type { VirtualClock } from "../../testing/index.ts";
import { createVirtualClock } from "../../testing/index.ts";
import { findTranscriptProblems, normalizeForApi } from "../../transcript/index.ts";
import type { CompactionEvent } from "../events.ts";
import { resolveConfig } from "../resolve-config.ts";
import { writeNotes } from "../session-memory/notes-template.ts";
import { ConversationFull, SessionBusy, UnknownModel } from "./plain-error.ts";
import type { PlainCall, PlainSessionOptions } from "./plain-options.ts";
import type { PlainSession } from "./plain-session.ts";
import { createPlainSession } from "./plain-session.ts";

type Request = Anthropic.MessageCreateParamsNonStreaming;
type Answer = Partial<Anthropic.Message> & { readonly text?: string; readonly calls?: number };
type Options = PlainSessionOptions<Request, Anthropic.Message>;

interface World {
  readonly session: PlainSession<Request, Anthropic.Message>;
  readonly clock: VirtualClock;
  readonly sent: { readonly request: Request; readonly call: PlainCall }[];
  readonly events: CompactionEvent[];
  kinds(): string[];
  /** Requests of one purpose. */
  of(source: string): Request[];
  /** Sends, then answers each call with a result of so many characters, until the model calls nothing. */
  work(resultChars: number): Promise<void>;
}

const refusal = (status: number, type: string, message: string) =>
  Object.assign(new Error(`${status} ${message}`), { status, error: { type: "error", error: { type, message } } });
const tooLong = (tokens: number) =>
  refusal(400, "invalid_request_error", `prompt is too long: ${tokens} tokens > 200000 maximum`);
const chars = (request: Request): number => JSON.stringify([request.system, request.tools, request.messages]).length;

/** A session over a scripted server on virtual time. What the script leaves open is answered in the way of its purpose. */
function play<T>(
  body: (world: World) => Promise<T>,
  options: {
    readonly answer?: (request: Request, call: PlainCall, nth: number) => Answer | undefined;
    readonly request?: Partial<Omit<Request, "messages">>;
    readonly more?: Partial<Options>;
  } = {},
): Promise<T> {
  const clock = createVirtualClock(1_000_000);
  const sent: World["sent"] = [];
  const events: CompactionEvent[] = [];
  let ids = 0;
  const session = createPlainSession({
    request: {
      model: "claude-sonnet-4-5",
      max_tokens: 8_000,
      system: "You port parsers.",
      tools: [{ name: "Read", input_schema: { type: "object" } }],
      ...options.request,
    },
    create: async (request: Request, call): Promise<Anthropic.Message> => {
      sent.push({ request: structuredClone(request), call });
      await clock.sleep(1_000);
      const nth = sent.filter((one) => one.call.source === call.source).length;
      return messageOf(options.answer?.(request, call, nth) ?? usual(call), request, sent.length);
    },
    clock,
    uuid: () => `id-${ids++}`,
    onEvent: (event) => events.push(event),
    ...options.more,
  });
  const world: World = {
    session,
    clock,
    sent,
    events,
    kinds: () => events.map(({ kind }) => kind),
    of: (source) => sent.filter(({ call }) => call.source === source).map(({ request }) => request),
    work: async (resultChars) => {
      for (let answer = await session.send(); answer.stop_reason === "tool_use"; answer = await session.send()) {
        const calls = answer.content.filter((block) => block.type === "tool_use");
        const content = calls.map(({ id }) => ({
          type: "tool_result" as const,
          tool_use_id: id,
          content: `${id} `.padEnd(resultChars, "x"),
        }));
        session.add({ role: "user", content });
      }
    },
  };
  return clock.run(() => body(world));
}

function usual({ source }: PlainCall): Answer {
  if (source === "compact") return { text: "<summary>The parser is half ported.</summary>" };
  if (source === "session_memory")
    return { text: `<notes>\n${writeNotes(new Map([["Current State", "Half ported."]]))}\n</notes>` };
  return { text: "Done." };
}

function messageOf({ text, calls = 0, ...over }: Answer, request: Request, nth: number): Anthropic.Message {
  const uses = Array.from({ length: calls }, (_, i) => ({
    type: "tool_use" as const,
    id: `toolu_${nth}_${i}`,
    name: "Read",
    input: {},
    caller: { type: "direct" as const },
  }));
  const content = [...(text === undefined ? [] : [{ type: "text" as const, text, citations: null }]), ...uses];
  return {
    id: `msg_${nth}`,
    type: "message",
    role: "assistant",
    model: `${request.model}-20250929`,
    content,
    stop_reason: calls > 0 ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: { input_tokens: Math.ceil(chars(request) / 4), output_tokens: 50 },
    ...over,
  } as Anthropic.Message;
}

const noMemory = resolveConfig({ sessionMemory: { enabled: false } }).config;
const toolRounds =
  (rounds: number) =>
  (_: Request, { source }: PlainCall, nth: number): Answer | undefined =>
    source === "main" && nth <= rounds ? { calls: 1 } : undefined;

test("CF2: what a person says is sent, and the answer stands in the transcript", () =>
  play(async ({ session, sent }) => {
    session.add({ role: "user", content: "Hello" });
    const answer = await session.send();
    expect(answer.content).toMatchObject([{ type: "text", text: "Done." }]);
    expect(sent).toMatchObject([
      {
        call: { source: "main" },
        request: {
          model: "claude-sonnet-4-5",
          max_tokens: 8_000,
          system: [{ text: "You port parsers.", cache_control: { type: "ephemeral" } }],
          tools: [{ name: "Read", cache_control: { type: "ephemeral" } }],
          messages: [
            { role: "user", content: [{ type: "text", text: "Hello", cache_control: { type: "ephemeral" } }] },
          ],
        },
      },
    ]);
    expect(session.transcript().map(({ kind }) => kind)).toEqual(["user", "assistant"]);
  }));

test("CF2: a long plain loop compacts again and again, by the notes of the background, and no request is ever above the window", () =>
  play(
    async ({ session, work, of, events, sent }) => {
      session.add({ role: "user", content: "Port the parser." });
      await work(40_000);
      const layers = events.flatMap((event) => (event.kind === "compact_succeeded" ? [event.layer] : []));
      expect(layers.length).toBeGreaterThanOrEqual(2);
      expect(layers).toContain("session-memory");
      expect(session.notes()).toContain("Half ported.");
      expect(of("main")).toHaveLength(61);
      for (const { request } of sent) {
        expect(chars(request) / 4 + request.max_tokens).toBeLessThan(200_000);
        expect(findTranscriptProblems(request.messages as Parameters<typeof findTranscriptProblems>[0])).toEqual([]);
      }
      expect(JSON.stringify(of("main").at(-1))).toContain("Port the parser.");
      expect(findTranscriptProblems(normalizeForApi(session.transcript()))).toEqual([]);
    },
    { answer: toolRounds(60) },
  ));

test("FC3: a fork begins with the bytes of the request before it, but for the breakpoints", () =>
  play(
    async ({ session, work, of, sent }) => {
      session.add({ role: "user", content: "Port the parser." });
      await work(40_000);
      const at = sent.findIndex(({ call }) => call.source === "compact");
      const fork = sent[at]?.request as Request;
      const main = sent[at - 1]?.request as Request;
      const bare = (request: Request): unknown[] =>
        JSON.parse(JSON.stringify(request.messages).replaceAll(',"cache_control":{"type":"ephemeral"}', ""));
      expect([fork.system, fork.tools, fork.model]).toEqual([main.system, main.tools, main.model]);
      expect(bare(fork).slice(0, main.messages.length)).toEqual(bare(main));
      expect(fork.max_tokens).toBe(20_000);
      expect(of("session_memory")).toEqual([]);
    },
    { answer: toolRounds(20), more: { config: noMemory } },
  ));

test("RC2: a request that the server finds too long is compacted and sent again; the loop sees only the answer", () =>
  play(
    async ({ session, of, kinds }) => {
      for (let i = 0; i < 5; i++) {
        session.add({ role: "user", content: `Part ${i}: ${"x".repeat(1_000)}` });
        await session.send();
      }
      expect(kinds()).toContain("compact_succeeded");
      expect(of("main")).toHaveLength(6);
      expect(JSON.stringify(of("main")[5])).toContain("half ported");
      expect(JSON.stringify(of("main")[5])).toContain("Part 4");
    },
    {
      more: { config: noMemory },
      answer: (request, { source }) => {
        if (
          source === "main" &&
          JSON.stringify(request).includes("Part 3") &&
          JSON.stringify(request).includes("Part 1")
        )
          throw tooLong(207_000);
        return undefined;
      },
    },
  ));

test("RC2: a request that stays too long is thrown as it came, after one compaction, and nothing added is lost", () =>
  play(
    async ({ session, of, kinds }) => {
      session.add({ role: "user", content: "first ".repeat(3_000) });
      await session.send();
      session.add({ role: "user", content: "More" });
      await expect(session.send()).rejects.toMatchObject({ status: 400, message: expect.stringContaining("207000") });
      expect(of("main")).toHaveLength(3);
      expect(kinds().filter((kind) => kind === "compact_started")).toHaveLength(1);
      const last = session.transcript().at(-1);
      expect(last).toMatchObject({ kind: "user", content: [{ text: "More" }] });
    },
    {
      more: { config: noMemory },
      answer: (_, { source }, nth) => {
        if (source === "main" && nth > 1) throw tooLong(207_000);
        return undefined;
      },
    },
  ));

test("RC3: where input and max_tokens together are too much, a lower max_tokens comes first", () =>
  play(
    async ({ session, of, kinds }) => {
      session.add({ role: "user", content: "Hello" });
      await session.send();
      expect(of("main").map(({ max_tokens }) => max_tokens)).toEqual([8_000, 5_000]);
      expect(kinds()).not.toContain("compact_started");
    },
    {
      answer: (request) => {
        if (request.max_tokens > 5_000) {
          const message = "input length and `max_tokens` exceed context limit: 195000 + 8000 > 200000, decrease input";
          throw refusal(400, "invalid_request_error", message);
        }
        return undefined;
      },
    },
  ));

test.each([
  ["overloaded", () => refusal(529, "overloaded_error", "Overloaded")],
  ["no connection", () => new Error("Connection error.")],
  ["a bad key", () => refusal(401, "authentication_error", "invalid x-api-key")],
])("RC5: %s is the caller's matter: thrown as it came, and the next send sends what was added", (_name, failure) =>
  play(
    async ({ session, of, kinds }) => {
      session.add({ role: "user", content: "Hello" });
      await expect(session.send()).rejects.toThrow(failure().message);
      await session.send();
      expect(of("main").map(({ messages }) => messages)).toEqual([of("main")[1]?.messages, of("main")[0]?.messages]);
      expect(kinds()).not.toContain("compact_started");
    },
    {
      answer: (_, __, nth) => {
        if (nth === 1) throw failure();
        return undefined;
      },
    },
  ),
);

test("MC2: after an hour of silence old results are cleared, the newest five stay", () =>
  play(
    async ({ session, clock, work, of, kinds }) => {
      session.add({ role: "user", content: "Go" });
      await work(2_000);
      await clock.sleep(61 * 60_000);
      session.add({ role: "user", content: "And now?" });
      await session.send();
      const text = JSON.stringify(of("main").at(-1)?.messages);
      expect(text.split("[Old tool result content cleared]")).toHaveLength(8);
      expect(kinds()).toContain("microcompact");
    },
    { answer: toolRounds(12), more: { config: noMemory } },
  ));

test("MC3: no cache_edits block is ever sent: the public API has none", () =>
  play(
    async ({ session, work, sent }) => {
      session.add({ role: "user", content: "Go" });
      await work(400);
      expect(JSON.stringify(sent)).not.toContain("cache_edits");
    },
    { answer: toolRounds(30) },
  ));

test("AC3: at the blocking limit nothing is sent, and compacting by hand opens the way again", () =>
  play(
    async ({ session, of }) => {
      session.add({ role: "user", content: "x".repeat(400_000) });
      await session.send();
      session.add({ role: "user", content: "Next" });
      const full = await session.send().catch((error: unknown) => error);
      expect(full).toBeInstanceOf(ConversationFull);
      expect(full).toMatchObject({ limit: 177_000, message: expect.stringContaining("Compact it by hand") });
      expect(of("main")).toHaveLength(1);
      expect(await session.compact("the parser")).toMatchObject({ kind: "compacted" });
      await session.send();
      expect(JSON.stringify(of("main")[1])).toContain("Next");
      expect(JSON.stringify(of("compact")[0])).toContain("the parser");
    },
    {
      answer: ({ messages }, { source }) =>
        source === "main" && messages.length === 1 && JSON.stringify(messages).length > 300_000
          ? { text: "ok", usage: { input_tokens: 178_000, output_tokens: 50 } as Anthropic.Usage }
          : undefined,
      more: { config: resolveConfig({ auto: { autoCompactEnabled: false } }).config },
    },
  ));

test("what the answer's form depends on stays with the conversation's own requests", () =>
  play(
    async ({ session, of }) => {
      session.add({ role: "user", content: "Hello" });
      await session.send();
      await session.compact();
      const shape = ["stop_sequences", "tool_choice", "metadata", "thinking", "output_config"] as const;
      const pick = (request?: Request) =>
        Object.fromEntries(shape.flatMap((key) => (request && key in request ? [[key, request[key]]] : [])));
      expect(pick(of("main")[0])).toEqual({
        stop_sequences: ["STOP"],
        tool_choice: { type: "any" },
        metadata: { user_id: "u1" },
        thinking: { type: "enabled", budget_tokens: 6_000 },
        output_config: { effort: "low", format: { type: "json_schema", schema: {} } },
      });
      expect(pick(of("compact")[0])).toEqual({
        metadata: { user_id: "u1" },
        thinking: { type: "enabled", budget_tokens: 6_000 },
        output_config: { effort: "low" },
      });
    },
    {
      request: {
        stop_sequences: ["STOP"],
        tool_choice: { type: "any" },
        metadata: { user_id: "u1" },
        thinking: { type: "enabled", budget_tokens: 6_000 },
        output_config: { effort: "low", format: { type: "json_schema", schema: {} } },
      },
      more: { config: noMemory },
    },
  ));

test("RC8: breakpoints of the caller's system prompt and tools stay as they are, those of messages are placed anew: four at most", () =>
  play(
    async ({ session, sent }) => {
      const marked = (text: string): Anthropic.MessageParam => ({
        role: "user",
        content: [{ type: "text", text, cache_control: { type: "ephemeral" } }],
      });
      for (let i = 0; i < 4; i++) {
        session.add(marked(`Part ${i}`));
        await session.send();
      }
      const { request } = sent[3] as World["sent"][number];
      const marks = (part: unknown) => JSON.stringify(part).split("cache_control").length - 1;
      expect([marks(request.system), marks(request.tools), marks(request.messages)]).toEqual([2, 1, 1]);
      expect(request.system).toEqual(twoMarks);
    },
    { request: { system: [...twoMarks] } },
  ));
const twoMarks: Anthropic.TextBlockParam[] = ["a", "b"].map((text) => ({
  type: "text",
  text,
  cache_control: { type: "ephemeral", ttl: "1h" },
}));

test("a session goes on from its state in another process, the compactor's part of it too", async () => {
  const saved = await play(
    async ({ session, work }) => {
      session.add({ role: "user", content: "Port the parser." });
      await work(40_000);
      session.add({ role: "user", content: "Not sent yet" });
      return JSON.parse(JSON.stringify(session.state())) as ReturnType<typeof session.state>;
    },
    { answer: toolRounds(20) },
  );
  expect(saved.compactor.lastCompaction).not.toBeNull();
  await play(
    async ({ session, of }) => {
      await session.send();
      const [request] = of("main");
      expect(JSON.stringify(request)).toContain("Not sent yet");
      expect(session.state()).toMatchObject({ turn: 2, round: saved.round + 1 });
      expect(session.state().compactor.lastCompaction).toEqual(saved.compactor.lastCompaction);
    },
    { more: { resume: saved } },
  );
});

test("a history of plain messages can be added before the first request, in its order", () =>
  play(async ({ session, of }) => {
    session.add(
      { role: "user", content: "Look" },
      { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "Read", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "ok" }] },
      { role: "assistant", content: "It is fine." },
      { role: "user", content: "Thanks." },
    );
    await session.send();
    const [request] = of("main");
    expect(request?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant", "user"]);
    expect(findTranscriptProblems((request?.messages ?? []) as never)).toEqual([]);
  }));

test("one request at a time, and the caller's abort is passed on and thrown", () =>
  play(
    async ({ session, sent }) => {
      session.add({ role: "user", content: "Hello" });
      const first = session.send();
      await expect(session.send()).rejects.toThrow(SessionBusy);
      await first;
      const user = new AbortController();
      session.add({ role: "user", content: "More" });
      user.abort();
      await expect(session.send({ signal: user.signal })).rejects.toThrow("stopped");
      expect(sent.at(-1)?.call.signal).toBe(user.signal);
    },
    {
      answer: (_, { signal }) => {
        if (signal?.aborted) throw new Error("stopped");
        return undefined;
      },
    },
  ));

test("a model that the table does not have is asked for by name; context collapse needs the agent", () => {
  const options = {
    request: { model: "gateway/sonnet", max_tokens: 10 },
    create: async (_: Request): Promise<Anthropic.Message> => Promise.reject(new Error("unused")),
    clock: createVirtualClock(0),
    uuid: () => "id",
  };
  expect(() => createPlainSession(options)).toThrow(UnknownModel);
  const request = { ...options.request, model: "claude-opus-4-5" };
  const { config } = resolveConfig({ auto: { mode: "collapse" } });
  expect(() => createPlainSession({ ...options, request, config })).toThrow("auto.mode");
});

test.each([
  [
    "media",
    () =>
      refusal(400, "invalid_request_error", "messages.0.content.0.image.source.base64: image exceeds 10 MB maximum"),
  ],
  [
    "input and max_tokens with no room left",
    () =>
      refusal(
        400,
        "invalid_request_error",
        "input length and `max_tokens` exceed context limit: 199500 + 8000 > 200000",
      ),
  ],
])("RC2: a refusal for %s is compacted away, too", (_name, refused) =>
  play(
    async ({ session, of, events }) => {
      session.add({ role: "user", content: "Look at this. ".repeat(2_000) });
      await session.send();
      session.add({ role: "user", content: "And now?" });
      await session.send();
      expect(of("main")).toHaveLength(3);
      expect(JSON.stringify(of("main")[2])).toContain("half ported");
      expect(events.filter((event) => event.kind === "compact_succeeded")).toMatchObject([{ trigger: "reactive" }]);
      expect(events.map(({ querySource }) => querySource)).toEqual(events.map(() => "main"));
    },
    {
      more: { config: noMemory },
      answer: (_, { source }, nth) => {
        if (source === "main" && nth === 2) throw refused();
        return undefined;
      },
    },
  ),
);

test("FC11: when the caller has aborted, a refusal for size compacts nothing", () => {
  const user = new AbortController();
  return play(
    async ({ session, kinds }) => {
      session.add({ role: "user", content: "Hello" });
      await expect(session.send({ signal: user.signal })).rejects.toMatchObject({ status: 400 });
      expect(kinds()).not.toContain("compact_started");
    },
    {
      answer: () => {
        user.abort();
        throw tooLong(207_000);
      },
    },
  );
});

test("a message with results and words is no waiting word: it stands where it was added", () =>
  play(
    async ({ session, of }) => {
      session.add({ role: "user", content: "Go" });
      await session.send();
      const id = "toolu_1_0";
      session.add({
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: id, content: "ok" },
          { type: "text", text: "and hurry" },
        ],
      });
      expect(session.transcript().at(-1)).toMatchObject({
        kind: "user",
        content: [{ type: "tool_result" }, { text: "and hurry" }],
      });
      await session.send();
      expect(of("main")[1]?.messages).toHaveLength(3);
      expect(session.state().turn).toBe(1);
    },
    { answer: (_, __, nth) => (nth === 1 ? { calls: 1 } : undefined) },
  ));
