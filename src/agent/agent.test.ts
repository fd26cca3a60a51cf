import { expect, test } from "vitest";
import { aToolUse, aUser, driveAgent } from "../testing/index.ts";
import type { SessionRecord, Strategy } from "./index.ts";
import { nothing } from "./index.ts";

const text = (text: string) => ({ type: "text", text }) as const;

test("RC1: a turn runs tools until the model has nothing more to do", async () => {
  await driveAgent(
    [
      { kind: "message", content: [text("Let me look."), aToolUse("t1", "Read", { path: "a" })] },
      { kind: "message", content: [text("Done.")] },
    ],
    async ({ agent, server, events, ran }) => {
      const result = await agent.turn("read a");
      expect(result).toEqual({ kind: "completed", rounds: 2, text: "Done." });
      expect(ran.map(({ id }) => id)).toEqual(["t1"]);
      expect(server.requests).toHaveLength(2);
      expect(server.requests[1]?.messages).toMatchObject([
        { role: "user", content: [{ type: "text", text: "read a" }] },
        { role: "assistant", content: [{ type: "text" }, { type: "tool_use", id: "t1", input: { path: "a" } }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "output of t1" }] },
      ]);
      expect(events.map(({ kind }) => kind)).toEqual([
        "turn_started",
        "request_sent",
        "tool_started",
        "response_received",
        "tool_finished",
        "request_sent",
        "response_received",
        "turn_ended",
      ]);
    },
  );
});

const done = { kind: "message", content: [text("Done.")] } as const;

test("ST4: without a world of its own a strategy finds no files, keeps texts under names of their own, and remembers", async () => {
  const seen: unknown[] = [];
  const curious: Strategy = {
    name: "curious",
    live: false,
    start: ({ read, spill, state, uuid }) => ({
      beforeRequest: async () => {
        seen.push(await read("/repo/a.ts"), spill("one"), spill("two"), state.get(), uuid());
        state.set({ n: 1 });
        seen.push(state.get());
        return nothing;
      },
    }),
  };
  await driveAgent([done], async ({ agent }) => agent.turn("go"), { strategy: curious });
  expect(seen).toEqual([null, "spill-1", "spill-2", null, "uuid-2", { n: 1 }]);
  seen.length = 0;
  const world = { readFile: async (path: string) => `content of ${path}`, spill: (kept: string) => `file of ${kept}` };
  await driveAgent([done], async ({ agent }) => agent.turn("go"), { strategy: curious, ...world });
  expect(seen.slice(0, 3)).toEqual(["content of /repo/a.ts", "file of one", "file of two"]);
});

test("a strategy without an answer to a command or to idleness is left alone", async () => {
  await driveAgent([done], async ({ agent, events }) => {
    expect(await agent.compact("")).toEqual({ kind: "ran", status: { kind: "nothing-to-do" } });
    await agent.idle(1_000);
    expect(events).toEqual([]);
    expect([agent.turns, agent.rounds]).toEqual([0, 0]);
    await agent.turn([text("go"), text("on")]);
    expect([agent.turns, agent.rounds]).toEqual([1, 1]);
    expect(agent.log()[0]).toMatchObject({ kind: "user", content: [text("go"), text("on")] });
  });
});

test("a turn that goes on is not resumed a second time, and what is said meanwhile is queued for it", async () => {
  const opening = aUser("go", { uuid: "u" });
  const records: SessionRecord[] = [];
  await driveAgent(
    [{ kind: "message", content: [aToolUse("t1", "Read", { ms: 500 })] }, done],
    async ({ agent, clock, server }) => {
      const first = clock.fork(() => agent.resume());
      await clock.sleep(100);
      expect(await agent.resume()).toBeNull();
      expect(await agent.turn("and this")).toEqual({ kind: "queued" });
      expect(records).toContainEqual({ kind: "queued", message: expect.objectContaining({ kind: "user" }) });
      expect(await clock.join(first)).toMatchObject({ kind: "completed" });
      expect(server.requests[1]?.messages.at(-1)?.content).toMatchObject([{}, { text: "and this" }]);
      await agent.turn("once more");
      expect(agent.turns).toBe(2);
    },
    { resume: [{ kind: "turn-started", turn: 1, opening }], store: { append: (record) => records.push(record) } },
  );
});

test("what opens a turn while a compaction runs is stored at once, and delivered once", async () => {
  const asked: string[] = [];
  const records: SessionRecord[] = [];
  await driveAgent(
    [done, done],
    async ({ agent, clock, server }) => {
      const compaction = clock.fork(() => agent.compact("all"));
      await clock.sleep(10);
      const turn = clock.fork(() => agent.turn("go"));
      await clock.sleep(10);
      expect(records).toEqual([{ kind: "queued", message: expect.objectContaining({ content: [text("go")] }) }]);
      expect(await agent.compact("again")).toEqual({ kind: "queued" });
      expect(await agent.turn("and on")).toEqual({ kind: "queued" });
      await clock.join(compaction);
      await clock.join(turn);
      expect(JSON.stringify(server.requests[0]?.messages).match(/go|and on/g)).toEqual(["go", "and on"]);
      expect(await agent.compact("later")).toMatchObject({ kind: "ran" });
      expect(asked).toEqual(["all", "later"]);
    },
    (clock) => ({
      store: { append: (record) => records.push(record) },
      strategy: {
        name: "slow",
        live: false,
        start: () => ({
          onCommand: async (_view, focus) => {
            asked.push(focus);
            await clock.sleep(1_000);
            return nothing;
          },
        }),
      },
    }),
  );
});
