import { expect, test } from "vitest";
import { resolveConfig } from "../compaction/index.ts";
import { aModel, driveAgent, eventsOf } from "../testing/index.ts";
import type { Message, WireRequest } from "../transcript/index.ts";
import { findTranscriptProblems } from "../transcript/index.ts";
import type { SessionRecord, TurnResult } from "./index.ts";
import { createObjectClient, fourLayer } from "./index.ts";
import { interruptedText } from "./interrupted.ts";

const model = aModel("claude-sonnet-4-5");
const windowCap = 42_000;
const { config } = resolveConfig(
  { limits: { contextWindowCap: windowCap }, sessionMemory: { enabled: false } },
  {},
  model,
);
const rounds = 60;

/** What outlives the agent's process: the server, and the files that its tools change. */
interface World {
  readonly reads: number;
  readonly requests: number;
  readonly ran: readonly string[];
}
const fresh: World = { reads: 0, requests: 0, ran: [] };

/** Where a process may end: right after this was told or stored. Of it only the records and the world are left. */
interface Moment {
  readonly after: string;
  readonly records: number;
  readonly world: World;
}

interface Life {
  readonly result: TurnResult | null | "killed";
  readonly records: readonly SessionRecord[];
  readonly moments: readonly Moment[];
  /** Calls whose tool ran, of all lives so far. */
  readonly ran: readonly string[];
  readonly log: readonly Message[];
  /** Every request, without what differs between processes by right: names of tool calls, which the server chooses. */
  readonly sent: readonly string[];
  readonly broken: readonly string[];
  readonly compactions: number;
}

interface Course {
  readonly world?: World;
  readonly resume?: readonly SessionRecord[];
  /** The process ends right after so many events. */
  readonly dieAt?: number;
  /** The call of this number, from 1, is answered as interrupted, whether it has read its file or not. */
  readonly interrupted?: { readonly call: number; readonly ran: boolean };
}

class Killed extends Error {}

/** One life of the process: from the records of the last to the end of the turn, or to its death. */
async function live({ world = fresh, resume = [], dieAt, interrupted }: Course): Promise<Life> {
  const records: SessionRecord[] = [];
  const moments: Moment[] = [];
  const sent: string[] = [];
  const broken: string[] = [];
  let { reads, requests } = world;
  const ran = [...world.ran];
  let calls = 0;
  let ids = 0;
  let events = 0;
  let compactions = 0;
  let log: readonly Message[] = [];
  const note = (after: string): void => {
    moments.push({ after, records: records.length, world: { reads, requests, ran: [...ran] } });
  };
  const life = (result: Life["result"]): Life => ({ result, records, moments, ran, log, sent, broken, compactions });
  try {
    return await driveAgent(
      [],
      async ({ agent }) => {
        const result = resume.length === 0 ? await agent.turn("Read all the files.") : await agent.resume();
        log = agent.log();
        return life(result);
      },
      (clock) => ({
        uuid: () => `life-${resume.length}-${++ids}`,
        strategy: fourLayer({ config }),
        model,
        windowCap,
        ...(resume.length > 0 && { resume: JSON.parse(JSON.stringify(resume)) as SessionRecord[] }),
        store: {
          append: (record) => {
            if (events === dieAt) return;
            records.push(record);
            note(`${record.kind} stored`);
          },
        },
        emit: (event) => {
          if (events === dieAt) throw new Killed();
          events++;
          if (event.kind === "contract_broken") broken.push(event.what);
          if (event.kind === "compact_succeeded") compactions++;
          note(event.kind);
          if (events === dieAt) throw new Killed();
        },
        tools: {
          run: async ({ id }) => {
            if (++calls === interrupted?.call) {
              if (interrupted.ran) reads++;
              return { content: interruptedText, isError: true };
            }
            ran.push(id);
            reads++;
            return { content: `file ${reads} ${"x".repeat(1_500)}`, isError: false };
          },
        },
        client: createObjectClient({
          clock,
          answer: async ({ request, source }) => {
            const nth = ++requests;
            const wire = canonical(request, source);
            sent.push(wire);
            broken.push(...findTranscriptProblems(request.messages).map(({ kind }) => kind));
            const text = (words: string) => ({ type: "text", text: words }) as const;
            const more = { type: "tool_use", id: `t${nth}`, name: "Read", input: {} } as const;
            const content =
              source !== "main"
                ? [text("<summary>files were read</summary>")]
                : reads < rounds
                  ? [text("Next."), more]
                  : [text("All read.")];
            const inputTokens = Math.ceil(wire.length / 4);
            const all = eventsOf({ kind: "message", content, inputTokens, model: model.id }, nth);
            return {
              kind: "events",
              events: (async function* () {
                yield* all;
              })(),
            };
          },
        }),
      }),
    );
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
    return life("killed");
  }
}

function canonical(request: WireRequest, source: string): string {
  const names = new Map<string, string>();
  const named = (id: string): string => names.get(id) ?? (names.set(id, `#${names.size}`).get(id) as string);
  return `${source} ${JSON.stringify(request).replaceAll(/"t\d+"/g, named)}`;
}

/** What was said and done, without ids, times and figures. */
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

/** Moments that leave other records or another world behind; the rest would be the same death twice. */
function distinct(moments: readonly Moment[]): readonly Moment[] {
  const left = ({ records, world }: Moment): string => `${records}/${world.requests}/${world.ran.length}`;
  return moments.filter((moment, i) => i === 0 || left(moment) !== left(moments[i - 1] as Moment));
}

/** What may be lost of a session that ends here: the result of a call that was stored, and whether its tool has run. */
function lostAt(kept: readonly SessionRecord[], { ran }: World): NonNullable<Course["interrupted"]> | null {
  const arrived = kept.flatMap((record) => (record.kind === "arrived" ? [record.message] : []));
  const calls = arrived.filter(
    ({ kind, ...message }) =>
      kind === "assistant" && "content" in message && message.content.some(({ type }) => type === "tool_use"),
  );
  const results = arrived.filter(({ kind }) => kind === "user");
  return calls.length === results.length ? null : { call: calls.length, ran: ran.length === calls.length };
}

test("killed after any event or record of sixty rounds and resumed, a session is valid and goes on as if nothing had been", async () => {
  const whole = await live({});
  expect(whole.result).toEqual({ kind: "completed", rounds: rounds + 1, text: "All read." });
  expect(whole.compactions).toBe(2);
  expect(whole.broken).toEqual([]);
  const uninterrupted = new Map([["null", whole]]);
  const deaths = distinct(whole.moments);
  expect(deaths.length).toBeGreaterThan(8 * rounds);

  for (const { after, records, world } of deaths) {
    const where = `killed after ${after}, record ${records}, ${world.reads} files read`;
    const kept = whole.records.slice(0, records);
    const second = await live({ world, resume: kept });
    if (kept.some(({ kind }) => kind === "turn-ended")) {
      expect(second.result, where).toBeNull();
      continue;
    }
    expect(second.result, where).toMatchObject({ kind: "completed", text: "All read." });
    expect(second.broken, where).toEqual([]);
    expect(new Set(second.ran).size, where).toBe(second.ran.length);

    // From there on the same is sent, to the byte, as by a process that did not end; one request may be sent again.
    const lost = lostAt(kept, world);
    const same = uninterrupted.get(JSON.stringify(lost)) ?? (await live(lost === null ? {} : { interrupted: lost }));
    uninterrupted.set(JSON.stringify(lost), same);
    const again = world.requests + second.sent.length - same.sent.length;
    expect([0, 1], where).toContain(again);
    expect(second.sent, where).toEqual(same.sent.slice(same.sent.length - second.sent.length));
    expect(told(second.log), where).toEqual(told(same.log));
    // What had been acknowledged is there, as it was.
    const stands = new Map(second.log.map((message) => [message.uuid, message]));
    const acknowledged = kept.flatMap((record) => (record.kind === "appended" ? record.messages : []));
    expect(
      acknowledged.map(({ uuid }) => stands.get(uuid)),
      where,
    ).toEqual(acknowledged);
  }
}, 240_000);

test("a process that really ends at an event leaves exactly what was stored before it", async () => {
  const whole = await live({});
  const events = whole.moments.filter(({ after }) => !after.endsWith(" stored"));
  for (let dieAt = 1; dieAt <= events.length; dieAt += 31) {
    const first = await live({ dieAt });
    const moment = events[dieAt - 1] as Moment;
    expect(first.result).toBe("killed");
    expect(first.moments.at(-1)).toEqual(moment);
    expect(first.records).toEqual(whole.records.slice(0, moment.records));
  }
});

test("a session killed twice is resumed from all its records", async () => {
  const first = await live({ dieAt: 100 });
  const second = await live({ world: worldOf(first), resume: first.records, dieAt: 100 });
  const records = [...first.records, ...second.records];
  const third = await live({ world: worldOf(second), resume: records });
  expect([first.result, second.result]).toEqual(["killed", "killed"]);
  expect(third.result).toMatchObject({ kind: "completed", text: "All read." });
  expect([...first.broken, ...second.broken, ...third.broken]).toEqual([]);
  expect(third.ran.length).toBe(new Set(third.ran).size);
  expect(told(third.log).filter((text) => text.startsWith("file")).length).toBe(rounds);
});

const worldOf = ({ moments }: Life): World => moments.at(-1)?.world ?? fresh;
