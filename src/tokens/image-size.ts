/** Pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/**
 * The size that an image's own header states (PNG, JPEG, GIF, WebP), read from its base64 without decoding the rest.
 * Null when the header is missing, broken, or of another kind. Never throws.
 */
export function imageSize(base64: string): ImageSize | null {
  const at = (index: number): number => byteAt(base64, index);
  const size = pngSize(at) ?? gifSize(at) ?? webpSize(at) ?? jpegSize(at);
  return size !== null && size.width > 0 && size.height > 0 ? size : null;
}

/** A byte by index; NaN behind the end or where the text is no base64. */
type ByteAt = (index: number) => number;

function pngSize(at: ByteAt): ImageSize | null {
  if (!reads(at, 0, "\x89PNG")) return null;
  return {
    width: at(16) * 0x1000000 + wordBig(at, 17) * 0x100 + at(19),
    height: at(20) * 0x1000000 + wordBig(at, 21) * 0x100 + at(23),
  };
}

function gifSize(at: ByteAt): ImageSize | null {
  return reads(at, 0, "GIF8") ? { width: wordLittle(at, 6), height: wordLittle(at, 8) } : null;
}

/** Three kinds of chunk may come first: VP8X (extended), VP8L (lossless), VP8 (lossy). Source: Google's WebP container specification. */
function webpSize(at: ByteAt): ImageSize | null {
  if (!reads(at, 0, "RIFF") || !reads(at, 8, "WEBPVP8")) return null;
  const kind = String.fromCharCode(at(15));
  if (kind === "X")
    return { width: 1 + wordLittle(at, 24) + at(26) * 0x10000, height: 1 + wordLittle(at, 27) + at(29) * 0x10000 };
  if (kind === "L") {
    const bits = wordLittle(at, 21) + wordLittle(at, 23) * 0x10000;
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  return { width: wordLittle(at, 26) & 0x3fff, height: wordLittle(at, 28) & 0x3fff };
}

/** Walks the segments to the frame header (SOF), at most 1000 of them: EXIF and thumbnails stand before it. */
function jpegSize(at: ByteAt): ImageSize | null {
  if (at(0) !== 0xff || at(1) !== 0xd8) return null;
  let offset = 2;
  for (let segment = 0; segment < 1000 && at(offset) === 0xff; segment++) {
    const marker = at(offset + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { width: wordBig(at, offset + 7), height: wordBig(at, offset + 5) };
    offset += marker === 0xff ? 1 : 2 + wordBig(at, offset + 2);
  }
  return null;
}

function reads(at: ByteAt, offset: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (at(offset + i) !== text.charCodeAt(i)) return false;
  return true;
}

function wordBig(at: ByteAt, offset: number): number {
  return at(offset) * 0x100 + at(offset + 1);
}

function wordLittle(at: ByteAt, offset: number): number {
  return at(offset) + at(offset + 1) * 0x100;
}

function byteAt(base64: string, index: number): number {
  const group = Math.floor(index / 3) * 4;
  const within = index % 3;
  const high = sextet(base64.charCodeAt(group + within));
  const low = sextet(base64.charCodeAt(group + within + 1));
  const value = ((high << (2 + 2 * within)) | (low >> (4 - 2 * within))) & 0xff;
  return high < 0 || low < 0 ? Number.NaN : value;
}

function sextet(unit: number): number {
  if (unit >= 65 && unit <= 90) return unit - 65;
  if (unit >= 97 && unit <= 122) return unit - 71;
  if (unit >= 48 && unit <= 57) return unit + 4;
  if (unit === 43 || unit === 45) return 62;
  if (unit === 47 || unit === 95) return 63;
  return -1;
}
