import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson, createStableHash, stableHash } from "./index.ts";

test("equal values give equal text whatever the order of their keys", () => {
  expect(canonicalJson({ b: 1, a: { d: [1, { z: 1, y: 2 }], c: undefined } })).toBe(
    canonicalJson({ a: { d: [1, { y: 2, z: 1 }] }, b: 1 }),
  );
});

test("the hash is frozen: a change of it is a change of every run hash", () => {
  expect([stableHash(""), stableHash("longhaul"), stableHash("longhaul ")]).toMatchInlineSnapshot(`
    [
      "85103711ae6fc20c",
      "05790e40314498e2",
      "84a7c4fc18c9e657",
    ]
  `);
});

test("pieces are told apart: where a text is cut changes the hash", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 2 }), fc.nat(), (text, at) => {
      const cut = 1 + (at % (text.length - 1));
      const pieces = createStableHash().add(text.slice(0, cut)).add(text.slice(cut)).digest();
      expect(pieces).not.toBe(stableHash(text));
    }),
  );
});

test("a digest does not end the hash: more may be added, with the same result as without looking", () => {
  const looked = createStableHash().add("a");
  looked.digest();
  expect(looked.add("b").digest()).toBe(createStableHash().add("a").add("b").digest());
});

test("100 000 different texts have 100 000 different hashes", () => {
  const hashes = new Set(Array.from({ length: 100_000 }, (_, i) => stableHash(`line ${i}`)));
  expect(hashes.size).toBe(100_000);
});
