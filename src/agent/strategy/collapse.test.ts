import { expect, test } from "vitest";
import { defaultConfig } from "../../compaction/index.ts";
import { aModel, anAssistant, aResultMessage, aToolUse, aUser, driveAgent, eventsOf } from "../../testing/index.ts";
import type { Message } from "../../transcript/index.ts";
import { findTranscriptProblems } from "../../transcript/index.ts";
import { createObjectClient, fourLayer } from "../index.ts";
import { oldestSpan } from "./collapse-span.ts";

const windowTokens = 60_000; // effective 40 000: lines at 34 000, 36 000 and 38 000
const config = {
  ...defaultConfig,
  limits: { ...defaultConfig.limits, contextWindowCap: windowTokens },
  auto: { ...defaultConfig.auto, mode: "collapse" as const },
};

interface Course {
  /** How long a summary takes, ms. */
  readonly summaryMs?: number;
  readonly summaryText?: string;
  readonly refuseFromTokens?: number;
}

async function session(
  rounds: number,
  { summaryMs = 1_000, summaryText, refuseFromTokens = windowTokens }: Course = {},
) {
  let calls = 0;
  const sizes: number[] = [];
  const sources: string[] = [];
  const problems: string[] = [];
  return driveAgent(
    [],
    async ({ agent, events, clock }) => {
      const startMs = clock.now();
      const result = await agent.turn("Read on, whatever happens.");
      const told = events.flatMap((event) => (/collapse|compact_succ|recovery/.test(event.kind) ? [event.kind] : []));
      return {
        result,
        events,
        told,
        sizes,
        sources,
        problems,
        log: agent.log(),
        projection: agent.projection(),
        tookMs: clock.now() - startMs,
      };
    },
    (clock) => ({
      strategy: fourLayer({ config }),
      model: aModel("claude-sonnet-4-5"),
      windowCap: windowTokens,
      tools: { run: async () => ({ content: "x".repeat(6_000), isError: false }) },
      observer: {
        requestBuilt: ({ wire }) => problems.push(...findTranscriptProblems(wire.messages).map(({ kind }) => kind)),
      },
      client: createObjectClient({
        clock,
        answer: async ({ request, source }) => {
          sources.push(source);
          const tokens = Math.ceil(JSON.stringify(request.messages).length / 4);
          if (source === "main") sizes.push(tokens);
          await clock.sleep(source === "main" ? 1_000 : summaryMs);
          if (tokens > refuseFromTokens) {
            const message = `prompt is too long: ${tokens} tokens > ${refuseFromTokens} maximum`;
            return {
              kind: "refused",
              status: 400,
              headers: {},
              body: { error: { type: "invalid_request_error", message } },
            };
          }
          const text = (words: string) => ({ type: "text", text: words }) as const;
          const content =
            source !== "main"
              ? [text(summaryText ?? "<summary>files were read</summary>")]
              : calls < rounds
                ? [{ type: "tool_use", id: `t${++calls}`, name: "Read", input: {} } as const]
                : [text("All read.")];
          return {
            kind: "events",
            events: given(eventsOf({ kind: "message", content, inputTokens: tokens }, sources.length)),
          };
        },
      }),
    }),
  );
}

async function* given<T>(events: readonly T[]): AsyncGenerator<T> {
  yield* events;
}

test("RC7: spans are staged at 85 %, committed at 90 %, and auto-compact never runs", async () => {
  const { result, told, sizes, sources, problems, events } = await session(60);
  expect(result.kind).toBe("completed");
  expect(told.slice(0, 2)).toEqual(["collapse_staged", "collapse_committed"]);
  expect(told).not.toContain("compact_succeeded");
  expect(Math.max(...sizes)).toBeLessThan(40_000);
  expect(new Set(sources)).toEqual(new Set(["main", "context_collapse"]));
  expect(problems).toEqual([]);
  const staged = events.find(({ kind }) => kind === "collapse_staged");
  expect(staged).toMatchObject({ tokens: expect.any(Number) });
});

test("RC7: the full history stays local, the projection is what is sent", async () => {
  const { log, projection } = await session(60);
  const raw = log.filter(({ kind }) => kind === "assistant").length;
  expect(raw).toBe(61);
  expect(projection.filter(({ kind }) => kind === "assistant").length).toBeLessThan(40);
  expect(projection[0]).toMatchObject({ kind: "user", content: [{ text: "Read on, whatever happens." }] });
  expect(projection[1]).toMatchObject({ isCompactSummary: true });
});

test("RC7: from 95 % a request waits for the summary", async () => {
  const { told, sizes } = await session(26, { summaryMs: 20_000 });
  expect(told).toContain("collapse_committed");
  // A round adds some 1 500 tokens, so at most the 95 % line and one round more is ever sent.
  expect(Math.max(...sizes)).toBeLessThan(38_000 + 1_600);
});

test("RC7: a summary that never comes blocks for a minute, not for ever", async () => {
  const { result, tookMs } = await session(27, { summaryMs: 10_000_000 });
  expect(result.kind).toBe("completed");
  expect(tookMs).toBeLessThan(5 * 60_000);
});

test("RC2, RC7: a refusal drains what is staged first, then compacts", async () => {
  const { told } = await session(30, { refuseFromTokens: 33_900, summaryMs: 1 });
  expect(told.slice(0, 3)).toEqual(["collapse_staged", "collapse_drained", "recovery_step"]);
});

test("RC2, RC7: with nothing staged the drain is skipped, and the compaction comes at once", async () => {
  const { told, result } = await session(30, { refuseFromTokens: 30_000 });
  expect(told.slice(0, 3)).toEqual(["recovery_step", "compact_succeeded", "recovery_step"]);
  expect(result.kind).toBe("completed");
});

test.each(["<analysis>only thoughts", "", "x".repeat(400_000)])(
  "RC7: summaries that are no use are tried three times, then no more (%#)",
  async (summaryText) => {
    const { sources, told } = await session(27, { summaryText });
    expect(sources.filter((source) => source === "context_collapse").length).toBeLessThanOrEqual(3);
    expect(told).not.toContain("collapse_staged");
  },
);

const round = (i: number, chars = 4_000): readonly Message[] => [
  anAssistant([aToolUse(`t${i}`, "Read", {})], { id: `m${i}`, uuid: `a${i}` }),
  aResultMessage(`t${i}`, "x".repeat(chars), { uuid: `r${i}` }),
];
const talk = (from: number, to: number): readonly Message[] =>
  Array.from({ length: to - from }, (_, i) => round(from + i)).flat();
const uuidsOf = (messages: readonly Message[], wanted: number, summariesToo = false, staged: readonly string[] = []) =>
  oldestSpan(messages, new Set(staged), wanted, summariesToo)?.messages.map(({ uuid }) => uuid);

test("RC7: a span is the oldest whole rounds, without the newest human message and the last three rounds", () => {
  const messages = [aUser("go", { uuid: "u" }), ...talk(0, 8)];
  expect(uuidsOf(messages, 2_500)).toEqual(["a0", "r0", "a1", "r1", "a2", "r2"]);
  expect(uuidsOf(messages, 1_000_000)?.at(-1)).toBe("r4");
  expect(uuidsOf(messages.slice(0, 9), 2_500)).toBeUndefined();
});

test("RC7: a human message in the middle ends a span, and stays", () => {
  const messages = [...talk(0, 3), aUser("on", { uuid: "u" }), ...talk(3, 9)];
  expect(uuidsOf(messages, 2_500)).toEqual(["a0", "r0", "a1", "r1", "a2", "r2"]);
  const early = [...talk(0, 1), aUser("on", { uuid: "u" }), ...talk(1, 9)];
  expect(uuidsOf(early, 2_500)).toEqual(["a1", "r1", "a2", "r2", "a3", "r3"]);
});

test("RC7: what is staged or a summary already is passed over, unless nothing else is left", () => {
  const summary = aUser("y".repeat(9_000), { uuid: "s", isCompactSummary: true });
  const messages = [summary, ...talk(0, 9), aUser("on", { uuid: "u" })];
  expect(uuidsOf(messages, 2_500)?.[0]).toBe("a0");
  expect(uuidsOf(messages, 2_500, true)?.[0]).toBe("s");
  expect(uuidsOf(messages, 2_500, false, ["a0", "r0"])?.[0]).toBe("a1");
});
