import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { createRng } from "../determinism/index.ts";
import { makePng } from "./png.ts";

test("M6: a pasted image is a real PNG of the size that it states, and small", () => {
  const bytes = Buffer.from(makePng(1280, 800, createRng(1)), "base64");
  expect(bytes.subarray(1, 4).toString()).toBe("PNG");
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1280, 800]);
  const at = bytes.indexOf("IDAT");
  const body = bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4));
  expect(inflateSync(body)).toHaveLength((1280 / 8 + 1) * 800);
  expect(bytes.length).toBeLessThan(30_000);
});

test("images of different streams differ", () => {
  expect(makePng(640, 400, createRng(1))).not.toBe(makePng(640, 400, createRng(2)));
});
