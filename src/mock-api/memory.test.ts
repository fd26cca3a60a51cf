import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import type { WireMessage } from "../transcript/index.ts";
import type { ModelPort } from "./ports.ts";
import { assistant, callWith, createRig, messageOf, result, user } from "./test-rig.ts";

/** Calls of a run; `npm run fuzz -- --memory` makes 100 000 of them and prints the heap after each tenth. */
const calls = Number(process.env.LONGHAUL_CALLS ?? 2_000);
const tells = process.env.LONGHAUL_CALLS !== undefined;
/** Rounds of a session: its last request holds some 100 KB. */
const rounds = 40;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Megabytes that are still held after everything else was collected. */
function heldMegabytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1e6;
}

const thinks: ModelPort = (request, { round }) => ({
  content: [
    { kind: "thinking", thinking: `step ${request.messages.length} of ${round}` },
    { kind: "tool-call", name: "Read", input: { file: `${round}.ts` } },
  ],
  trace: [],
});

/** A text that no other call has, so that every memory by content fills up. */
const textOf = (n: number): string => `${n}: ${`line ${n} of a file that nobody has read before\n`.repeat(50)}`;

test("memory stays flat, however many calls there are and whatever is new in them", () => {
  const rig = createRig({ model: thinks, observer: () => {} });
  const tools = [{ name: "Read", input_schema: { type: "object" } }];
  let messages: WireMessage[] = [];
  /** Of each tenth of the calls: the most that was held. The memories by content fill and empty in turns, each turn some 8 500 calls long. */
  const most: number[] = Array(10).fill(0);
  for (let n = 0; n < calls; n++) {
    if (n % rounds === 0) messages = [user(`session ${n}`)];
    rig.now += 20_000;
    const body = { model: "claude-opus-5-5", max_tokens: 1_000, tools, cache_control: { type: "ephemeral" }, messages };
    const { content } = messageOf(rig.api.serve({ ...callWith({}), body }));
    const blocks = content.map(({ caller: _, ...block }) => block);
    const id = blocks.at(-1)?.id as string;
    messages = [...messages, assistant(blocks), user([result(id, textOf(n))] as WireMessage["content"])];
    if ((n + 1) % (calls / 100) !== 0) continue;
    const tenth = Math.floor((10 * n) / calls);
    most[tenth] = Math.max(most[tenth] ?? 0, heldMegabytes());
    if (tells && (n + 1) % (calls / 10) === 0)
      console.log(
        `${String(n + 1).padStart(7)} calls: at most ${most[tenth]?.toFixed(1)} MB in the last ${calls / 10}`,
      );
  }
  // Every memory is full after a third of a long run; a short one only shows that requests are not kept.
  const grown = Math.max(...most.slice(6)) - Math.max(...most.slice(3, 6));
  expect(grown).toBeLessThan(tells ? 5 : 30);
});
