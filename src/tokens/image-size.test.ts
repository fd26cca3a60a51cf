import { expect, test } from "vitest";
import { imageSize } from "./image-size.ts";

function base64Of(...bytes: readonly (number | string)[]): string {
  const all = bytes.flatMap((each) =>
    typeof each === "string" ? [...each].map((sign) => sign.charCodeAt(0)) : [each],
  );
  return btoa(String.fromCharCode(...all));
}

const gif = (width: number, height: number): string =>
  base64Of("GIF89a", width & 255, width >> 8, height & 255, height >> 8, 0);
const png = (...size: readonly number[]): string => base64Of(0x89, "PNG", ...Array(12).fill(0), ...size, 0, 0, 0);
const webp = (kind: string, ...rest: readonly number[]): string =>
  base64Of("RIFF", 0, 0, 0, 0, "WEBPVP8", kind, ...Array(8).fill(0), ...rest);
/** Height 7 and width 9 in the frame header. */
const frame = (marker: number): readonly number[] => [0xff, marker, 0, 17, 8, 0, 7, 0, 9, 3];

test("T6: every byte is read from its base64, in the web's alphabet as in the mail's", () => {
  for (let width = 1; width < 65_536; width += 61) {
    const text = gif(width, 258);
    expect(imageSize(text)).toEqual({ width, height: 258 });
    expect(imageSize(text.replaceAll("+", "-").replaceAll("/", "_"))).toEqual({ width, height: 258 });
  }
});

test("T6: a size that is broken anywhere is none", () => {
  const text = png(0, 0, 1, 44, 0, 0, 1, 44);
  expect(imageSize(text)).toEqual({ width: 300, height: 300 });
  for (const sign of ["!", ".", ":", "@", "[", "`", "{", ",", "^"])
    for (let i = 22; i < 32; i++) expect(imageSize(text.slice(0, i) + sign + text.slice(i + 1))).toBeNull();
});

test("T6: an image without width or height is none", () => {
  expect(imageSize(gif(0, 5))).toBeNull();
  expect(imageSize(gif(5, 0))).toBeNull();
});

test("T6: PNG counts in four bytes, an extended WebP in three", () => {
  expect(imageSize(png(1, 2, 3, 4, 5, 6, 7, 8))).toEqual({ width: 0x01020304, height: 0x05060708 });
  expect(imageSize(webp("X", 4, 3, 2, 6, 5, 1))).toEqual({ width: 0x020304 + 1, height: 0x010506 + 1 });
});

test("T6: other RIFF files, and what only looks like WebP, have no size", () => {
  const size = Array(20).fill(1);
  expect(imageSize(base64Of("RIFF", 0, 0, 0, 0, "WAVEfmt ", ...size))).toBeNull();
  expect(imageSize(base64Of("LIST", 0, 0, 0, 0, "WEBPVP8 ", ...size))).toBeNull();
});

test("T6: JPEG begins with its own two bytes", () => {
  expect(imageSize(base64Of(0xff, 0xd8, ...frame(0xc0)))).toEqual({ width: 9, height: 7 });
  expect(imageSize(base64Of(0xff, 0xd9, ...frame(0xc0)))).toBeNull();
  expect(imageSize(base64Of(0xfe, 0xd8, ...frame(0xc0)))).toBeNull();
});

test("T6: JPEG's size stands in a frame header, C0 to CF but for C4, C8 and CC", () => {
  for (let marker = 0xb0; marker < 0xdf; marker++) {
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    const text = base64Of(0xff, 0xd8, 0xff, marker, 0, 8, 8, 0, 1, 0, 2, 3, ...frame(0xc1));
    expect([marker, imageSize(text)]).toEqual([marker, isFrame ? { width: 2, height: 1 } : { width: 9, height: 7 }]);
  }
});

test("T6: after a thousand segments without a frame nobody looks further", () => {
  const filled = (count: number): string => base64Of(0xff, 0xd8, ...Array(count).fill(0xff), ...frame(0xc0));
  expect(imageSize(filled(999))).toEqual({ width: 9, height: 7 });
  expect(imageSize(filled(1000))).toBeNull();
});
