import fc from "fast-check";
import { expect, test } from "vitest";
import { findModel } from "../../tokens/index.ts";
import type { WireMessage } from "../../transcript/index.ts";
import { createRig, text } from "../test-rig.ts";

const model = "claude-opus-4-8";
const minTokens = findModel(model)?.minCacheableTokens ?? 0;
type Ttl = "5m" | "1h";
const lifeMs: Readonly<Record<Ttl, number>> = { "5m": 300_000, "1h": 3_600_000 };

/** One message of the conversation: which text, and whether it is a breakpoint. */
interface Said {
  readonly word: number;
  readonly ttl: Ttl | null;
}
interface Step {
  readonly waitMs: number;
  /** Messages that stay of the conversation before, and what is said then. */
  readonly keep: number;
  readonly more: readonly Said[];
  /** Breakpoints of what stays: index from its end, and ttl. */
  readonly marks: readonly (readonly [fromEnd: number, ttl: Ttl])[];
}

const word = fc.nat(3);
const step: fc.Arbitrary<Step> = fc.record({
  waitMs: fc.constantFrom(100, 1_500, 20_000, 200_000, 299_999, 300_000, 3_599_999, 3_600_000),
  keep: fc.nat(30),
  more: fc.array(fc.record({ word, ttl: fc.constantFrom(null, null, null, "5m" as const, "1h" as const) }), {
    minLength: 1,
    maxLength: 12,
  }),
  marks: fc.array(fc.tuple(fc.nat(30), fc.constantFrom("5m" as const, "1h" as const)), { maxLength: 2 }),
});

/** A long text, so that few of them reach the least that is cached, or a short one. */
const textOf = ({ word: n }: Said): string => `${n} ${"some words of it ".repeat(n === 0 ? 1 : 60 * n)}`;
const wireOf = (said: Said, at: number): WireMessage => ({
  role: at % 2 === 0 ? "user" : "assistant",
  content: [text(textOf(said), said.ttl === null ? {} : { cache_control: { type: "ephemeral", ttl: said.ttl } })],
});

/** The rules of K2, read aloud: entries are whole beginnings of a conversation. */
class PlainCache {
  readonly entries = new Map<string, { expiresAt: number; ttl: Ttl; readableFrom: number }>();

  pay(
    said: readonly Said[],
    sizes: readonly number[],
    now: number,
  ): { paid: object; read: number; commit: (begun: number) => void } {
    const nameOf = (at: number): string =>
      said
        .slice(0, at + 1)
        .map(textOf)
        .join("|");
    const isLive = (at: number): boolean => {
      const entry = this.entries.get(nameOf(at));
      return entry !== undefined && now < entry.expiresAt && entry.readableFrom <= now;
    };
    const marked = said.flatMap(({ ttl }, at) => (ttl === null ? [] : [{ at, ttl }]));
    let hit = -1;
    for (const { at } of marked.toReversed()) {
      for (let back = 0; back < 20 && hit < 0 && at - back >= 0; back++)
        if ((sizes[at - back] as number) >= minTokens && isLive(at - back)) hit = at - back;
      if (hit >= 0) break;
    }
    const read = hit < 0 ? 0 : (sizes[hit] as number);
    const paid = { read, "5m": 0, "1h": 0, uncached: 0 };
    let covered = read;
    for (const { at, ttl } of marked) {
      const size = sizes[at] as number;
      if (size < minTokens || size <= covered) continue;
      paid[ttl] += size - covered;
      covered = size;
    }
    paid.uncached = (sizes.at(-1) as number) - covered;
    const commit = (begun: number): void => {
      const refresh = (at: number): void => {
        const entry = this.entries.get(nameOf(at));
        if (entry !== undefined) entry.expiresAt = now + lifeMs[entry.ttl];
      };
      if (hit >= 0) refresh(hit);
      for (const { at, ttl } of marked) {
        if ((sizes[at] as number) < minTokens) continue;
        const before = this.entries.get(nameOf(at));
        const isAlive = before !== undefined && now < before.expiresAt;
        if (isAlive && lifeMs[before.ttl] >= lifeMs[ttl]) refresh(at);
        else
          this.entries.set(nameOf(at), {
            expiresAt: now + lifeMs[ttl],
            ttl,
            readableFrom: isAlive ? Math.min(before.readableFrom, begun) : begun,
          });
      }
    };
    return { paid, read, commit };
  }
}

/** At most four breakpoints, and no long one after a short one: what V6 asks for. */
function allowed(said: readonly Said[]): Said[] {
  let count = 0;
  let short = false;
  return said.map((one) => {
    if (one.ttl === null || count === 4 || (one.ttl === "1h" && short)) return { ...one, ttl: null };
    count++;
    short ||= one.ttl === "5m";
    return one;
  });
}

test("K2: whatever is said, marked and waited for, the cache is paid as the rules read aloud would have it", () => {
  let reads = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 2, maxLength: 10 }), (steps) => {
      const rig = createRig();
      const plain = new PlainCache();
      let said: Said[] = [];
      for (const { waitMs, keep, more, marks } of steps) {
        rig.now += waitMs;
        const kept = said.slice(0, keep).map((one) => ({ ...one, ttl: null as Ttl | null }));
        for (const [fromEnd, ttl] of marks) {
          const at = kept.length - 1 - fromEnd;
          if (at >= 0) kept[at] = { ...(kept[at] as Said), ttl };
        }
        said = [...kept, ...more];
        if (said.length % 2 === 0) said.push({ word: 0, ttl: null });
        const sent = allowed(said);
        const messages = sent.map(wireOf);
        const sizes = messages.map(
          (_, at) => rig.api.countTrueTokens({ model, max_tokens: 1, messages: messages.slice(0, at + 1) }) as number,
        );
        const { paid, read, commit } = plain.pay(sent, sizes, rig.now);
        const reply = rig.send({ model, messages, stream: true });
        const events = reply.body.kind === "events" ? reply.body.events : [];
        const { usage } = (events[0] as unknown as { readonly message: { readonly usage: Record<string, unknown> } })
          .message;
        const written = usage.cache_creation as Record<string, number>;
        expect({
          read: usage.cache_read_input_tokens,
          "5m": written.ephemeral_5m_input_tokens,
          "1h": written.ephemeral_1h_input_tokens,
          uncached: usage.input_tokens,
        }).toEqual(paid);
        commit(rig.now + (reply.latency.first as number));
        if (read > 0) reads++;
      }
    }),
    { numRuns: Number(process.env.LONGHAUL_CASES ?? 40) },
  );
  expect(reads).toBeGreaterThan(5);
});
