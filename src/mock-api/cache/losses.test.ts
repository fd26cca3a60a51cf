import fc from "fast-check";
import { expect, test } from "vitest";
import { createRng } from "../../determinism/index.ts";
import type { ModelInfo } from "../../tokens/index.ts";
import { findModel } from "../../tokens/index.ts";
import type { WireBlock, WireMessage } from "../../transcript/index.ts";
import { drawRates } from "../count/rates.ts";
import { createTextCounter } from "../count/true-text.ts";
import type { BlockFacts } from "../facts/block-facts.ts";
import type { Link } from "../facts/link.ts";
import type { RequestFacts } from "../facts/request-facts.ts";
import { createRequestReader } from "../facts/request-facts.ts";
import { assistant, call, result, user } from "../test-rig.ts";
import { lossesOf } from "./losses.ts";

const model = findModel("claude-opus-4-8") as ModelInfo;

/** Results of the conversation that are lost, by index, half of their tokens each. */
function lostOf({ messages }: RequestFacts, indices: readonly number[]): ReadonlyMap<BlockFacts, number> {
  const results = messages.flatMap(({ blocks }) => blocks.filter((block) => block.type === "tool_result"));
  const chosen = indices.flatMap((at) => results[at % Math.max(1, results.length)] ?? []);
  return new Map(chosen.map((block) => [block, Math.floor(block.tokens.new / 2)]));
}

const step = fc.record({
  keep: fc.nat(12),
  more: fc.integer({ min: 1, max: 4 }),
  lost: fc.array(fc.nat(20), { maxLength: 3 }),
  /** The same losses as before: the case that is quick. */
  again: fc.boolean(),
  system: fc.constantFrom("a", "a", "a", "b"),
});

/** What stands lost up to each place, by looking at every place in order. */
function plainly(last: Link, lost: ReadonlyMap<BlockFacts, number>): readonly number[] {
  const links: Link[] = [];
  for (let link: Link | null = last; link !== null; link = link.prev) links.unshift(link);
  let sum = 0;
  return links.flatMap(({ places }) =>
    places.map((block) => {
      sum += lost.get(block) ?? 0;
      return sum;
    }),
  );
}

function byPlace(last: Link, lost: ReadonlyMap<BlockFacts, number>): readonly number[] {
  const losses = lossesOf(last, lost);
  const sums: number[] = [];
  for (let link: Link | null = last; link !== null; link = link.prev)
    for (let place = link.places.length - 1; place >= 0; place--) sums.unshift(losses.upTo(link, place));
  return sums;
}

test("K3: what is lost up to a place is what a look at every place before gives, whatever was said and lost since", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 2, maxLength: 12 }), (steps) => {
      const reader = createRequestReader(createTextCounter(drawRates(createRng(1))));
      let messages: WireMessage[] = [user("go")];
      let lost: ReadonlyMap<BlockFacts, number> = new Map();
      for (const [n, { keep, more, lost: indices, again, system }] of steps.entries()) {
        messages = messages.slice(0, 1 + 2 * keep);
        for (let i = 0; i < more; i++) {
          const id = `id${n}_${i}`;
          messages.push(assistant([call(id)]), user([result(id, `result ${id} `.repeat(9))] as WireBlock[]));
        }
        const { last, ...facts } = reader.read({ model: model.id, max_tokens: 1, system, messages }, model);
        if (!again) lost = lostOf({ last, ...facts }, indices);
        const sums = plainly(last, lost);
        expect(byPlace(last, lost)).toEqual(sums);
        expect(lossesOf(last, lost).total).toBe(sums.at(-1) ?? 0);
      }
    }),
    { numRuns: Number(process.env.LONGHAUL_CASES ?? 60) },
  );
});

test("K3: as long as the cache is edited no more, what is lost is looked for once", () => {
  const reader = createRequestReader(createTextCounter(drawRates(createRng(1))));
  const edits = { type: "cache_edits", edits: [{ type: "delete", tool_use_id: "a" }] };
  const messages = [
    user("go"),
    assistant([call("a")]),
    user([result("a", "long ".repeat(50))] as WireBlock[]),
    assistant("so"),
    user([{ type: "text", text: "on" }, edits] as WireBlock[]),
  ];
  const facts = reader.read({ model: model.id, max_tokens: 1, messages }, model);
  const lost = lostOf(facts, [0]);
  const longer = [...messages, assistant("and"), user("on")];
  const next = reader.read({ model: model.id, max_tokens: 1, messages: longer }, model);
  expect(lossesOf(next.last, lost)).toBe(lossesOf(facts.last, lost));
  const other = new Map([...lost].map(([block, tokens]) => [block, tokens - 1]));
  expect(lossesOf(next.last, other).total).toBe(lossesOf(facts.last, lost).total - 1);
});

test("B2: conversations that begin alike share their links up to where they part", () => {
  const reader = createRequestReader(createTextCounter(drawRates(createRng(1))));
  const main = Array.from({ length: 40 }, (_, n) => [user(`ask ${n}`), assistant(`answer ${n}`)]).flat();
  const read = (messages: readonly WireMessage[], conditions: string): RequestFacts =>
    reader.read({ model: model.id, max_tokens: 1, messages }, model, { conditions, isParsed: false });
  const thread = read([...main, user("go on")], "main");
  const copied = JSON.parse(JSON.stringify(main)) as readonly WireMessage[];
  const fork = read([...copied, user("notes?")], "notes");
  expect(fork.links.slice(0, -1)).toEqual(thread.links.slice(0, -1));
  for (let at = 0; at < main.length; at++) expect(fork.links[at]).toBe(thread.links[at]);
  expect(fork.last).not.toBe(thread.last);
});
