/** JSON with the keys of every object in order, so that equal values give equal text whatever built them. `undefined` members are left out. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    member !== null && typeof member === "object" && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : member,
  );
}

/**
 * A 64-bit hash of text that can be fed piece by piece (each `add` also counts as a border: "ab"+"c" differs from "a"+"bc").
 * Not cryptographic: it tells runs and blocks apart, it proves nothing to an adversary. Integer arithmetic only: the same on every engine.
 * Method: two 32-bit multiply-xor lanes with the finalizer of MurmurHash3 (public domain).
 */
export interface StableHash {
  add(text: string): StableHash;
  /** 16 hexadecimal digits; more may be added afterwards. */
  digest(): string;
}

export function createStableHash(): StableHash {
  let a = 0x9e3779b1;
  let b = 0x85ebca77;
  const hash: StableHash = {
    add: (text) => {
      let x = a ^ text.length;
      let y = b ^ (text.length << 1);
      for (let i = 0; i < text.length; i++) {
        const unit = text.charCodeAt(i);
        x = Math.imul(x ^ unit, 0x85ebca6b);
        y = Math.imul(y ^ unit, 0xc2b2ae35) ^ (x >>> 15);
      }
      a = mix(x, y);
      b = mix(y, a);
      return hash;
    },
    digest: () => hex(mix(a, b)) + hex(mix(b, a)),
  };
  return hash;
}

/** The stable hash of one text. */
export function stableHash(text: string): string {
  return createStableHash().add(text).digest();
}

function mix(x: number, y: number): number {
  let h = x ^ Math.imul(y ^ (y >>> 16), 0x27d4eb2f);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, "0");
}
