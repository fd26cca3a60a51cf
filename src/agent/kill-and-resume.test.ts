import { expect, test } from "vitest";
import { resolveConfig } from "../compaction/index.ts";
import { aModel, driveAgent, eventsOf } from "../testing/index.ts";
import type { Message } from "../transcript/index.ts";
import { findTranscriptProblems } from "../transcript/index.ts";
import type { SessionRecord, TurnResult } from "./index.ts";
import { createObjectClient, fourLayer } from "./index.ts";
import { interruptedText } from "./interrupted.ts";

const model = aModel("claude-sonnet-4-5");
const { config } = resolveConfig(
  { limits: { contextWindowCap: 42_000 }, sessionMemory: { enabled: false } },
  {},
  model,
);
const rounds = 60;

/** What outlives the agent's process: the server, and the files that its tools change. */
interface World {
  reads: number;
  requests: number;
  readonly ran: string[];
}

interface Life {
  readonly records: readonly SessionRecord[];
  readonly log: readonly Message[];
  readonly events: readonly string[];
  readonly broken: readonly string[];
  readonly result: TurnResult | null | "killed";
}

class Killed extends Error {}

/** One life of the process: from the records of the last to the end of the turn, or to its death at the nth event. */
async function live(world: World, resume: readonly SessionRecord[], dieAt: number): Promise<Life> {
  const records: SessionRecord[] = [];
  const kinds: string[] = [];
  const broken: string[] = [];
  let dead = false;
  let log: readonly Message[] = [];
  const life = (result: Life["result"]): Life => ({
    records: structuredClone(records),
    log,
    events: kinds,
    broken,
    result,
  });
  try {
    return await driveAgent(
      [],
      async ({ agent }) => {
        const result = resume.length === 0 ? await agent.turn("Read all the files.") : await agent.resume();
        log = agent.log();
        return life(result);
      },
      (clock) => {
        let ids = 0;
        return {
          uuid: () => `life-${resume.length}-${++ids}`,
          strategy: fourLayer({ config }),
          model,
          windowCap: 42_000,
          ...(resume.length > 0 && { resume: JSON.parse(JSON.stringify(resume)) as SessionRecord[] }),
          store: { append: (record) => !dead && records.push(record) },
          emit: (event) => {
            kinds.push(event.kind);
            if (event.kind === "contract_broken" && !dead) broken.push(event.what);
            dead ||= kinds.length === dieAt;
            if (dead) throw new Killed();
          },
          observer: {
            requestBuilt: ({ wire }) => broken.push(...findTranscriptProblems(wire.messages).map(({ kind }) => kind)),
          },
          tools: {
            run: async ({ id }) => {
              world.ran.push(id);
              return { content: `file ${++world.reads} ${"x".repeat(1_500)}`, isError: false };
            },
          },
          client: createObjectClient({
            clock,
            answer: async ({ request, source }) => {
              const nth = ++world.requests;
              const text = (words: string) => ({ type: "text", text: words }) as const;
              const more = { type: "tool_use", id: `t${nth}`, name: "Read", input: {} } as const;
              const content =
                source !== "main"
                  ? [text("<summary>files were read</summary>")]
                  : world.reads < rounds
                    ? [text("Next."), more]
                    : [text("All read.")];
              const inputTokens = Math.ceil(JSON.stringify(request).length / 4);
              const all = eventsOf({ kind: "message", content, inputTokens, model: model.id }, nth);
              return {
                kind: "events",
                events: (async function* () {
                  yield* all;
                })(),
              };
            },
          }),
        };
      },
    );
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
    return life("killed");
  }
}

/** What was said and done, without what differs between processes by right: ids, times, figures. */
const told = (log: readonly Message[]): readonly string[] =>
  log.flatMap((message) => {
    if (message.kind !== "user" && message.kind !== "assistant") return [message.kind];
    return message.content.map((block) =>
      block.type === "text"
        ? block.text
        : block.type === "tool_use"
          ? "call"
          : block.type === "tool_result"
            ? String(block.content)
            : block.type,
    );
  });

test("killed at any event of sixty rounds and resumed, a session is valid and goes on as if nothing had been", async () => {
  const whole = await live({ reads: 0, requests: 0, ran: [] }, [], Number.POSITIVE_INFINITY);
  expect(whole.result).toEqual({ kind: "completed", rounds: rounds + 1, text: "All read." });
  expect(whole.events.filter((kind) => kind === "compact_succeeded").length).toBeGreaterThanOrEqual(2);
  const expected = told(whole.log);

  for (let dieAt = 1; dieAt <= whole.events.length; dieAt++) {
    const world: World = { reads: 0, requests: 0, ran: [] };
    const first = await live(world, [], dieAt);
    const second = await live(world, first.records, Number.POSITIVE_INFINITY);
    const where = `killed at event ${dieAt}, ${first.events.at(-1)}`;
    const records = [...first.records, ...second.records];
    const acknowledged = first.records.flatMap((record) => (record.kind === "appended" ? record.messages : []));
    const uuids = new Set(second.log.map(({ uuid }) => uuid));
    expect([...first.broken, ...second.broken], where).toEqual([]);
    expect(new Set(world.ran).size, where).toBe(world.ran.length);
    if (first.result === "killed" && records.some(({ kind }) => kind === "turn-ended")) {
      if (second.result === null) continue; // the turn had ended before the process did
    }
    expect(second.result?.valueOf(), where).toMatchObject({ kind: "completed", text: "All read." });
    expect(
      acknowledged.filter(({ uuid }) => !uuids.has(uuid)),
      where,
    ).toEqual([]);
    const resumed = told(second.log);
    if (!resumed.includes(interruptedText)) expect(resumed, where).toEqual(expected);
    expect(resumed.filter((text) => text === interruptedText).length, where).toBeLessThanOrEqual(1);
  }
}, 240_000);

test("a session killed twice is resumed from all its records", async () => {
  const world: World = { reads: 0, requests: 0, ran: [] };
  const first = await live(world, [], 100);
  const second = await live(world, first.records, 100);
  const third = await live(world, [...first.records, ...second.records], Number.POSITIVE_INFINITY);
  expect(third.result).toMatchObject({ kind: "completed" });
  expect(third.broken).toEqual([]);
  expect(new Set(world.ran).size).toBe(world.ran.length);
});
