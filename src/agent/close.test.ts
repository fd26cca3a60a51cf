import { expect, test } from "vitest";
import type { AskReply } from "../compaction/index.ts";
import { aToolUse, aUser, driveAgent } from "../testing/index.ts";
import type { SessionRecord, Strategy } from "./index.ts";
import { nothing } from "./index.ts";

const done = { kind: "message", content: [{ type: "text", text: "Done." }] } as const;

/** Asks something in the background before the first request, and never looks at the answer. */
const asking = (replies: AskReply[]): Strategy => ({
  name: "asking",
  live: false,
  start: (ports) => ({
    beforeRequest: async () => {
      ports.background("notes", async () => {
        const reply = await ports.ask({
          purpose: "session_memory",
          messages: [aUser("What happened?")],
          instruct: "Take notes.",
          system: "none",
          tools: "none",
          thinking: "off",
          cacheEdits: "none",
          model: "main",
          maxOutput: 1_000,
        });
        replies.push(reply);
        ports.emit({ kind: "notice", code: "late", text: "too late", at: 0, turn: 0, round: 0, querySource: "main" });
      });
      return nothing;
    },
  }),
});

/** Runs `work` and tells it, when asked, how many real timers of ten minutes stand open: the SDK sets one for each request. */
async function countingTimers(work: (open: () => number) => Promise<void>): Promise<void> {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const open = new Set<unknown>();
  globalThis.setTimeout = ((callback: () => void, ms: number) => {
    const timer = set(callback, ms);
    if (ms === 600_000) open.add(timer);
    return timer;
  }) as typeof set;
  globalThis.clearTimeout = ((timer: NodeJS.Timeout) => {
    open.delete(timer);
    clear(timer);
  }) as typeof clear;
  try {
    await work(() => open.size);
  } finally {
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  }
}

test("what runs in the background ends with the conversation, leaves no timer of the SDK, and says nothing more", async () => {
  const replies: AskReply[] = [];
  const life = async (open: () => number) =>
    driveAgent(
      (_request, _nth, headers) => (headers.get("x-longhaul-source") === "main" ? done : { kind: "silence" }),
      async ({ agent, clock, events }) => {
        await agent.turn("go");
        await clock.sleep(1_000);
        expect(open()).toBe(1);
        expect(replies).toEqual([]);
        const told = events.length;
        agent.close();
        await clock.sleep(0);
        expect(replies).toEqual([{ kind: "aborted" }]);
        expect(open()).toBe(0);
        expect(events.length).toBe(told);
      },
      { strategy: asking(replies) },
    );
  await countingTimers(life);
});

test("a turn that runs when the conversation is put away ends as aborted, and another agent goes on with it", async () => {
  const records: SessionRecord[] = [];
  const store = { append: (record: SessionRecord) => records.push(structuredClone(record)) };
  await driveAgent(
    [{ kind: "message", content: [aToolUse("t1", "Read", { ms: 60_000 })] }],
    async ({ agent, clock, events }) => {
      const user = new AbortController();
      const turn = clock.fork(() => agent.turn("go", user.signal));
      await clock.sleep(1_000);
      const [told, kept] = [events.length, records.length];
      agent.close();
      expect(await clock.join(turn)).toMatchObject({ kind: "aborted" });
      expect([events.length, records.length]).toEqual([told, kept]);
      expect(await agent.turn("and on")).toMatchObject({ kind: "aborted" });
      expect([events.length, records.length]).toEqual([told, kept]);
    },
    { store },
  );
  await driveAgent(
    [done],
    async ({ agent, server }) => {
      expect(await agent.resume()).toEqual({ kind: "completed", rounds: 1, text: "Done." });
      expect(server.requests[0]?.messages.at(-1)?.content).toMatchObject([{ tool_use_id: "t1", is_error: true }]);
    },
    { resume: records },
  );
});
