import type { Rng } from "../determinism/index.ts";

/**
 * A real PNG of that many pixels, base64: one bit a pixel, seeded rows of stripes on an empty page, so that it is small for its size.
 * The deflate stream uses fixed Huffman codes with runs (RFC 1951, 3.2.6); `node:zlib` is no dependency of this room.
 */
export function makePng(width: number, height: number, rng: Rng): string {
  const rowBytes = Math.ceil(width / 8);
  const raw = new Uint8Array((rowBytes + 1) * height);
  for (let stripe = 0; stripe < stripes; stripe++) {
    const row = rng.integer(0, height - 1);
    raw.fill(rng.integer(1, 255), row * (rowBytes + 1) + 1, row * (rowBytes + 1) + 1 + rng.integer(1, rowBytes));
  }
  const header = [...bigEndian(width), ...bigEndian(height), 1, 0, 0, 0, 0];
  const bytes = [
    137,
    80,
    78,
    71,
    13,
    10,
    26,
    10,
    ...chunk("IHDR", header),
    ...chunk("IDAT", zlibOf(raw)),
    ...chunk("IEND", []),
  ];
  return toBase64(bytes);
}

/** Enough that two images differ. */
const stripes = 24;

function chunk(name: string, body: readonly number[]): readonly number[] {
  const named = [...[...name].map((letter) => letter.charCodeAt(0)), ...body];
  return [...bigEndian(body.length), ...named, ...bigEndian(crc32(named))];
}

function bigEndian(value: number): readonly number[] {
  return [(value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
}

function zlibOf(raw: Uint8Array): readonly number[] {
  const out: number[] = [0x78, 0x01];
  let held = 0;
  let bits = 0;
  const put = (value: number, count: number): void => {
    held |= value << bits;
    bits += count;
    for (; bits >= 8; bits -= 8, held >>>= 8) out.push(held & 255);
  };
  const putReversed = (code: number, count: number): void => {
    for (let i = count - 1; i >= 0; i--) put((code >>> i) & 1, 1);
  };
  put(0b011, 3);
  for (let i = 0; i < raw.length; ) {
    const byte = raw[i] ?? 0;
    if (byte < 144) putReversed(0x30 + byte, 8);
    else putReversed(0x190 + byte - 144, 9);
    i++;
    // Runs of 258 at distance 1: length code 285, distance code 0.
    while (i + 258 <= raw.length && isRun(raw, i, byte)) {
      putReversed(0b11000101, 8);
      putReversed(0, 5);
      i += 258;
    }
  }
  putReversed(0, 7);
  if (bits > 0) put(0, 8 - bits);
  return [...out, ...bigEndian(adler32(raw))];
}

function isRun(raw: Uint8Array, from: number, byte: number): boolean {
  for (let i = from; i < from + 258; i++) if (raw[i] !== byte) return false;
  return true;
}

function adler32(bytes: Uint8Array): number {
  let a = 1;
  let b = 0;
  for (const byte of bytes) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return ((b << 16) | a) >>> 0;
}

function crc32(bytes: readonly number[]): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let i = 0; i < 8; i++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function toBase64(bytes: readonly number[]): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  let text = "";
  for (let i = 0; i < bytes.length; i += 3) {
    const [a = 0, b, c] = [bytes[i], bytes[i + 1], bytes[i + 2]];
    const three = (a << 16) | ((b ?? 0) << 8) | (c ?? 0);
    text += alphabet.charAt(three >>> 18) + alphabet.charAt((three >>> 12) & 63);
    text +=
      b === undefined
        ? "=="
        : alphabet.charAt((three >>> 6) & 63) + (c === undefined ? "=" : alphabet.charAt(three & 63));
  }
  return text;
}
