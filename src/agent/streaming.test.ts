import { expect, test } from "vitest";
import type { Reply } from "../testing/index.ts";
import { aThinking, aToolUse, driveAgent } from "../testing/index.ts";
import type { Message } from "./../transcript/index.ts";

const say = (text: string) => ({ type: "text", text }) as const;
const answer = (...content: Extract<Reply, { kind: "message" }>["content"]): Reply => ({ kind: "message", content });
const slow = (delayMs: number, ...content: Extract<Reply, { kind: "message" }>["content"]): Reply => ({
  kind: "message",
  content,
  delayMs,
});
const done = answer(say("Done."));
const call = (id: string, ms = 10) => aToolUse(id, "Read", { ms });
const shape = (messages: readonly Message[]) =>
  messages.map((message) =>
    message.kind === "user" || message.kind === "assistant"
      ? message.content.map((block) =>
          block.type === "tool_result"
            ? `result ${block.tool_use_id}`
            : block.type === "tool_use"
              ? `call ${block.id}`
              : block.type,
        )
      : [message.kind],
  );

test("M2: each block of an answer is a message of its own, all with the response's id", async () => {
  await driveAgent([answer(aThinking(), say("Look."), call("t1"), call("t2")), done], async ({ agent }) => {
    await agent.turn("go");
    const parts = agent.log().slice(1, 5);
    expect(shape(parts)).toEqual([["thinking"], ["text"], ["call t1"], ["call t2"]]);
    expect(parts.map((message) => message.kind === "assistant" && message.id)).toEqual(Array(4).fill("msg_1"));
    const ends = parts.map(
      (message) => message.kind === "assistant" && [message.stopReason, message.usage?.output_tokens],
    );
    expect(ends).toEqual([
      [null, 1],
      [null, 1],
      [null, 1],
      ["tool_use", 50],
    ]);
    expect(new Set(parts.map(({ uuid }) => uuid)).size).toBe(4);
  });
});

test("M2: a tool starts when its call is whole, and its result stands where it arrived", async () => {
  await driveAgent([slow(100, call("t1", 150), say("Meanwhile, on.")), done], async ({ agent, server }) => {
    await agent.turn("go");
    expect(shape(agent.log())).toEqual([["text"], ["call t1"], ["result t1"], ["text"], ["text"]]);
    expect(server.requests[1]?.messages).toMatchObject([
      { role: "user" },
      { role: "assistant", content: [{ type: "tool_use", id: "t1" }, { type: "text" }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t1" }] },
    ]);
  });
});

test("RC1: the tools of one answer run side by side, and the next request waits for all", async () => {
  await driveAgent(
    [answer(call("t1", 3_000), call("t2", 1_000), call("t3", 2_000)), done],
    async ({ agent, clock }) => {
      const start = clock.now();
      await agent.turn("go");
      expect(clock.now() - start).toBe(3_000);
      expect(shape(agent.log()).slice(4, 7)).toEqual([["result t2"], ["result t3"], ["result t1"]]);
    },
  );
});

test("S3: what came interleaved is stored in the order of the answer", async () => {
  // The mock of mock-api plays this over the wire; here the client's events are given by hand.
  const reordered = (["t2", "t1"] as const).map((id, i) => ({ kind: "block" as const, index: 1 - i, block: call(id) }));
  let asked = 0;
  await driveAgent(
    [],
    async ({ agent }) => {
      await agent.turn("go");
      expect(shape(agent.log()).slice(1, 3)).toEqual([["call t1"], ["call t2"]]);
    },
    {
      client: {
        async *send() {
          asked++;
          const response = {
            messageId: `m${asked}`,
            model: "x",
            content: [],
            unfinished: [],
            stopReason: "end_turn",
            usage: null,
          };
          yield { kind: "started", messageId: response.messageId, model: "x", usage: null };
          if (asked === 1) yield* reordered;
          yield { kind: "complete", response };
        },
      },
    },
  );
});

test("RC1: a tool output above the cap is cut in the middle when it arrives, and says so", async () => {
  const long = `start${"x".repeat(1_000)}end`;
  await driveAgent(
    [answer(call("t1")), done],
    async ({ agent, events }) => {
      await agent.turn("go");
      const result = agent.log()[2];
      const block = result?.kind === "user" ? result.content[0] : undefined;
      expect(block).toMatchObject({
        content: expect.stringMatching(/^startx+\n\[… 908 characters left out .*…\]\nx+end$/),
      });
      expect(events).toContainEqual(expect.objectContaining({ kind: "tool_finished", isError: false }));
    },
    { config: { toolOutputCapChars: 100 }, tools: { run: async () => ({ content: long, isError: false }) } },
  );
});

test("a tool that rejects is an error result, and the turn goes on", async () => {
  await driveAgent(
    [answer(call("t1")), done],
    async ({ agent, server }) => {
      expect((await agent.turn("go")).kind).toBe("completed");
      expect(server.requests[1]?.messages[2]?.content).toMatchObject([{ tool_use_id: "t1", is_error: true }]);
    },
    { tools: { run: () => Promise.reject(new Error("broken")) } },
  );
});

test("a tool that never ends is stopped, and answered with an error", async () => {
  await driveAgent(
    [answer(call("t1", Number.MAX_SAFE_INTEGER), call("t2")), done],
    async ({ agent, clock, server }) => {
      const start = clock.now();
      expect((await agent.turn("go")).kind).toBe("completed");
      expect(clock.now() - start).toBe(60_000);
      expect(server.requests[1]?.messages[2]?.content).toMatchObject([
        { tool_use_id: "t2", content: "output of t2" },
        { tool_use_id: "t1", is_error: true },
      ]);
    },
    { config: { toolTimeoutMs: 60_000 } },
  );
});

test("a stop reason that denies its own tool call is not believed", async () => {
  await driveAgent(
    [{ kind: "message", content: [call("t1")], stopReason: "end_turn" }, done],
    async ({ agent, ran }) => {
      expect(await agent.turn("go")).toMatchObject({ kind: "completed", rounds: 2 });
      expect(ran).toHaveLength(1);
    },
  );
});

test("an answer without content ends the turn, and its usage is kept", async () => {
  await driveAgent([answer()], async ({ agent }) => {
    expect(await agent.turn("go")).toEqual({ kind: "completed", rounds: 1, text: "" });
    expect(agent.log()[1]).toMatchObject({ kind: "assistant", content: [], usage: { output_tokens: 50 } });
  });
});

test("pause_turn asks again without a word from the user", async () => {
  await driveAgent(
    [{ kind: "message", content: [say("searching")], stopReason: "pause_turn" }, done],
    async ({ agent }) => {
      expect(await agent.turn("go")).toMatchObject({ kind: "completed", rounds: 2 });
    },
  );
});

test("a call id that comes a second time is not run again", async () => {
  await driveAgent([answer(call("t1")), answer(call("t1"), call("t2")), done], async ({ agent, ran }) => {
    await agent.turn("go");
    expect(ran.map(({ id }) => id)).toEqual(["t1", "t2"]);
  });
});

test("abort while the answer streams: what is whole stays, the tools end, and no call is left open", async () => {
  await driveAgent(
    [slow(100, say("Hm."), call("t1", 60_000), say("never seen")), done],
    async ({ agent, clock, server, events }) => {
      const user = new AbortController();
      clock.timer(950, () => user.abort());
      const start = clock.now();
      expect(await agent.turn("go", user.signal)).toEqual({ kind: "aborted", rounds: 0 });
      expect(clock.now() - start).toBeLessThan(1_100);
      expect(shape(agent.log())).toEqual([["text"], ["text"], ["call t1"], ["result t1"]]);
      expect(events.slice(-2).map(({ kind }) => kind)).toEqual(["user_aborted", "turn_ended"]);
      await agent.turn("on");
      expect(server.requests[1]?.messages.at(-1)).toMatchObject({
        content: [
          { tool_use_id: "t1", is_error: true },
          { type: "text", text: "on" },
        ],
      });
    },
  );
});

test("abort while a retry waits ends the turn at once", async () => {
  const busy: Reply = {
    kind: "refusal",
    status: 429,
    type: "rate_limit_error",
    message: "x",
    headers: { "retry-after": "500" },
  };
  await driveAgent([busy], async ({ agent, clock }) => {
    const user = new AbortController();
    clock.timer(950, () => user.abort());
    const start = clock.now();
    expect((await agent.turn("go", user.signal)).kind).toBe("aborted");
    expect(clock.now() - start).toBe(950);
  });
});

test("abort while tools run: their results say so, and the next turn is valid", async () => {
  await driveAgent([answer(call("t1", 60_000), call("t2", 10)), done], async ({ agent, clock, server }) => {
    const user = new AbortController();
    clock.timer(5_000, () => user.abort());
    expect(await agent.turn("go", user.signal)).toEqual({ kind: "aborted", rounds: 1 });
    await agent.turn("on");
    expect(server.requests[1]?.messages.at(-1)?.content).toMatchObject([
      { tool_use_id: "t2", content: "output of t2" },
      { tool_use_id: "t1", is_error: true },
      { type: "text", text: "on" },
    ]);
  });
});

test("an aborted signal at the start sends nothing, and keeps what was said", async () => {
  await driveAgent([], async ({ agent, server }) => {
    expect(await agent.turn("go", AbortSignal.abort())).toEqual({ kind: "aborted", rounds: 0 });
    expect(server.requests).toHaveLength(0);
    expect(shape(agent.log())).toEqual([["text"]]);
  });
});

test("what is said while a turn runs is delivered once, in order, before the next request", async () => {
  await driveAgent([answer(call("t1", 1_000)), done, done], async ({ agent, clock, server }) => {
    const turn = clock.fork(() => agent.turn("go"));
    await clock.sleep(500);
    expect(await agent.turn("and this")).toEqual({ kind: "queued" });
    expect(await agent.turn("and that")).toEqual({ kind: "queued" });
    expect(await clock.join(turn)).toMatchObject({ kind: "completed", rounds: 2 });
    expect(server.requests).toHaveLength(2);
    expect(server.requests[1]?.messages.at(-1)?.content).toMatchObject([
      { type: "tool_result" },
      { type: "text", text: "and this" },
      { type: "text", text: "and that" },
    ]);
  });
});

test("what is said while the last answer streams makes the turn go on", async () => {
  await driveAgent([slow(100, say("Done?")), done], async ({ agent, clock, server }) => {
    const turn = clock.fork(() => agent.turn("go"));
    await clock.sleep(150);
    await agent.turn("one more thing");
    expect(await clock.join(turn)).toMatchObject({ kind: "completed", rounds: 2 });
    expect(server.requests[1]?.messages.at(-1)).toMatchObject({ content: [{ text: "one more thing" }] });
  });
});
