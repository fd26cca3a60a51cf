import fc from "fast-check";
import { expect, test } from "vitest";
import { defaultConfig } from "../compaction/index.ts";
import type { DrivenAgent, Reply } from "../testing/index.ts";
import { aModel, anAssistant, aResultMessage, aToolUse, aUser, driveAgent } from "../testing/index.ts";
import type { Message, WireRequest } from "../transcript/index.ts";
import { fourLayer } from "./index.ts";

/*
 What goes wrong → which of the five steps are taken → how the turn ends, and with how many requests (RC2-RC6).

 given       `staged`: a collapse waits to be committed; `fallback`: there is another model; `dumb`: summaries are of no use; `new`: nothing was said before
 server      its answers to main requests, in order; `×3`: three times; `…`: again and again, for ever. The words stand below the table
 steps       1 `drain`, 2 `compact`, 3 `cap`, 4 `continue`, 5 `fallback`; `-` behind one: skipped; `!`: failed
 main, asks  how many requests: of the turn itself, and for summaries
*/
const table = `
  given           | server                                          | steps                                   | ends      | main | asks
                  | done                                            |                                         | completed |  1   |  0

  each step alone
  staged          | too-long done                                   | drain                                   | completed |  2   |  0
                  | too-long done                                   | drain- compact                          | completed |  2   |  1
                  | too-large done                                  | drain- compact                          | completed |  2   |  1
                  | cut done                                        | cap                                     | completed |  2   |  0
                  | cut-call done                                   | continue                                | completed |  2   |  0
                  | broken-call done                                | continue                                | completed |  2   |  0
  fallback        | overloaded×3 done                               | fallback                                | completed |  4   |  0
  fallback        | broken×11 done                                  | fallback                                | completed | 12   |  0

  each ordered pair
  staged          | too-long×2 done                                 | drain drain- compact                    | completed |  3   |  1
  staged          | too-long cut done                               | drain cap                               | completed |  3   |  0
  staged          | too-long cut-call done                          | drain continue                          | completed |  3   |  0
  staged fallback | too-long overloaded×3 done                      | drain fallback                          | completed |  5   |  0
                  | too-long big-call×5 call too-long done          | drain- compact drain                    | completed |  9   |  2
                  | too-long cut done                               | drain- compact cap                      | completed |  3   |  1
                  | too-long cut-call done                          | drain- compact continue                 | completed |  3   |  1
  fallback        | too-long overloaded×3 done                      | drain- compact fallback                 | completed |  5   |  1
  staged          | cut too-long done                               | cap drain                               | completed |  3   |  0
                  | cut too-long done                               | cap drain- compact                      | completed |  3   |  1
                  | cut×2 done                                      | cap continue                            | completed |  3   |  0
  fallback        | cut overloaded×3 done                           | cap fallback                            | completed |  5   |  0
  staged          | cut-call too-long done                          | continue drain                          | completed |  3   |  0
                  | cut-call too-long done                          | continue drain- compact                 | completed |  3   |  1
                  | cut-call cut done                               | continue cap                            | completed |  3   |  0
  fallback        | cut-call overloaded×3 done                      | continue fallback                       | completed |  5   |  0
  staged fallback | overloaded×3 too-long done                      | fallback drain                          | completed |  5   |  0
  fallback        | overloaded×3 too-long done                      | fallback drain- compact                 | completed |  5   |  1
  fallback        | overloaded×3 cut done                           | fallback cap                            | completed |  5   |  0
  fallback        | overloaded×3 cut-call done                      | fallback continue                       | completed |  5   |  0

  the server's own words for a full window
                  | window-full done                                | drain- compact continue                 | completed |  2   |  1
  staged          | window-full done                                | drain continue                          | completed |  2   |  0
                  | in+out done                                     |                                         | completed |  2   |  0

  no step: transport, and what cannot be helped
                  | overloaded×2 done                               |                                         | completed |  3   |  0
                  | server-error done                               |                                         | completed |  2   |  0
                  | no-connection done                              |                                         | completed |  2   |  0
                  | broken done                                     |                                         | completed |  2   |  0
  staged fallback | refusal…                                        |                                         | failed    |  1   |  0
  staged fallback | bad-key…                                        |                                         | failed    |  1   |  0
  staged fallback | bad-request…                                    |                                         | failed    |  1   |  0

  each step failing, for ever
  staged          | too-long…                                       | drain drain- compact                    | failed    |  3   |  1
                  | too-long…                                       | drain- compact drain- compact-          | failed    |  2   |  1
  new             | too-long…                                       | drain- compact-                         | failed    |  1   |  0
  staged dumb     | too-long…                                       | drain drain- compact                    | failed    |  3   |  3
  staged          | too-large…                                      | drain drain- compact                    | failed    |  3   |  1
                  | cut…                                            | cap continue×3 continue!                | failed    |  5   |  0
                  | cut-call…                                       | continue×3 continue!                    | failed    |  4   |  0
                  | broken-call…                                    | continue×3 continue!                    | failed    |  4   |  0
  staged          | window-full…                                    | drain continue drain- compact continue  | failed    |  3   |  1
                  | in+out…                                         | drain- compact drain- compact-          | failed    |  3   |  1
                  | overloaded…                                     |                                         | failed    | 11   |  0
  fallback        | overloaded…                                     | fallback                                | failed    | 14   |  0
  fallback        | broken…                                         | fallback                                | failed    | 22   |  0

  all five failing, one after the other
  staged fallback | too-long×2 overloaded×3 cut×5                   | drain drain- compact fallback cap continue×3 continue! | failed | 10 | 1
`;

const say = (text: string) => ({ type: "text", text }) as const;
const refusal = (status: number, type: string, message: string): Reply => ({ kind: "refusal", status, type, message });
const tooLong = "prompt is too long: 58000 tokens > 50000 maximum";
const together = "input length and `max_tokens` exceed context limit: 195000 + 8000 > 200000, decrease input length";

/** The server's words. Calls have an id of their own each time they are made. */
const words: Readonly<Record<string, (id: string) => Reply>> = {
  done: () => ({ kind: "message", content: [say("Done.")] }),
  call: (id) => ({ kind: "message", content: [aToolUse(id, "Read", {})] }),
  "big-call": (id) => ({ kind: "message", content: [aToolUse(id, "Read", { chars: 20_200 })] }),
  "too-long": () => refusal(400, "invalid_request_error", tooLong),
  "too-large": () => refusal(413, "request_too_large", "Request exceeds the maximum size"),
  "in+out": () => refusal(400, "invalid_request_error", together),
  "window-full": () => ({ kind: "message", content: [say("Half")], stopReason: "model_context_window_exceeded" }),
  cut: () => ({ kind: "message", content: [say("A long ans")], stopReason: "max_tokens" }),
  "cut-call": (id) => ({ kind: "message", content: [aToolUse(id, "Read", {})], stopReason: "max_tokens" }),
  broken: () => ({ kind: "message", content: [say("Once upon")], cutAfterEvents: 3 }),
  "broken-call": (id) => ({ kind: "message", content: [aToolUse(id, "Read", {}), say("x")], cutAfterEvents: 6 }),
  overloaded: () => refusal(529, "overloaded_error", "Overloaded"),
  "server-error": () => refusal(500, "api_error", "Internal server error"),
  "no-connection": () => ({ kind: "no-connection" }),
  refusal: () => ({ kind: "message", content: [say("No.")], stopReason: "refusal" }),
  "bad-key": () => refusal(401, "authentication_error", "invalid x-api-key"),
  "bad-request": () => refusal(400, "invalid_request_error", "max_tokens: Field required"),
};

const stepNames: Readonly<Record<string, string>> = {
  "collapse-drain": "drain",
  "reactive-compact": "compact",
  "raise-output-cap": "cap",
  continuation: "continue",
  "model-fallback": "fallback",
};
const outcomeMarks = { done: "", skipped: "-", failed: "!" } as const;

interface Course {
  readonly steps: readonly string[];
  readonly ends: string;
  readonly main: number;
  readonly asks: number;
}

interface Row extends Course {
  readonly given: readonly string[];
  readonly server: string;
}

/** Rounds that a session has behind it: 60 % of the effective window, or 86 %, where collapse has begun. */
const rounds = (given: readonly string[]): readonly Message[] => {
  if (given.includes("new")) return [];
  const chars = given.includes("staged") ? 8_600 : 5_600;
  return Array.from({ length: 12 }, (_, i) => [
    ...(i === 0 ? [aUser("Read everything.", { uuid: "u" })] : []),
    anAssistant([aToolUse(`h${i}`, "Read", {})], { id: `m${i}`, uuid: `a${i}` }),
    aResultMessage(`h${i}`, "x".repeat(chars), { uuid: `r${i}` }),
  ]).flat();
};

const windowTokens = 60_000; // effective 40 000
const config = {
  ...defaultConfig,
  limits: { ...defaultConfig.limits, contextWindowCap: windowTokens },
  auto: { ...defaultConfig.auto, mode: "collapse" as const },
};

/** The server's answers as written: `word`, `word×3`, `word…`. Past the end of what is written it says a word that no row expects. */
function scriptOf(server: string): (nth: number) => string {
  const all = server.split(" ").flatMap((word) => {
    const [, name = "", times = "1"] = /^(.+?)(?:×(\d+)|…)?$/.exec(word) ?? [];
    return Array<string>(Number(times)).fill(name);
  });
  const forEver = server.endsWith("…") ? all.at(-1) : undefined;
  return (nth) => all[nth] ?? forEver ?? "bad-request";
}

/** Plays one turn of a session in collapse mode, which has all five steps, and tells how it went. */
async function play(given: readonly string[], wordOf: (nth: number) => string): Promise<Course> {
  let main = -1; // the first request belongs to the turn before
  let asks = 0;
  const answerTo = (request: WireRequest, source: string | null): Reply => {
    const inputTokens = Math.ceil(JSON.stringify(request.messages).length / 3);
    const filled = (reply: Reply): Reply => (reply.kind === "message" ? { ...reply, inputTokens } : reply);
    if (source === "main") return filled(words[main++ < 0 ? "done" : wordOf(main - 1)]?.(`t${main}`) as Reply);
    asks++;
    const useless = given.includes("dumb") && source === "compact";
    return filled({ kind: "message", content: [say(useless ? " " : "<summary>files were read</summary>")] });
  };
  return driveAgent(
    (request, _nth, headers) => answerTo(request, headers.get("x-longhaul-source")),
    async (driven) => {
      const { agent, clock, events, ran } = driven;
      if (given.includes("new")) main = 0;
      else await agent.turn("Go on.");
      await clock.sleep(1_000); // what was begun in the background ends
      events.length = 0;
      asks = 0;
      const { kind } = await agent.turn("And on.");
      expect(new Set(ran.map(({ id }) => id)).size, "no tool runs twice").toBe(ran.length);
      return { steps: stepsOf(driven), ends: kind, main, asks };
    },
    (clock) => ({
      strategy: fourLayer({ config }),
      windowCap: windowTokens,
      history: rounds(given),
      ...(given.includes("fallback") && { fallbackModel: aModel("claude-haiku-4-5") }),
      tools: {
        run: async ({ input }, signal) => {
          await clock.sleep(10, signal);
          return { content: "x".repeat((input as { readonly chars?: number }).chars ?? 10), isError: false };
        },
      },
    }),
  );
}

const stepsOf = ({ events }: DrivenAgent): readonly string[] =>
  events.flatMap((event) =>
    event.kind === "recovery_step" ? [`${stepNames[event.step]}${outcomeMarks[event.outcome]}`] : [],
  );

const repeated = (steps: string): readonly string[] =>
  steps.split(" ").flatMap((step) => {
    const [name = "", times = "1"] = step.split("×");
    return name === "" ? [] : Array<string>(Number(times)).fill(name);
  });

const rows: readonly Row[] = table
  .split("\n")
  .filter((line) => line.includes("|"))
  .slice(1)
  .map((line) => {
    const [given = "", server = "", steps = "", ends = "", main, asks] = line.split("|").map((cell) => cell.trim());
    return { given: given.split(" "), server, steps: repeated(steps), ends, main: Number(main), asks: Number(asks) };
  });

test.each(rows)("RC2-RC6: $given | $server", async ({ given, server, ...course }) => {
  expect(await play(given, scriptOf(server))).toEqual(course);
});

test("the table has every step alone, every ordered pair, and every step at its end", () => {
  const names = Object.values(stepNames);
  const done = rows.map(({ steps }) => steps.filter((step) => names.includes(step)));
  const alone = done.flatMap((steps) => (steps.length === 1 ? steps : []));
  expect(new Set(alone)).toEqual(new Set(names));
  const pairs = new Set(done.flatMap((steps) => steps.slice(1).map((step, i) => `${steps[i]} ${step}`)));
  for (const first of names) for (const then of names) if (first !== then) expect(pairs).toContain(`${first} ${then}`);
  const failed = rows.filter(({ server, ends }) => server.endsWith("…") && ends === "failed");
  const tried = new Set(failed.flatMap(({ steps }) => steps.map((step) => step.replace(/[-!]$/, ""))));
  expect(tried).toEqual(new Set(names));
});

/** Those after which a turn must not go on for ever: all but calls, which are work. */
const faults = Object.keys(words).filter((word) => !["done", "call", "big-call"].includes(word));
/** Attempts of one request (RC5), at most: the first and ten retries, on either model. */
const attempts = 2 * 11;
/** Requests that differ: the first, three continuations, a raised cap; each may be too long twice and have its cap lowered once. */
const different = (1 + 3 + 1) * (1 + 2 + 1);

test("RC6: whatever goes wrong, in whatever order and for ever, the turn ends within its bounds", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...faults), { minLength: 1, maxLength: 6 }),
      fc.subarray(["staged", "fallback", "dumb"]),
      async (cycle, given) => {
        const { steps, ends, main, asks } = await play(given, (nth) => cycle[nth % cycle.length] as string);
        expect(ends).toBe("failed");
        expect(main).toBeLessThanOrEqual(attempts * different);
        expect(asks).toBeLessThanOrEqual(4 * (1 + main));
        const taken = (step: string) => steps.filter((each) => each === step).length;
        expect([taken("cap"), taken("fallback")].every((times) => times <= 1)).toBe(true);
        expect(taken("continue")).toBeLessThanOrEqual(3);
      },
    ),
    { numRuns: Number(process.env.LONGHAUL_CASES ?? 60), seed: 4 },
  );
});
