import { expect, test } from "vitest";
import {
  aBoundary,
  anAssistant,
  anImage,
  aResultMessage,
  aToolUse,
  aUser,
  createVirtualClock,
  inOrder,
} from "../../testing/index.ts";
import type { ModelInfo } from "../../tokens/index.ts";
import { findModel, roughEstimator } from "../../tokens/index.ts";
import type { Message } from "../../transcript/index.ts";
import { textOf } from "../../transcript/index.ts";
import type { ConfigInput } from "../check-config.ts";
import type { CompactorPorts } from "../context.ts";
import type { CompactionFact } from "../events.ts";
import { applyPlan } from "../plan.ts";
import { resolveConfig } from "../resolve-config.ts";
import { freshMeter } from "./extraction-trigger.ts";
import { notesTemplate, writeNotes } from "./notes-template.ts";
import { createSessionMemory } from "./session-memory.ts";
import type { SessionMemoryInput, SessionMemoryOutcome } from "./try-session-memory-compact.ts";
import { trySessionMemoryCompact } from "./try-session-memory-compact.ts";

const model = findModel("claude-sonnet-4-5") as ModelInfo;

/** Rounds of about 1 000 padded tokens; `m0` is the person, `m1` and `m2` the first round. */
function session(rounds: number): readonly Message[] {
  const made = Array.from({ length: rounds }, (_, i) => [
    anAssistant([{ type: "text", text: `Step ${i}.` }, aToolUse(`t${i}`)], { id: `msg_${i}` }),
    aResultMessage(`t${i}`, `${i}`.padEnd(2_900, "x")),
  ]);
  return inOrder([aUser("Port the parser."), ...made.flat()]);
}

interface World {
  readonly messages?: readonly Message[];
  readonly notes?: string | null;
  readonly covered?: string | null;
  readonly config?: ConfigInput;
  readonly ports?: Partial<CompactorPorts>;
  readonly input?: Partial<SessionMemoryInput>;
  readonly context?: Partial<SessionMemoryInput["context"]>;
}

const someNotes = writeNotes(new Map([["Current State", "The lexer is done."]]));

async function attempt(world: World = {}): Promise<{ outcome: SessionMemoryOutcome; facts: CompactionFact[] }> {
  const clock = createVirtualClock(0);
  const { config } = resolveConfig(world.config);
  const facts: CompactionFact[] = [];
  let ids = 0;
  const ports: CompactorPorts = {
    clock,
    ids: { uuid: () => `made-${ids++}` },
    estimator: roughEstimator,
    emit: (fact) => facts.push(fact),
    ask: () => Promise.reject(new Error("session memory asks nobody")),
    ...world.ports,
  };
  const memory = createSessionMemory(config.sessionMemory, ports, {
    notes: world.notes === undefined ? someNotes : world.notes,
    lastSummarizedUuid: world.covered === undefined ? "m280" : world.covered,
    meter: freshMeter,
  });
  const input: SessionMemoryInput = {
    messages: world.messages ?? session(150),
    context: {
      model,
      overheadTokens: 5_000,
      querySource: "main",
      turn: 1,
      round: 150,
      requestMaxTokens: 8_000,
      autonomous: false,
      ...world.context,
    },
    trigger: "auto",
    threshold: 167_000,
    keep: config.sessionMemory.keep,
    ...world.input,
  };
  const outcome = await clock.run(() => trySessionMemoryCompact(input, memory, config, ports));
  return { outcome, facts };
}

async function planOf(world: World = {}) {
  const { outcome } = await attempt(world);
  if (outcome.kind !== "compacted") throw new Error(JSON.stringify(outcome));
  return outcome.plan;
}

test("SM5, FC9: boundary, notes as summary, newest human message, then the recent tail, object for object", async () => {
  const messages = session(150);
  const plan = await planOf({ messages });
  const after = applyPlan(messages, plan);
  expect(after.slice(0, 3).map(({ kind }) => kind)).toEqual(["boundary", "user", "user"]);
  expect(textOf(after[1] as Message)).toContain("The lexer is done.");
  expect(after[2]).toBe(messages[0]);
  expect(after.slice(3)).toEqual(messages.slice(plan.keep.from));
  expect(messages.slice(plan.keep.from).every((message, i) => after[3 + i] === message)).toBe(true);
  expect(plan.boundary).toMatchObject({
    trigger: "auto",
    keptUuids: ["m0", ...messages.slice(plan.keep.from).map(({ uuid }) => uuid)],
  });
});

test("SM3: everything after the last covered message is kept", async () => {
  expect((await planOf({ covered: "m200" })).keep).toEqual({ from: 201, to: 301 });
});

test("SM4: a kept part that would split a pair starts earlier, and says so", async () => {
  const { outcome, facts } = await attempt({ covered: "m199" });
  expect(outcome).toMatchObject({ plan: { keep: { from: 199 } } });
  expect(facts).toContainEqual({ kind: "index_adjusted", from: 200, to: 199, why: "tool-pair" });
});

test.each<[string, World]>([
  ["disabled", { config: { sessionMemory: { enabled: false } } }],
  ["no-notes", { notes: null }],
  ["no-notes", { notes: " \n" }],
  ["blank-notes", { notes: notesTemplate }],
  ["no-last-id", { covered: null }],
  ["last-id-not-live", { covered: "m9999" }],
  [
    "last-id-not-live",
    { messages: [...session(150), aBoundary({ uuid: "b" }), ...inOrder([aUser("New.")])], covered: "m280" },
  ],
  ["nothing-to-summarise", { messages: session(3), covered: "m6" }],
  ["result-too-large", { input: { threshold: 16_000 } }],
  ["result-too-large", { covered: "m1", messages: session(170) }],
])("SM5, SM7: skipped for the reason %s: %#", async (reason, world) => {
  expect((await attempt(world)).outcome).toEqual({ kind: "skipped", reason });
});

test("SM5: the original takes a resumed session without id for covered to its last message", async () => {
  const config = { sessionMemory: { resumedWithoutId: "last-message" } } as const;
  const plan = await planOf({ covered: null, config });
  expect(plan.keep.to - plan.keep.from).toBeLessThan(30);
  expect(plan.keep.from).toBeGreaterThan(270);
});

test("SM7: whatever throws is a reason to skip", async () => {
  const notes = {
    path: "/notes.md",
    read: () => {
      throw new Error("disk gone");
    },
    write: () => {},
  };
  expect((await attempt({ ports: { notes } })).outcome).toEqual({ kind: "skipped", reason: "error: disk gone" });
});

test("SM5: notes over their limits are cut, with the place of the whole", async () => {
  const notes = writeNotes(new Map([["Workflow", "make ".repeat(4_000)]]));
  const plan = await planOf({ ports: { notes: { path: "/notes.md", read: () => notes, write: () => {} } } });
  expect(plan.summary).toContain("the whole notes are at /notes.md");
  expect(plan.summary.length).toBeLessThan(12_000);
});

test("SM5: the plan is shown again, and nothing else that full compaction would attach", async () => {
  const announce = {
    plan: () => "1. lexer 2. parser",
    skills: () => [{ name: "review", text: "How to review." }],
    runningAgents: () => "one",
    deferredTools: () => "many",
    agents: () => "some",
    mcpInstructions: () => "none",
  };
  const { tail } = await planOf({ ports: { announce } });
  expect(tail).toMatchObject([{ kind: "attachment", attachment: { kind: "plan" } }]);
});

test("SM5: SessionStart hooks run, and one that fails is skipped", async () => {
  const plan = await planOf({ ports: { hooks: { sessionStart: async () => "Remember the style guide." } } });
  expect(plan.tail.map(textOf)).toEqual([expect.stringContaining("Remember the style guide.")]);
  const failing = await attempt({ ports: { hooks: { sessionStart: () => Promise.reject(new Error("boom")) } } });
  expect(failing.outcome).toMatchObject({ kind: "compacted", plan: { tail: [] } });
  expect(failing.facts).toContainEqual(expect.objectContaining({ kind: "notice", code: "hook_failed" }));
});

test("FC11: an abort changes nothing and is no reason to fall back", async () => {
  const abort = new AbortController();
  abort.abort();
  expect((await attempt({ context: { signal: abort.signal } })).outcome).toEqual({ kind: "aborted" });
});

test("FC11: an abort while the result is counted, before or after the hooks, is an abort too", async () => {
  for (const abortAt of [1, 2, 3, 4]) {
    const abort = new AbortController();
    let counts = 0;
    const count = async () => {
      if (++counts === abortAt) abort.abort();
      return 1_000 - counts;
    };
    const hooks = { sessionStart: async () => "from the hook" };
    const { outcome } = await attempt({ context: { signal: abort.signal }, ports: { count, hooks } });
    expect(outcome).toEqual({ kind: "aborted" });
  }
});

test("FC9: a message that waits makes it needless to keep an older one", async () => {
  const plan = await planOf({ context: { pending: aUser("Next task.", { uuid: "p" }) } });
  expect(plan.head).toHaveLength(2);
});

test("SM6: the whole compaction looks at each message a bounded number of times, whatever the length", async () => {
  let looks = 0;
  const estimator = {
    ...roughEstimator,
    message: (message: Message) => {
      looks++;
      return roughEstimator.message(message);
    },
  };
  const messages = session(5_000);
  await planOf({ messages, covered: "m9990", ports: { estimator }, input: { threshold: 1_000_000 } });
  expect(looks).toBeLessThan(3 * messages.length);
});

test("MC3, FC9: what the server has deleted weighs its marker before the compaction", async () => {
  const messages = session(150);
  const deletedResults = Array.from({ length: 60 }, (_, i) => `t${i}`);
  const { outcome } = await attempt({ messages, input: { deletedResults } });
  const without = await attempt({ messages });
  if (outcome.kind !== "compacted" || without.outcome.kind !== "compacted") throw new Error(outcome.kind);
  expect(outcome.plan.tokensAfter).toBe(without.outcome.plan.tokensAfter);
  const deletedTokens = (60 * (2_900 - 33)) / 3;
  expect(without.outcome.plan.tokensBefore - outcome.plan.tokensBefore).toBe(deletedTokens);
});

test("SM4: where nothing is in the way, nothing is said about it", async () => {
  expect((await attempt({ covered: "m200" })).facts).toEqual([]);
});

test("SM5: what is shown again is what the kept part shows, and what came before the last boundary weighs nothing", async () => {
  const messages = session(150);
  const plan = await planOf({ messages });
  const paths = messages
    .slice(plan.keep.from)
    .flatMap((message) =>
      message.kind === "assistant"
        ? message.content.flatMap((block) =>
            block.type === "tool_use" ? [(block.input as { file_path: string }).file_path] : [],
          )
        : [],
    );
  expect(plan.reattached).toEqual(paths);
  const old = session(30).map((message) => ({ ...message, uuid: `old-${message.uuid}` }));
  const longer = [...old, aBoundary({ uuid: "b" }), ...messages];
  expect((await planOf({ messages: longer })).tokensBefore).toBe(plan.tokensBefore);
});

test("FC8: the notes are framed by who asked, by where all of it stands, and by whether anything follows", async () => {
  const framed = async (world: World = {}): Promise<string> => textOf((await planOf(world)).head[1] as Message);
  const usual = await framed();
  expect(usual).toContain("Recent messages follow");
  expect(usual).toContain("Go on with the work");
  expect(usual).not.toContain("full transcript");
  expect(await framed({ input: { trigger: "manual" } })).not.toContain("Go on with the work");
  expect(await framed({ ports: { transcriptPath: "/all.jsonl" } })).toContain("/all.jsonl");
  const nothingKept = { minTokens: 0, minTextBlockMessages: 0, maxTokens: 1 };
  expect(await framed({ covered: "m300", input: { keep: nothingKept } })).not.toContain("Recent messages follow");
  expect((await planOf()).layer).toBe("session-memory");
  expect((await planOf()).head[1]).toMatchObject({ kind: "user", isCompactSummary: true, timestamp: 0 });
});

test("FC9: the newest human message keeps its images", async () => {
  const messages = inOrder<Message>([aUser([{ type: "text", text: "Look." }, anImage()]), ...session(150).slice(1)]);
  expect((await planOf({ messages })).head[2]).toBe(messages[0]);
});

test("SM5: from the threshold on a result is too large; below it, it is not", async () => {
  const { tokensAfter } = await planOf();
  expect((await attempt({ input: { threshold: tokensAfter } })).outcome).toMatchObject({ reason: "result-too-large" });
  expect((await attempt({ input: { threshold: tokensAfter + 1 } })).outcome.kind).toBe("compacted");
});

test("AC8: notes that weigh as much as what they replace are no gain, unless there is no guard, as in the original", async () => {
  const inflated = { kind: "skipped", reason: "inflated" };
  expect((await attempt({ messages: session(100), covered: "m0" })).outcome).toEqual(inflated);
  const even = { ports: { count: async () => 50_000 } };
  expect((await attempt(even)).outcome).toEqual(inflated);
  const unguarded = { ...even, config: { auto: { thrashGuard: null } } };
  expect((await attempt(unguarded)).outcome.kind).toBe("compacted");
});

test("SM5: a hook without a word changes nothing; one that fails is named; an abort ends the wait for it", async () => {
  const silent = await planOf({ ports: { hooks: { sessionStart: async () => null } } });
  expect(silent).toEqual(await planOf());
  const { facts } = await attempt({ ports: { hooks: { sessionStart: () => Promise.reject(new Error("boom")) } } });
  expect(facts).toContainEqual(expect.objectContaining({ text: expect.stringContaining("SessionStart") }));

  const abort = new AbortController();
  const sessionStart = async (): Promise<string> => {
    abort.abort();
    return "Too late.";
  };
  const outcome = (await attempt({ context: { signal: abort.signal }, ports: { hooks: { sessionStart } } })).outcome;
  expect(outcome).toEqual({ kind: "aborted" });
});

test("FC11: an abort is an abort before anything else is looked at, and also while the result is counted", async () => {
  const abort = new AbortController();
  const count = async (): Promise<number> => {
    abort.abort();
    return 50_000;
  };
  const counted = { context: { signal: abort.signal }, ports: { count }, input: { threshold: 1 } };
  expect((await attempt(counted)).outcome).toEqual({ kind: "aborted" });
  expect((await attempt({ notes: null, context: { signal: abort.signal } })).outcome).toEqual({ kind: "aborted" });
});
