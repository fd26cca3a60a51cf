import fc from "fast-check";
import { expect, test } from "vitest";
import { createRng } from "../../determinism/index.ts";
import type { OutBlock } from "../answer/answer.ts";
import { decodeMs, eventsOf } from "./events-of.ts";

const envelope = { id: "msg_1", model: "m", isOldVersion: false, usage: null, diagnostics: null, beta: {} };

function streamOf(blocks: readonly OutBlock[]): ReturnType<typeof eventsOf> {
  const tokens = blocks.reduce((sum, block) => sum + block.tokens, 0);
  const answer = { blocks, stopReason: "end_turn", stopSequence: null, outputTokens: tokens, thinkingTokens: 0 };
  return eventsOf(envelope, { ...answer, trace: [] }, 900, createRng(5));
}

test("S2: a text of 64 000 tokens takes 21 minutes, and is never silent for 20 seconds", () => {
  const { events, latency } = streamOf([{ kind: "text", text: "word ".repeat(64_000), tokens: 64_000 }]);
  const waits = latency.before.map(([, ms]) => ms as number);
  expect(waits.reduce((sum, ms) => sum + ms, 0)).toBe(1_280_000);
  expect(Math.max(...waits)).toBeLessThan(20_000);
  expect(waits.length).toBeLessThan(1_280_000 / 10_000 + 1);
  for (const [place] of latency.before) expect(events[place]?.type).toMatch(/content_block_(delta|stop)/);
});

test("S2: what takes less than ten seconds comes after one wait, before its end", () => {
  const { events, latency } = streamOf([{ kind: "text", text: "word ".repeat(500), tokens: 500 }]);
  expect(latency.before.map(([place, ms]) => [events[place]?.type, ms])).toEqual([["content_block_stop", 10_000]]);
});

const block: fc.Arbitrary<OutBlock> = fc
  .record({ tokens: fc.integer({ min: 0, max: 9_000 }), chars: fc.integer({ min: 0, max: 20_000 }), kind: fc.nat(2) })
  .map(({ tokens, chars, kind }) => {
    const text = "x".repeat(chars);
    if (kind === 0) return { kind: "text", text, tokens };
    if (kind === 1) return { kind: "thinking", thinking: text, signature: "s", tokens };
    return { kind: "tool_use", id: "t", name: "Read", input: {}, json: text, tokens };
  });

test("S2: each block takes the time of its tokens, whatever its length, and all waits of it stand inside it", () => {
  fc.assert(
    fc.property(fc.array(block, { maxLength: 4 }), (blocks) => {
      const { events, latency } = streamOf(blocks);
      const places = latency.before.map(([place]) => place);
      expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
      const taken = blocks.map(() => 0);
      for (const [place, ms] of latency.before) {
        const index = events[place]?.index as number;
        taken[index] = (taken[index] ?? 0) + (ms as number);
      }
      expect(taken).toEqual(blocks.map(({ tokens }) => decodeMs(tokens)));
    }),
  );
});
