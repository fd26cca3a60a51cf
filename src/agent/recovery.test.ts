import { expect, test } from "vitest";
import type { DrivenAgent, Reply } from "../testing/index.ts";
import { aModel, aThinking, aToolUse, driveAgent } from "../testing/index.ts";
import type { AgentOptions, Strategy, TurnResult } from "./index.ts";
import { nothing } from "./index.ts";

const say = (text: string) => ({ type: "text", text }) as const;
const answer = (...content: Extract<Reply, { kind: "message" }>["content"]): Reply => ({ kind: "message", content });
const done = answer(say("Done."));
const overloaded: Reply = { kind: "refusal", status: 529, type: "overloaded_error", message: "Overloaded" };
const unavailable: Reply = { kind: "refusal", status: 500, type: "api_error", message: "Internal server error" };
const tooLong: Reply = {
  kind: "refusal",
  status: 400,
  type: "invalid_request_error",
  message: "prompt is too long: 207547 tokens > 200000 maximum",
};
const cutAtCap: Reply = { kind: "message", content: [say("A long ans")], stopReason: "max_tokens" };
const cutCall: Reply = { kind: "message", content: [aToolUse("t1", "Read", {})], stopReason: "max_tokens" };
const windowFull: Reply = {
  kind: "message",
  content: [say("Half of it")],
  stopReason: "model_context_window_exceeded",
};
const brokenAfterCall: Reply = { kind: "message", content: [aToolUse("t2", "Read", {}), say("x")], cutAfterEvents: 6 };
const brokenEarly: Reply = { kind: "message", content: [say("Once upon")], cutAfterEvents: 3 };
const outputTooLong: Reply = {
  kind: "refusal",
  status: 400,
  type: "invalid_request_error",
  message:
    "input length and `max_tokens` exceed context limit: 195000 + 8000 > 200000, decrease input length or `max_tokens` and try again",
};

/** Makes room when asked, by hiding the oldest message: as small as a strategy can be. */
const hidesOldest: Strategy = {
  name: "hides-oldest",
  live: false,
  start: () => ({
    onRejected: async ({ projection }) => {
      const [oldest, ...rest] = projection;
      return oldest === undefined || rest.length === 0
        ? nothing
        : { status: { kind: "done" }, edits: [{ kind: "hide", uuids: [oldest.uuid] }], next: { kind: "retry" } };
    },
  }),
};

interface Row {
  readonly name: string;
  readonly script: readonly Reply[];
  readonly steps: readonly string[];
  readonly outcome: TurnResult["kind"];
  readonly requests: number;
  readonly options?: Partial<AgentOptions>;
}

const fallback: Partial<AgentOptions> = { fallbackModel: aModel("claude-haiku-4-5") };
const makesRoom: Partial<AgentOptions> = { strategy: hidesOldest };
const few = {
  maxRetries: { foreground: 2, background: 0 },
  firstDelayMs: 500,
  maxDelayMs: 4_000,
  jitter: 0,
  maxRetryAfterMs: 60_000,
};
const retryTwice: Partial<AgentOptions> = { config: { retry: few } };
const both: Partial<AgentOptions> = { ...fallback, ...makesRoom, ...retryTwice };
const raise = "raise-output-cap done";
const goOn = "continuation done";
const room = "reactive-compact done";
const switched = "model-fallback done";

const rows: readonly Row[] = [
  { name: "no fault", script: [done], steps: [], outcome: "completed", requests: 1 },
  {
    name: "two overloads are waited out",
    script: [overloaded, overloaded, done],
    steps: [],
    outcome: "completed",
    requests: 3,
  },
  { name: "a server error is waited out", script: [unavailable, done], steps: [], outcome: "completed", requests: 2 },
  {
    name: "no connection is waited out",
    script: [{ kind: "no-connection" }, done],
    steps: [],
    outcome: "completed",
    requests: 2,
  },
  {
    name: "a stream cut before any tool is asked for again",
    script: [brokenEarly, done],
    steps: [],
    outcome: "completed",
    requests: 2,
  },
  {
    name: "step 2 makes room",
    script: [done, tooLong, done],
    steps: [room],
    outcome: "completed",
    requests: 3,
    options: makesRoom,
  },
  {
    name: "step 2 twice, then the error",
    script: [done, tooLong, tooLong, tooLong],
    steps: [room, room],
    outcome: "failed",
    requests: 4,
    options: makesRoom,
  },
  {
    name: "a strategy without room: the error at once",
    script: [done, tooLong],
    steps: ["reactive-compact skipped"],
    outcome: "failed",
    requests: 2,
  },
  { name: "step 3 raises the cap once", script: [cutAtCap, done], steps: [raise], outcome: "completed", requests: 2 },
  {
    name: "step 3, then step 4",
    script: [cutAtCap, cutAtCap, done],
    steps: [raise, goOn],
    outcome: "completed",
    requests: 3,
  },
  {
    name: "step 4 three times, then the error",
    script: [cutAtCap, cutAtCap, cutAtCap, cutAtCap, cutAtCap],
    steps: [raise, goOn, goOn, goOn, "continuation failed"],
    outcome: "failed",
    requests: 5,
  },
  {
    name: "a completed call forbids step 3",
    script: [cutCall, done],
    steps: [goOn],
    outcome: "completed",
    requests: 2,
  },
  {
    name: "a stream cut after a tool started goes on in step 4",
    script: [brokenAfterCall, done],
    steps: [goOn],
    outcome: "completed",
    requests: 2,
  },
  {
    name: "step 5 after three overloads",
    script: [overloaded, overloaded, overloaded, done],
    steps: [switched],
    outcome: "completed",
    requests: 4,
    options: fallback,
  },
  {
    name: "step 5 when the stream fails for good",
    script: [brokenEarly, brokenEarly, brokenEarly, done],
    steps: [switched],
    outcome: "completed",
    requests: 4,
    options: { ...fallback, ...retryTwice },
  },
  {
    name: "no fallback: retries, then the error",
    script: [unavailable, unavailable, unavailable],
    steps: [],
    outcome: "failed",
    requests: 3,
    options: retryTwice,
  },
  {
    name: "the fallback fails too",
    script: Array(6).fill(overloaded),
    steps: [switched],
    outcome: "failed",
    requests: 6,
    options: { ...fallback, ...retryTwice },
  },
  {
    name: "input + max_tokens: a lower cap first",
    script: [outputTooLong, done],
    steps: [],
    outcome: "completed",
    requests: 2,
  },
  {
    name: "input + max_tokens: too long where no cap fits",
    script: [done, { ...outputTooLong, message: outputTooLong.message.replace("195000", "199500") } as Reply, done],
    steps: [room],
    outcome: "completed",
    requests: 3,
    options: makesRoom,
  },
  {
    name: "the window full in mid-answer: room, then step 4",
    script: [done, windowFull, done],
    steps: [room, goOn],
    outcome: "completed",
    requests: 3,
    options: makesRoom,
  },
  {
    name: "the window full and no room",
    script: [done, windowFull],
    steps: ["reactive-compact skipped"],
    outcome: "failed",
    requests: 2,
  },
  {
    name: "a refusal is surfaced, once",
    script: [{ kind: "message", content: [say("No.")], stopReason: "refusal" }],
    steps: [],
    outcome: "failed",
    requests: 1,
  },
  {
    name: "a bad key is surfaced, once",
    script: [{ kind: "refusal", status: 401, type: "authentication_error", message: "invalid x-api-key" }],
    steps: [],
    outcome: "failed",
    requests: 1,
    options: both,
  },
  {
    name: "a bad request is surfaced, once",
    script: [
      {
        kind: "refusal",
        status: 400,
        type: "invalid_request_error",
        message: "max_tokens: 250000 > 128000, which is the maximum allowed number of output tokens for M",
      },
    ],
    steps: [],
    outcome: "failed",
    requests: 1,
    options: both,
  },
  {
    name: "room, then overloads",
    script: [done, tooLong, overloaded, overloaded, overloaded, done],
    steps: [room, switched],
    outcome: "completed",
    requests: 6,
    options: both,
  },
  {
    name: "overloads, then room",
    script: [done, overloaded, overloaded, overloaded, tooLong, done],
    steps: [switched, room],
    outcome: "completed",
    requests: 6,
    options: both,
  },
  {
    name: "a raised cap, then room",
    script: [done, cutAtCap, tooLong, done],
    steps: [raise, room],
    outcome: "completed",
    requests: 4,
    options: both,
  },
  {
    name: "room, then a raised cap",
    script: [done, tooLong, cutAtCap, done],
    steps: [room, raise],
    outcome: "completed",
    requests: 4,
    options: both,
  },
  {
    name: "a raised cap, then overloads",
    script: [cutAtCap, overloaded, overloaded, overloaded, done],
    steps: [raise, switched],
    outcome: "completed",
    requests: 5,
    options: both,
  },
  {
    name: "overloads, then a raised cap, then step 4",
    script: [overloaded, overloaded, overloaded, cutAtCap, cutAtCap, done],
    steps: [switched, raise, goOn],
    outcome: "completed",
    requests: 6,
    options: both,
  },
  {
    name: "step 4, then overloads",
    script: [cutCall, overloaded, overloaded, overloaded, done],
    steps: [goOn, switched],
    outcome: "completed",
    requests: 5,
    options: both,
  },
  {
    name: "step 4, then room",
    script: [cutCall, tooLong, done],
    steps: [goOn, room],
    outcome: "completed",
    requests: 3,
    options: both,
  },
  {
    name: "everything fails",
    script: [done, tooLong, overloaded, overloaded, overloaded, cutAtCap, cutAtCap, cutCall, brokenAfterCall, cutAtCap],
    steps: [room, switched, raise, goOn, goOn, goOn, "continuation failed"],
    outcome: "failed",
    requests: 10,
    options: both,
  },
];

const stepsOf = ({ events }: DrivenAgent): readonly string[] =>
  events.flatMap((event) => (event.kind === "recovery_step" ? [`${event.step} ${event.outcome}`] : []));

test.each(rows)("RC2-RC6: $name", async ({ script, steps, outcome, requests, options }) => {
  await driveAgent(
    script,
    async (driven) => {
      const { agent, server } = driven;
      // A first turn gives the strategy something to take away.
      if (script[0] === done && script.length > 1) await agent.turn("a first question, long enough to be worth hiding");
      const result = await agent.turn("go on with the work");
      expect({ steps: stepsOf(driven), outcome: result.kind, requests: server.requests.length }).toEqual({
        steps,
        outcome,
        requests,
      });
      const ids = driven.ran.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    },
    options,
  );
});

test("RC3: a lower cap is exactly what fits", async () => {
  await driveAgent([outputTooLong, done], async ({ agent, server }) => {
    await agent.turn("go");
    expect(server.requests.map(({ max_tokens }) => max_tokens)).toEqual([8_000, 5_000]);
  });
});

test("RC3: the raised cap stays within the model and what the window has left", async () => {
  await driveAgent([{ ...cutAtCap, inputTokens: 150_000 } as Reply, done], async ({ agent, server }) => {
    await agent.turn("go");
    expect(server.requests.map(({ max_tokens }) => max_tokens)).toEqual([8_000, 50_000]);
  });
});

test("RC3: an answer thrown away for a higher cap leaves no trace in the conversation", async () => {
  await driveAgent([cutAtCap, done], async ({ agent }) => {
    await agent.turn("go");
    expect(agent.log().map(({ kind }) => kind)).toEqual(["user", "assistant"]);
  });
});

test("RC4: thinking of the other model is not sent to the fallback", async () => {
  const thought = answer(aThinking("hm"), aToolUse("t1", "Read", {}));
  await driveAgent(
    [thought, overloaded, overloaded, overloaded, done],
    async ({ agent, server, events }) => {
      await agent.turn("go");
      const types = (nth: number) => JSON.stringify(server.requests[nth]?.messages).includes('"thinking"');
      expect([types(1), types(4)]).toEqual([true, false]);
      expect(server.requests[4]?.model).toBe("claude-haiku-4-5");
      expect(events).toContainEqual(
        expect.objectContaining({ kind: "thinking_dropped", why: "other-model", blocks: 1 }),
      );
    },
    fallback,
  );
});

test("RC4: a fallback lasts for one turn", async () => {
  await driveAgent(
    [overloaded, overloaded, overloaded, done, done],
    async ({ agent, server }) => {
      await agent.turn("go");
      await agent.turn("and again");
      expect(server.requests.map(({ model }) => model).slice(-2)).toEqual(["claude-haiku-4-5", "claude-opus-4-5"]);
    },
    fallback,
  );
});

test("RC5: waits are doubled, shortened by chance, and overruled by retry-after", async () => {
  const asks: Reply = { ...unavailable, headers: { "retry-after": "7" } } as Reply;
  await driveAgent(
    [unavailable, unavailable, asks, done],
    async ({ agent, clock, events }) => {
      const start = clock.now();
      await agent.turn("go");
      const waits = events.flatMap((event) => (event.kind === "request_failed" ? [event.retryInMs] : []));
      expect(waits).toEqual([438, 875, 7_000]);
      expect(clock.now() - start).toBe(438 + 875 + 7_000);
    },
    { random: () => 0.5 },
  );
});

test("RC6: a turn that never ends is ended, with the number in the sentence", async () => {
  await driveAgent(
    (_, nth) => answer(aToolUse(`t${nth}`, "Read", {})),
    async ({ agent, server }) => {
      const result = await agent.turn("go");
      expect(result).toMatchObject({ kind: "failed", error: { text: "the turn was stopped after 5 requests" } });
      expect(server.requests).toHaveLength(5);
    },
    { config: { maxIterations: 5 } },
  );
});
