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
import { createRelinker } from "./relinker.ts";

const model = findModel("claude-opus-4-8") as ModelInfo;

function chainOf(last: Link): unknown[] {
  const links: unknown[] = [];
  for (let link: Link | null = last; link !== null; link = link.prev)
    links.unshift({ keys: link.keys, sums: link.sums, sizes: link.sizes, runs: link.runs, tokens: link.tokens });
  return links;
}

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

test("K3: going on from the last chain gives what linking anew gives, whatever was said and lost since", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 2, maxLength: 12 }), (steps) => {
      const reader = createRequestReader(createTextCounter(drawRates(createRng(1))));
      const relinker = createRelinker();
      let messages: WireMessage[] = [user("go")];
      let chosen: readonly number[] = [];
      for (const [n, { keep, more, lost, again, system }] of steps.entries()) {
        messages = messages.slice(0, 1 + 2 * keep);
        for (let i = 0; i < more; i++) {
          const id = `id${n}_${i}`;
          messages.push(assistant([call(id)]), user([result(id, `result ${id} `.repeat(9))] as WireBlock[]));
        }
        if (!again) chosen = lost;
        const facts = reader.read({ model: model.id, max_tokens: 1, system, messages }, model);
        const gone = lostOf(facts, chosen);
        expect(chainOf(relinker.relink(facts, gone))).toEqual(chainOf(createRelinker().relink(facts, gone)));
        let tokens = 0;
        for (const less of gone.values()) tokens += less;
        expect(relinker.relink(facts, gone).tokens).toBe(facts.last.tokens - tokens);
      }
    }),
    { numRuns: Number(process.env.LONGHAUL_CASES ?? 60) },
  );
});

test("K3: a chain that goes on is made of the same links", () => {
  const reader = createRequestReader(createTextCounter(drawRates(createRng(1))));
  const relinker = createRelinker();
  const conditions = { conditions: "c", isParsed: false } as const;
  const messages = [user("go"), assistant([call("a")]), user([result("a", "long ".repeat(50))] as WireBlock[])];
  const facts = reader.read({ model: model.id, max_tokens: 1, messages }, model, conditions);
  reader.accept(facts, "c");
  const gone = lostOf(facts, [0]);
  const last = relinker.relink(facts, gone);
  const longer = [...messages, assistant("so"), user("on")];
  const next = reader.read({ model: model.id, max_tokens: 1, messages: longer }, model, conditions);
  const links: Link[] = [];
  for (let link: Link | null = relinker.relink(next, gone); link !== null; link = link.prev) links.unshift(link);
  expect(links).toContain(last);
  expect(relinker.relink(next, new Map(gone))).toBe(links.at(-1));
  const other = new Map([...gone].map(([block, tokens]) => [block, tokens - 1]));
  expect(relinker.relink(next, other).tokens).toBe((links.at(-1)?.tokens ?? 0) + 1);
});
