import type { ContentKind } from "./chars-per-token.ts";

/** Shares of a text, by the UTF-16 unit, and what its Latin part looks like. */
export interface TextProfile {
  readonly kind: ContentKind;
  /** Of all units: Han, kana (with the Han beside it), surrogates of emoji, and other scripts. */
  readonly chinese: number;
  readonly japanese: number;
  readonly emoji: number;
  readonly otherNonLatin: number;
}

/** Longer texts are judged by this many characters, from four places in them: the cost of a look does not grow with the text. */
const sampleChars = 1024;

/** What a text is made of (T6). Depends on the text alone; an empty text is prose. */
export function profileText(text: string): TextProfile {
  const counts = countSample(text);
  const of = (sign: Sign): number => counts[sign] as number;
  const total = Math.max(1, of(Sign.total));
  const isJapanese = of(Sign.kana) > 0.1 * of(Sign.han);
  return {
    kind: kindOf(text, of),
    chinese: isJapanese ? 0 : of(Sign.han) / total,
    japanese: (of(Sign.kana) + (isJapanese ? of(Sign.han) : 0)) / total,
    emoji: of(Sign.surrogate) / total,
    otherNonLatin: of(Sign.other) / total,
  };
}

/** Classes of UTF-16 units, as indices into the counts; the last two are counts of their own. */
const Sign = {
  none: 0,
  letter: 1,
  hexLetter: 2,
  digit: 3,
  space: 4,
  newline: 5,
  quote: 6,
  comma: 7,
  colon: 8,
  codeMark: 9,
  markdownMark: 10,
  /** What base64 may hold beside letters and digits. */
  base64Mark: 11,
  equals: 12,
  bar: 13,
  han: 14,
  kana: 15,
  surrogate: 16,
  other: 17,
  /** Digits that open a line, or stand behind a `[`: a log's time. */
  dated: 18,
  total: 19,
} as const;
type Sign = (typeof Sign)[keyof typeof Sign];

const signs: readonly (readonly [string, Sign])[] = [
  ["ghijklmnopqrstuvwxyzGHIJKLMNOPQRSTUVWXYZ", Sign.letter],
  ["abcdefABCDEF", Sign.hexLetter],
  ["0123456789", Sign.digit],
  [" \t\r", Sign.space],
  ["\n", Sign.newline],
  ['"', Sign.quote],
  [",", Sign.comma],
  [":", Sign.colon],
  ["{}()[];<>&", Sign.codeMark],
  ["#*`", Sign.markdownMark],
  ["+/-_", Sign.base64Mark],
  ["=", Sign.equals],
  ["|", Sign.bar],
];

/** The class of every ASCII unit. */
const signOfUnit: readonly Sign[] = Array.from(
  { length: 128 },
  (_, unit) => signs.find(([units]) => units.includes(String.fromCharCode(unit)))?.[1] ?? Sign.none,
);

function countSample(text: string): Uint32Array {
  const counts = new Uint32Array(20);
  if (text.length <= sampleChars) countSigns(text, 0, text.length, counts);
  else {
    const piece = sampleChars / 4;
    const stride = Math.floor((text.length - piece) / 3);
    for (let i = 0; i < 4; i++) countSigns(text, i * stride, i * stride + piece, counts);
  }
  return counts;
}

function countSigns(text: string, from: number, to: number, counts: Uint32Array): void {
  let before: Sign = from === 0 ? Sign.newline : Sign.none;
  let opened = false;
  for (let i = from; i < to; i++) {
    const unit = text.charCodeAt(i);
    const sign = unit < 128 ? (signOfUnit[unit] as Sign) : signBeyondAscii(unit);
    counts[sign] = (counts[sign] as number) + 1;
    if (sign === Sign.digit && (before === Sign.newline || opened))
      counts[Sign.dated] = (counts[Sign.dated] as number) + 1;
    before = sign;
    opened = unit === 0x5b;
  }
  counts[Sign.total] = (counts[Sign.total] as number) + to - from;
}

function signBeyondAscii(unit: number): Sign {
  if (unit <= 0x24f) return Sign.none; // Latin with accents: no class of its own
  if (unit >= 0x4e00 && unit <= 0x9fff) return Sign.han;
  if ((unit >= 0x3000 && unit <= 0x30ff) || (unit >= 0xff00 && unit <= 0xffef)) return Sign.kana;
  if (unit >= 0xd800 && unit <= 0xdfff) return Sign.surrogate;
  if (unit >= 0x2000 && unit <= 0x2bff) return Sign.codeMark;
  return Sign.other;
}

/** The shares below were set on the texts of calibrated-estimator.test.ts; a wrong guess between neighbours in the table costs little. */
function kindOf(text: string, of: (sign: Sign) => number): ContentKind {
  const total = of(Sign.total);
  const letters = of(Sign.letter) + of(Sign.hexLetter);
  const digits = of(Sign.digit);
  const spaces = of(Sign.space) + of(Sign.newline);
  const commas = of(Sign.comma);
  const colons = of(Sign.colon);
  const lines = of(Sign.newline) + 1;
  const encoded = letters + digits + of(Sign.base64Mark) + of(Sign.equals);
  if (total >= 40 && spaces <= 0.03 * total && encoded >= 0.97 * (total - spaces)) {
    if (letters === 0) return "digits";
    return of(Sign.letter) === 0 && digits > 0 ? "hex" : "base64";
  }
  const opens = /^\s*[{[]/.test(text);
  if (opens && of(Sign.quote) + colons > 0.03 * total)
    return lines > 0.01 * total + 1 ? "jsonIndented" : "jsonMinified";
  const isDated = of(Sign.dated) > 0.6 * lines && colons >= 0.7 * lines;
  if (isDated && spaces > 0.05 * total && digits > 0.08 * total) return "log";
  if (digits + commas > 0.6 * total && commas < 0.02 * total) return "digits";
  if (commas >= 2 * lines && commas > 0.04 * total && spaces < 0.1 * total) return "csv";
  if (of(Sign.codeMark) + of(Sign.equals) + of(Sign.bar) > 0.035 * total) return "code";
  if (lines > 2 && colons >= 0.7 * lines && colons > 0.015 * total && letters + spaces < 0.95 * total) return "yaml";
  return of(Sign.markdownMark) + of(Sign.bar) > 0.012 * total ? "markdown" : "prose";
}
