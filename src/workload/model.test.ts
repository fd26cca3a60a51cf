import { expect, test } from "vitest";
import { createRng } from "../determinism/index.ts";
import type { WireBlock, WireMessage, WireRequest } from "../transcript/index.ts";
import { createWorkload } from "./create-workload.ts";
import type { DryConversation } from "./dry-conversation.ts";
import { converse } from "./dry-conversation.ts";
import type { ModelTrace } from "./trace.ts";
import type { ModelContext, ProfileName, Workload } from "./workload.ts";

const context: ModelContext = { source: "main", rng: createRng("context"), nowMs: 0 };

function workload(profile: ProfileName = "bugfix", rounds = 120, seed = "model"): Workload {
  return createWorkload({ profile, rounds, rng: createRng(seed) });
}

function requestOf(world: Workload, messages: readonly WireMessage[]): WireRequest {
  return {
    model: "m",
    max_tokens: 8000,
    system: world.system,
    tools: world.tools,
    messages,
    thinking: { type: "adaptive" },
  };
}

function dry(
  world: Workload,
  show?: (messages: readonly WireMessage[], round: number) => readonly WireMessage[],
): DryConversation {
  return converse(world, { mostRounds: 500, rng: createRng("dry"), ...(show === undefined ? {} : { show }) });
}

const kinds = (trace: readonly ModelTrace[]): ReadonlySet<string> => new Set(trace.map(({ kind }) => kind));

/** A session as it was, cut after an assistant message's results, for asking the model what comes next. */
const whole = dry(workload());
const results = (blocks: WireMessage["content"] | undefined): readonly WireBlock[] =>
  (Array.isArray(blocks) ? (blocks as readonly WireBlock[]) : []).filter(({ type }) => type === "tool_result");

test("M1: the answer is a function of the request and the seed: no other call, and no earlier one, changes it", () => {
  const [fresh, used] = [workload(), workload()];
  dry(used);
  for (const length of [1, 9, 31, 80]) {
    const request = requestOf(fresh, whole.messages.slice(0, length));
    if (request.messages.at(-1)?.role !== "user") continue;
    const answer = fresh.model(request, context).content;
    expect(used.model(request, context).content).toEqual(answer);
    expect(fresh.model(structuredClone(request), { ...context, rng: createRng("another"), nowMs: 5 }).content).toEqual(
      answer,
    );
  }
});

test("M1: a step whose call stands there with a result is not taken again; with an error it is, three times, and then given up", () => {
  const at = whole.messages.findIndex(({ role, content }) => role === "user" && results(content).length === 1);
  const history = whole.messages.slice(0, at + 1);
  const world = workload();
  const step = (messages: readonly WireMessage[]): unknown => {
    const call = world.model(requestOf(world, messages), context).content.find((block) => block.kind === "tool-call");
    return call?.kind === "tool-call" ? call.input.step : undefined;
  };
  const answer = (history[at - 1]?.content ?? []) as readonly WireBlock[];
  const taken = answer.find(({ type }) => type === "tool_use");
  const mark = (taken?.input as { step?: unknown } | undefined)?.step;
  expect(mark).toBeTypeOf("string");
  expect(step(history)).not.toBe(mark);
  const failed = (n: number): WireMessage[] =>
    Array.from({ length: n }, (_, i) => [
      { role: "assistant" as const, content: [{ ...taken, type: "tool_use", id: `again_${i}` }] },
      {
        role: "user" as const,
        content: [{ type: "tool_result", tool_use_id: `again_${i}`, content: "no", is_error: true }],
      },
    ]).flat();
  const before = history.slice(0, at - 1);
  expect(step([...before, ...failed(1)])).toBe(mark);
  expect(step([...before, ...failed(2)])).toBe(mark);
  expect(step([...before, ...failed(3)])).not.toBe(mark);
});

test("M2: with the whole history in sight nothing is forgotten", () => {
  const forgotten = ["violation", "refetch", "duplicate_work", "lost_goal", "stale_value"].filter((kind) =>
    kinds(whole.trace).has(kind),
  );
  expect(forgotten).toEqual([]);
});

test("M2: with the middle of the history cut away, it reads again, breaks promises, repeats work and loses goals", () => {
  const world = workload("bugfix", 300);
  const run = dry(world, (messages) => {
    if (messages.length <= 60) return messages;
    let from = messages.length - 50;
    while (messages[from]?.role !== "assistant") from++;
    return [{ role: "user", content: "Go on." }, ...messages.slice(from)];
  });
  for (const kind of ["violation", "refetch", "lost_goal", "duplicate_work"]) expect(kinds(run.trace)).toContain(kind);
});

test("M2: an outdated value is used where its correction is out of sight", () => {
  const world = workload("bugfix", 700);
  const corrected = world.facts.filter(({ supersededBy }) => supersededBy !== null);
  expect(corrected.length).toBeGreaterThan(1);
  const corrections = world.facts.filter(({ id }) => corrected.some(({ supersededBy }) => supersededBy === id));
  const strip = withoutAll(corrections.map(({ token }) => token));
  const run = converse(world, {
    mostRounds: 1500,
    rng: createRng("stale"),
    show: (messages) => messages.map(strip),
  });
  expect(kinds(run.trace)).toContain("stale_value");
});

test("M2: without its goal in sight the model asks, and the user says it again", () => {
  const world = workload("long-autonomous");
  const { content, trace } = world.model(requestOf(world, [{ role: "user", content: "Go on." }]), context);
  expect(content).toHaveLength(1);
  expect(kinds(trace)).toEqual(new Set(["lost_goal"]));
  const first = world.user.next(null);
  expect(first?.kind).toBe("say");
  world.model(
    requestOf(world, [{ role: "user", content: first?.kind === "say" ? first.content : "" } as WireMessage]),
    context,
  );
  const again = world.user.next(content[0]?.kind === "text" ? content[0].text : "");
  expect(again).toMatchObject({ kind: "say", why: "restate", goals: world.goals.map(({ id }) => id) });
});

test("M2: a cleared tool result is read again only when what stood in it is needed", () => {
  const world = workload("bugfix", 300);
  const run = dry(world, (messages) =>
    messages.map((message, i) => {
      if (i > messages.length - 6 || typeof message.content === "string") return message;
      return {
        ...message,
        content: message.content.map((block) =>
          block.type === "tool_result" ? { ...block, content: "[cleared]" } : block,
        ),
      };
    }),
  );
  expect(kinds(run.trace)).toContain("refetch");
  for (const kind of ["violation", "duplicate_work", "lost_goal"]) expect(kinds(run.trace)).not.toContain(kind);
});

test("M3: an answer has thinking first, then text, then calls; without leave to think it has none, and with `enabled` it always thinks", () => {
  const world = workload();
  for (let length = 1; length < whole.messages.length; length += 2) {
    if (whole.messages[length - 1]?.role !== "user") continue;
    const request = requestOf(world, whole.messages.slice(0, length));
    const order = world
      .model(request, context)
      .content.map(({ kind }) => ["thinking", "text", "tool-call"].indexOf(kind));
    expect(order).toEqual([...order].sort());
    const { thinking: _, ...silent } = request;
    expect(world.model(silent, context).content.map(({ kind }) => kind)).not.toContain("thinking");
    const strict: WireRequest = { ...request, thinking: { type: "enabled", budget_tokens: 2000 } };
    expect(world.model(strict, context).content[0]?.kind).toBe("thinking");
  }
});

test("M3: a tool that the request no longer offers is not called", () => {
  const world = workload("mcp-heavy", 150);
  const tools = world.tools.filter(({ name }) => !name.startsWith("mcp__"));
  const run = converse({ ...world, tools }, { mostRounds: 600, rng: createRng("gone") });
  const called = run.messages
    .flatMap(({ content }) => (Array.isArray(content) ? (content as readonly WireBlock[]) : []))
    .filter(({ type }) => type === "tool_use");
  expect(called.filter(({ name }) => String(name).startsWith("mcp__"))).toEqual([]);
  expect(new Set(run.trace.flatMap((trace) => (trace.kind === "goal_done" ? [trace.goal] : []))).size).toBe(
    world.goals.length,
  );
});

/** Messages with the tokens taken out; the same message gives the same result. */
function withoutAll(tokens: readonly string[]): (message: WireMessage) => WireMessage {
  const known = new Map<WireMessage, WireMessage>();
  return (message) => {
    let stripped = known.get(message);
    if (stripped === undefined) {
      const text = JSON.stringify(message);
      const isClean = !tokens.some((token) => text.includes(token));
      stripped = isClean
        ? message
        : (JSON.parse(tokens.reduce((rest, token) => rest.replaceAll(token, "that"), text)) as WireMessage);
      known.set(message, stripped);
    }
    return stripped;
  };
}
