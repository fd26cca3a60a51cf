import { expect, test } from "vitest";
import { resolveConfig } from "../compaction/index.ts";
import type { Reply } from "../testing/index.ts";
import { aModel, aToolUse, driveAgent } from "../testing/index.ts";
import type { Message } from "../transcript/index.ts";
import type { AgentOptions, Answer, Phase, Strategy, StrategySession, View } from "./index.ts";
import { fourLayer, nothing } from "./index.ts";

const say = (text: string) => ({ type: "text", text }) as const;
const answer = (...content: Extract<Reply, { kind: "message" }>["content"]): Reply => ({ kind: "message", content });
const done = answer(say("Done."));
const call = (id: string, ms = 10) => answer(aToolUse(id, "Read", { ms }));
const busy: Reply = { kind: "refusal", status: 529, type: "overloaded_error", message: "Overloaded" };

const strategy = (session: StrategySession, more: Partial<Strategy> = {}): Strategy => ({
  name: "given",
  live: false,
  start: () => session,
  ...more,
});
const with_ = (session: StrategySession, more: Partial<Strategy> = {}): Partial<AgentOptions> => ({
  strategy: strategy(session, more),
});

test("ST1: every moment comes at its place, with the phase of the request", async () => {
  const told: string[] = [];
  const at =
    (name: string) =>
    async (view: View): Promise<Answer> => {
      told.push(`${name} ${view.turn}.${view.round} pending ${view.pending !== null}`);
      return nothing;
    };
  const session: StrategySession = {
    beforeRequest: async (view, phase) => {
      told.push(phase);
      return at("before")(view);
    },
    afterResponse: (view) => at("after")(view),
    onTurnEnd: at("end"),
    onIdle: at("idle"),
    onCommand: at("command"),
  };
  await driveAgent(
    [call("t1"), done, done],
    async ({ agent }) => {
      await agent.turn("go");
      await agent.idle(5);
      await agent.compact("");
      await agent.turn("again");
    },
    with_(session),
  );
  expect(told).toEqual([
    "first-of-turn",
    "before 1.1 pending true",
    "after 1.1 pending false",
    "in-tool-loop",
    "before 1.2 pending false",
    "after 1.2 pending false",
    "end 1.2 pending false",
    "idle 1.2 pending false",
    "command 1.2 pending false",
    "first-of-turn",
    "before 2.3 pending true",
    "after 2.3 pending false",
    "end 2.3 pending false",
  ]);
});

test("ST1: after a resume and after a change of model the phase says so", async () => {
  const phases: Phase[] = [];
  const session: StrategySession = {
    beforeRequest: async (_view, phase) => {
      phases.push(phase);
      return nothing;
    },
  };
  const history: readonly Message[] = [{ kind: "user", uuid: "h", timestamp: 0, content: [say("old")] }];
  await driveAgent(
    [busy, busy, busy, done, done],
    async ({ agent }) => {
      await agent.turn("go");
      await agent.turn("again");
    },
    { ...with_(session), history, fallbackModel: aModel("claude-haiku-4-5") },
  );
  expect(phases).toEqual(["after-resume", "after-model-change", "after-model-change"]);
});

test("ST2: the view shows limits, usage and its age, and the model before", async () => {
  const views: View[] = [];
  const session: StrategySession = {
    beforeRequest: async (view) => {
      views.push(view);
      return view.round === 3
        ? { ...nothing, edits: [{ kind: "clear", toolUseIds: ["t1"], marker: "gone" }] }
        : nothing;
    },
  };
  await driveAgent(
    [call("t1"), call("t2"), busy, busy, busy, call("t3"), done],
    async ({ agent }) => agent.turn("go"),
    { ...with_(session), windowCap: 50_000, fallbackModel: aModel("claude-haiku-4-5") },
  );
  const [first, second, third, again, last] = views;
  expect(first).toMatchObject({
    lastUsage: null,
    limits: { window: 50_000, maxOutput: 64_000, requestMaxTokens: 8_000 },
  });
  expect(first?.overhead.system).toBeGreaterThan(0);
  expect(second?.lastUsage).toMatchObject({
    usage: { input_tokens: 1_000, output_tokens: 50 },
    olderThanLastEdit: false,
  });
  expect(third?.previousModel).toBeNull();
  expect(again?.lastUsage?.olderThanLastEdit).toBe(true);
  expect([again?.previousModel?.id, again?.model.id]).toEqual(["claude-opus-4-5", "claude-haiku-4-5"]);
  expect(last?.lastUsage?.olderThanLastEdit).toBe(false);
});

test("ST1: a strategy that rejects is reported, and the session goes on without it", async () => {
  await driveAgent(
    [done],
    async ({ agent, events }) => {
      expect((await agent.turn("go")).kind).toBe("completed");
      expect(events).toContainEqual(
        expect.objectContaining({ kind: "contract_broken", what: "given.beforeRequest rejected: TypeError: oops" }),
      );
    },
    with_({ beforeRequest: () => Promise.reject(new TypeError("oops")) }),
  );
});

test.each([
  [{}, 1],
  [{ repair: true as const }, 0],
])("ST3: a torn pair is reported, unless the strategy asks for repair (%o)", async (more, reports) => {
  const session: StrategySession = {
    beforeRequest: async ({ projection, round }) =>
      round === 2 ? { ...nothing, edits: [{ kind: "hide", uuids: [projection[2]?.uuid ?? ""] }] } : nothing,
  };
  await driveAgent(
    [call("t1"), done],
    async ({ agent, events, server }) => {
      expect((await agent.turn("go")).kind).toBe("completed");
      expect(events.filter(({ kind }) => kind === "contract_broken")).toHaveLength(reports);
      expect(events).toContainEqual(
        expect.objectContaining({ kind: "pairing_repaired", repairs: { "missing-result": 1 } }),
      );
      expect(server.requests[1]?.messages[2]?.content).toMatchObject([
        { type: "tool_result", is_error: true },
        { text: "Continue." },
      ]);
    },
    with_(session, more),
  );
});

test("ST3: edits that do not fit are refused whole, and reported", async () => {
  const session: StrategySession = {
    beforeRequest: async () => ({
      ...nothing,
      edits: [
        { kind: "append", messages: [] },
        { kind: "hide", uuids: ["nobody"] },
      ],
    }),
  };
  await driveAgent(
    [done],
    async ({ agent, events }) => {
      expect((await agent.turn("go")).kind).toBe("completed");
      expect(events).toContainEqual(expect.objectContaining({ what: "given: no message nobody in the projection" }));
      expect(events.filter(({ kind }) => kind === "edits_applied")).toEqual([]);
    },
    with_(session),
  );
});

test("ST3: applied edits are booked by kind, with the sizes before and after", async () => {
  const session: StrategySession = {
    beforeRequest: async ({ round }) =>
      round === 2 ? { ...nothing, edits: [{ kind: "clear", toolUseIds: ["t1"], marker: "-" }] } : nothing,
  };
  await driveAgent(
    [call("t1"), done],
    async ({ agent, events }) => {
      await agent.turn("go");
      const booked = events.find((event) => event.kind === "edits_applied");
      expect(booked).toMatchObject({ moment: "beforeRequest", edits: { clear: 1 } });
      // "output of t1" is 12 characters, the marker one: 11/4 tokens by 4/3, rounded up on both sides.
      expect(booked?.kind === "edits_applied" && booked.tokensBefore - booked.tokensAfter).toBe(3);
    },
    with_(session),
  );
});

test("ST3: `stop` ends the turn before a request, and what was said is kept", async () => {
  await driveAgent(
    [done],
    async ({ agent, server }) => {
      expect(await agent.turn("go")).toEqual({ kind: "blocked", rounds: 0, reason: "full" });
      expect(server.requests).toHaveLength(0);
      expect(agent.log()).toHaveLength(1);
    },
    with_({ beforeRequest: async () => ({ ...nothing, next: { kind: "stop", reason: "full" } }) }),
  );
});

test("ST3: `send-with-message` adds a message by the harness after the user's", async () => {
  await driveAgent(
    [done],
    async ({ agent, server }) => {
      await agent.turn("go");
      expect(server.requests[0]?.messages).toMatchObject([{ content: [{ text: "go" }, { text: "mind the context" }] }]);
      expect(agent.log()[1]).toMatchObject({ isMeta: true });
    },
    with_({
      beforeRequest: async () => ({ ...nothing, next: { kind: "send-with-message", text: "mind the context" } }),
    }),
  );
});

test("ST4: work in the background runs beside the session, and is seen when it is done", async () => {
  const seen: unknown[] = [];
  const backgrounding: Strategy = {
    name: "backgrounding",
    live: false,
    start: (ports) => {
      const good = ports.background("good", async () => {
        await ports.clock.sleep(100);
        return 7;
      });
      const bad = ports.background("bad", () => Promise.reject(new Error("broke")));
      return {
        beforeRequest: async () => {
          seen.push(good.poll().kind, await good.wait(50), await good.wait(1_000), good.poll(), bad.poll());
          return nothing;
        },
      };
    },
  };
  await driveAgent([done], async ({ agent }) => agent.turn("go"), { strategy: backgrounding });
  expect(seen).toEqual(["running", "running", "done", { kind: "done", value: 7 }, { kind: "failed", reason: "broke" }]);
});

const slowCommand = (log: string[], clock: { sleep(ms: number): Promise<void> }): StrategySession => ({
  onCommand: async (_view, focus) => {
    log.push(`start ${focus}`);
    await clock.sleep(1_000);
    log.push(`end ${focus}`);
    return { ...nothing, status: { kind: "done" } };
  },
  beforeRequest: async () => {
    log.push("request");
    return nothing;
  },
});

test("a manual compaction asked for while a turn runs is done once, before the next request", async () => {
  const log: string[] = [];
  await driveAgent(
    [call("t1", 500), done],
    async ({ agent, clock }) => {
      const turn = clock.fork(() => agent.turn("go"));
      await clock.sleep(100);
      expect(await agent.compact("first")).toEqual({ kind: "queued" });
      expect(await agent.compact("second")).toEqual({ kind: "queued" });
      await clock.join(turn);
    },
    (clock) => with_(slowCommand(log, clock)),
  );
  expect(log).toEqual(["request", "start first", "end first", "request"]);
});

test("two manual compactions at once are one run, and what is said meanwhile waits for it", async () => {
  const log: string[] = [];
  await driveAgent(
    [done],
    async ({ agent, clock }) => {
      const first = clock.fork(() => agent.compact("one"));
      const second = clock.fork(() => agent.compact("two"));
      await clock.sleep(10);
      expect((await agent.turn("go")).kind).toBe("completed");
      expect(await clock.join(first)).toEqual({ kind: "ran", status: { kind: "done" } });
      expect(await clock.join(second)).toEqual({ kind: "ran", status: { kind: "done" } });
    },
    (clock) => with_(slowCommand(log, clock)),
  );
  expect(log).toEqual(["start one", "end one", "request"]);
});

const small = { limits: { contextWindowCap: 40_000 }, auto: { autoCompactEnabled: false } } as const;
const summary = answer(say("<summary>long texts were pasted</summary>"));

test("AC3: at the blocking limit no request is sent, and a manual compaction opens the way again", async () => {
  const model = aModel("claude-opus-4-5");
  const { config } = resolveConfig(small, {}, model);
  await driveAgent(
    [{ ...done, inputTokens: 13_000 } as Reply, summary, done],
    async ({ agent, server }) => {
      await agent.turn("x".repeat(40_000));
      const blocked = await agent.turn(`and on ${"y".repeat(30_000)}`);
      expect(blocked).toMatchObject({ kind: "blocked", reason: expect.stringContaining("Compact it by hand") });
      expect(server.requests).toHaveLength(1);
      expect(await agent.compact("")).toMatchObject({ kind: "ran", status: { kind: "done" } });
      expect(await agent.turn("now")).toMatchObject({ kind: "completed" });
      expect(agent.projection()[0]?.kind).toBe("boundary");
    },
    { strategy: fourLayer({ config }), model, windowCap: 40_000 },
  );
});
