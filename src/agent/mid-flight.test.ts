import fc from "fast-check";
import { expect, test } from "vitest";
import { resolveConfig } from "../compaction/index.ts";
import { aModel, driveAgent, eventsOf } from "../testing/index.ts";
import type { Message } from "../transcript/index.ts";
import { findTranscriptProblems } from "../transcript/index.ts";
import type { Strategy } from "./index.ts";
import { createObjectClient, createStrategy, strategyNames } from "./index.ts";

const model = aModel("claude-sonnet-4-5");
const windowCap = 42_000;
const { config } = resolveConfig({ limits: { contextWindowCap: windowCap } }, {}, model);

const withoutNotes = { ...config, sessionMemory: { ...config.sessionMemory, enabled: false } };

/** What a person does while the agent works, and when: milliseconds after what was done before. */
interface Deed {
  readonly afterMs: number;
  readonly what: "say" | "compact" | "stop";
}

const deeds: fc.Arbitrary<readonly Deed[]> = fc.array(
  fc.record({
    // A request takes 1 to 2 s here, a tool half a second, a summary 8 s.
    afterMs: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 12_000 })),
    what: fc.constantFrom("say", "say", "compact", "stop"),
  }),
  { minLength: 1, maxLength: 12 },
);

/** A session in which a person does these things, then waits for the end, and says one thing more. */
async function live(strategy: Strategy, plan: readonly Deed[]) {
  const ran: string[] = [];
  const sources: string[] = [];
  const problems: string[] = [];
  const said: string[] = [];
  const ends: string[] = [];
  let summarising = 0;
  let wanted = 0;
  let requests = 0;
  return driveAgent(
    [],
    async ({ agent, clock, events }) => {
      const running: { done(): boolean }[] = [];
      let user = new AbortController();
      const say = async (): Promise<string> => {
        said.push(`Message ${said.length + 1}.`);
        wanted += 6;
        const { kind } = await agent.turn(said.at(-1) as string, user.signal);
        ends.push(kind);
        return kind;
      };
      for (const { afterMs, what } of plan) {
        await clock.sleep(afterMs);
        if (what === "say") running.push(clock.fork(say));
        if (what === "compact") running.push(clock.fork(() => agent.compact("", user.signal)));
        if (what === "stop") {
          user.abort();
          user = new AbortController();
        }
        await clock.sleep(0); // what was begun has begun
      }
      for (const work of running) await clock.join(work as never);
      const last = await say();
      return { last, said, ends, events, ran, problems, log: agent.log(), sources };
    },
    (clock) => ({
      strategy,
      model,
      windowCap,
      observer: {
        requestBuilt: ({ wire }) => problems.push(...findTranscriptProblems(wire.messages).map(({ kind }) => kind)),
      },
      tools: {
        run: async ({ id }, signal) => {
          ran.push(id);
          await clock.sleep(500, signal);
          return { content: `file ${"x".repeat(4_000)}`, isError: false };
        },
      },
      client: createObjectClient({
        clock,
        answer: async ({ request, source }, _headers, signal) => {
          const nth = ++requests;
          sources.push(source);
          const text = (words: string) => ({ type: "text", text: words }) as const;
          const call = { type: "tool_use", id: `t${nth}`, name: "Read", input: {} } as const;
          const content =
            source !== "main"
              ? [text("<summary>files were read</summary>")]
              : ran.length < wanted
                ? [text("Next."), call]
                : [text("All read.")];
          if (source === "compact" && ++summarising > 1) problems.push("two summaries at once");
          await clock.sleep(source === "main" ? 500 : 8_000, signal);
          if (source === "compact") summarising--;
          const inputTokens = Math.ceil(JSON.stringify(request).length / 4);
          const all = eventsOf({ kind: "message", content, inputTokens, model: model.id }, nth);
          return {
            kind: "events",
            events: (async function* () {
              for (const event of all) {
                await clock.sleep(100, signal);
                if (signal.aborted) throw new Error("aborted");
                yield event;
              }
            })(),
          };
        },
      }),
    }),
  );
}

const human = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap((message) =>
    message.kind === "user" && message.isMeta !== true && message.isCompactSummary !== true
      ? message.content.flatMap((block) => (block.type === "text" ? [block.text] : []))
      : [],
  );

test.each(strategyNames)(
  "%s: whatever a person says, stops or compacts, and when: all is delivered once and in order, no tool runs twice, one summary is made at a time",
  async (strategy) => {
    await fc.assert(
      fc.asyncProperty(deeds, async (plan) => {
        const { last, said, ends, events, ran, problems, log } = await live(createStrategy(strategy, { config }), plan);
        expect(problems).toEqual([]);
        expect(events.filter(({ kind }) => kind === "contract_broken")).toEqual([]);
        expect(human(log)).toEqual(said);
        expect(new Set(ran).size).toBe(ran.length);
        expect(ends.filter((end) => !["completed", "aborted", "queued"].includes(end))).toEqual([]);
        expect(last).toBe("completed");
      }),
      { numRuns: Number(process.env.LONGHAUL_CASES ?? 15), seed: 11 },
    );
  },
);

test.each(["four-layer", "summarize-only"] as const)(
  "%s: a compaction that is asked for while one runs is that one, whoever began it",
  async (name) => {
    // The seventh request finds the context full; its summary is made from 13.3 s to 22 s.
    const say: Deed = { afterMs: 0, what: "say" };
    const twice: readonly Deed[] = [
      { afterMs: 15_000, what: "compact" },
      { afterMs: 3_000, what: "compact" },
    ];
    const summaries = async (plan: readonly Deed[]) =>
      (await live(createStrategy(name, { config: withoutNotes }), plan)).sources.filter(
        (source) => source === "compact",
      ).length;
    expect(await summaries([say, say])).toBe(2);
    expect(await summaries([say, say, ...twice])).toBe(2);
  },
);
