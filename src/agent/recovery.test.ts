import { expect, test } from "vitest";
import type { DrivenAgent, Reply } from "../testing/index.ts";
import { aModel, aThinking, aToolUse, driveAgent } from "../testing/index.ts";
import type { AgentOptions, Strategy } from "./index.ts";
import { nothing } from "./index.ts";

// Which steps follow which faults stands in recovery-table.test.ts; here is what each step does.

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
const outputTooLong = (input: number): Reply => ({
  kind: "refusal",
  status: 400,
  type: "invalid_request_error",
  message: `input length and \`max_tokens\` exceed context limit: ${input} + 8000 > 200000, decrease input length or \`max_tokens\` and try again`,
});
const fallback: Partial<AgentOptions> = { fallbackModel: aModel("claude-haiku-4-5") };

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

const stepsOf = ({ events }: DrivenAgent): readonly string[] =>
  events.flatMap((event) =>
    event.kind === "recovery_step" ? [`${event.step} ${event.outcome}: ${event.detail}`] : [],
  );

test("RC2: a strategy is asked for room twice at most, then the error is surfaced as it came", async () => {
  await driveAgent(
    [done, done, tooLong, tooLong, tooLong],
    async (driven) => {
      await driven.agent.turn("one");
      await driven.agent.turn("two");
      expect(await driven.agent.turn("three")).toEqual({
        kind: "failed",
        rounds: 0,
        error: {
          class: "overflow",
          tokens: 207_547,
          limit: 200_000,
          text: tooLong.kind === "refusal" && tooLong.message,
        },
      });
      expect(stepsOf(driven)).toEqual(["reactive-compact done: done", "reactive-compact done: done"]);
      expect(driven.server.requests).toHaveLength(5);
    },
    { strategy: hidesOldest },
  );
});

test("RC2: a request that has not become smaller is not sent again", async () => {
  await driveAgent([done, tooLong], async (driven) => {
    await driven.agent.turn("one");
    expect((await driven.agent.turn("two")).kind).toBe("failed");
    expect(stepsOf(driven)).toEqual(["reactive-compact skipped: the strategy has nothing to offer"]);
    expect(driven.server.requests).toHaveLength(2);
  });
});

test("RC3: a lower cap is exactly what fits", async () => {
  await driveAgent([outputTooLong(195_000), done], async ({ agent, server }) => {
    await agent.turn("go");
    expect(server.requests.map(({ max_tokens }) => max_tokens)).toEqual([8_000, 5_000]);
  });
});

test("RC3: where no cap worth sending fits, it is the input that is too long", async () => {
  await driveAgent(
    [done, outputTooLong(199_500), done],
    async (driven) => {
      await driven.agent.turn("one");
      expect((await driven.agent.turn("two")).kind).toBe("completed");
      expect(stepsOf(driven)).toEqual(["reactive-compact done: done"]);
      expect(driven.server.requests.map(({ max_tokens }) => max_tokens)).toEqual([8_000, 8_000, 8_000]);
    },
    { strategy: hidesOldest },
  );
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
