/** What an image or a PDF is, as far as limits and price need it. */
export type MediaFacts =
  | {
      readonly kind: "image";
      readonly base64Chars: number;
      readonly size: { readonly width: number; readonly height: number } | null;
    }
  | { readonly kind: "pdf"; readonly base64Chars: number; readonly pages: number };

/** Reads the size of a PNG, GIF, WebP or JPEG from its header; null where the data is none of these. Never throws. */
export function imageFacts(base64: string): MediaFacts {
  return { kind: "image", base64Chars: base64.length, size: sizeOf(bytesOf(base64, headerChars)) };
}

/** Counts the page objects of a PDF; at least 1. */
export function pdfFacts(base64: string): MediaFacts {
  const text = bytesOf(base64, base64.length);
  return {
    kind: "pdf",
    base64Chars: base64.length,
    pages: Math.max(1, text.match(/\/Type\s*\/Page(?![a-zA-Z])/g)?.length ?? 0),
  };
}

/**
 * Tokens of an image: width × height / 750 after scaling down to 1 568 pixels on the long edge and 1.15 megapixels (public vision documentation).
 * An image of unknown size counts as the largest.
 */
export function imageTokens(size: { readonly width: number; readonly height: number } | null): number {
  if (size === null || size.width <= 0 || size.height <= 0) return largestImage;
  const long = Math.max(size.width, size.height);
  const scale = Math.min(1, longEdge / long);
  const area = Math.min(size.width * scale * size.height * scale, maxArea);
  return Math.max(1, Math.ceil(area / pixelsPerToken));
}

const headerChars = 64 * 1024;
const longEdge = 1_568;
const maxArea = 1_150_000;
const pixelsPerToken = 750;
const largestImage = Math.ceil(maxArea / pixelsPerToken);

/** The first bytes as a string of char codes 0-255. */
function bytesOf(base64: string, chars: number): string {
  const slice = base64.slice(0, chars - (chars % 4));
  try {
    return atob(slice.length > 0 ? slice : base64);
  } catch {
    return "";
  }
}

function sizeOf(bytes: string): { width: number; height: number } | null {
  const u16 = (at: number): number => bytes.charCodeAt(at) * 256 + bytes.charCodeAt(at + 1);
  const u16le = (at: number): number => bytes.charCodeAt(at) + bytes.charCodeAt(at + 1) * 256;
  if (bytes.startsWith("\x89PNG") && bytes.length >= 24)
    return { width: u16(16) * 65_536 + u16(18), height: u16(20) * 65_536 + u16(22) };
  if (bytes.startsWith("GIF8") && bytes.length >= 10) return { width: u16le(6), height: u16le(8) };
  if (bytes.startsWith("RIFF") && bytes.slice(12, 16) === "VP8X" && bytes.length >= 30)
    return {
      width: u16le(24) + bytes.charCodeAt(26) * 65_536 + 1,
      height: u16le(27) + bytes.charCodeAt(29) * 65_536 + 1,
    };
  if (bytes.startsWith("\xff\xd8")) return jpegSize(bytes, u16);
  return null;
}

function jpegSize(bytes: string, u16: (at: number) => number): { width: number; height: number } | null {
  let at = 2;
  while (at + 9 < bytes.length && bytes.charCodeAt(at) === 0xff) {
    const marker = bytes.charCodeAt(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { height: u16(at + 5), width: u16(at + 7) };
    at += 2 + u16(at + 2);
  }
  return null;
}
