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
const sampleChars = 2048;

/** What a text is made of (T6). Depends on the text alone; an empty text is prose. */
export function profileText(text: string): TextProfile {
  const counts = countSample(sample(text));
  const total = Math.max(1, counts.total);
  const isJapanese = counts.kana > 0.1 * counts.han;
  return {
    kind: kindOf(text, counts),
    chinese: isJapanese ? 0 : counts.han / total,
    japanese: (isJapanese ? counts.han + counts.kana : counts.kana) / total,
    emoji: counts.surrogates / total,
    otherNonLatin: counts.other / total,
  };
}

function sample(text: string): string {
  if (text.length <= sampleChars) return text;
  const piece = sampleChars / 4;
  const stride = Math.floor((text.length - piece) / 3);
  let pieces = "";
  for (let i = 0; i < 4; i++) pieces += text.slice(i * stride, i * stride + piece);
  return pieces;
}

interface Counts {
  total: number;
  letters: number;
  hexLetters: number;
  digits: number;
  spaces: number;
  newlines: number;
  quotes: number;
  commas: number;
  colons: number;
  /** `{}()[];=<>&|` */
  codeMarks: number;
  /** `#*`, backquote and `|` */
  markdownMarks: number;
  /** `+/=-_`: what base64 may hold beside letters and digits. */
  base64Marks: number;
  /** Lines whose first sign is a digit or `[` followed by one. */
  dated: number;
  han: number;
  kana: number;
  surrogates: number;
  other: number;
}

function countSample(text: string): Counts {
  const counts: Counts = {
    total: text.length,
    letters: 0,
    hexLetters: 0,
    digits: 0,
    spaces: 0,
    newlines: 0,
    quotes: 0,
    commas: 0,
    colons: 0,
    codeMarks: 0,
    markdownMarks: 0,
    base64Marks: 0,
    dated: 0,
    han: 0,
    kana: 0,
    surrogates: 0,
    other: 0,
  };
  let before = 10;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x24f) countScript(unit, counts);
    else countLatin(unit, before, counts);
    before = unit;
  }
  return counts;
}

function countScript(unit: number, counts: Counts): void {
  if (unit >= 0x4e00 && unit <= 0x9fff) counts.han++;
  else if ((unit >= 0x3000 && unit <= 0x30ff) || (unit >= 0xff00 && unit <= 0xffef)) counts.kana++;
  else if (unit >= 0xd800 && unit <= 0xdfff) counts.surrogates++;
  else if (unit >= 0x2000 && unit <= 0x2bff) counts.codeMarks++;
  else counts.other++;
}

function countLatin(unit: number, before: number, counts: Counts): void {
  const lower = unit | 0x20;
  if (lower >= 0x61 && lower <= 0x7a) {
    counts.letters++;
    if (lower <= 0x66) counts.hexLetters++;
    return;
  }
  if (unit >= 0x30 && unit <= 0x39) {
    counts.digits++;
    if (before === 0x0a || before === 0x5b) counts.dated++;
    return;
  }
  switch (unit) {
    case 0x0a:
      counts.newlines++;
      counts.spaces++;
      return;
    case 0x20:
    case 0x09:
    case 0x0d:
      counts.spaces++;
      return;
    case 0x22:
      counts.quotes++;
      return;
    case 0x2c:
      counts.commas++;
      return;
    case 0x3a:
      counts.colons++;
      return;
    case 0x2b:
    case 0x2f:
    case 0x2d:
    case 0x5f:
      counts.base64Marks++;
      return;
    case 0x3d:
      counts.base64Marks++;
      counts.codeMarks++;
      return;
    case 0x23:
    case 0x2a:
    case 0x60:
      counts.markdownMarks++;
      return;
    case 0x7c:
      counts.markdownMarks++;
      counts.codeMarks++;
      return;
    default:
      if ("{}()[];<>&".includes(String.fromCharCode(unit))) counts.codeMarks++;
  }
}

/** The shares below were set on the texts of content-kind.test.ts; a wrong guess between neighbours in the table costs little. */
function kindOf(text: string, counts: Counts): ContentKind {
  const { total, letters, hexLetters, digits, spaces, newlines, quotes, commas, colons } = counts;
  if (total === 0) return "prose";
  const lines = newlines + 1;
  const dense = spaces <= 0.03 * total && letters + digits + counts.base64Marks >= 0.97 * (total - spaces);
  if (dense && total >= 40) {
    if (letters === 0) return "digits";
    return letters === hexLetters && digits > 0 ? "hex" : "base64";
  }
  const opens = /^\s*[{[]/.test(text.slice(0, 200));
  if (opens && quotes + colons > 0.03 * total) return newlines > 0.01 * total ? "jsonIndented" : "jsonMinified";
  if (counts.dated > 0.6 * lines && colons >= 0.7 * lines && spaces > 0.05 * total && digits > 0.08 * total)
    return "log";
  if (digits + commas > 0.6 * total && commas < 0.02 * total) return "digits";
  if (commas >= 2 * lines && commas > 0.04 * total && spaces < 0.1 * total) return "csv";
  if (counts.codeMarks > 0.035 * total) return "code";
  if (lines > 2 && colons >= 0.7 * lines && colons > 0.015 * total && letters + spaces < 0.95 * total) return "yaml";
  if (counts.markdownMarks > 0.012 * total) return "markdown";
  return "prose";
}
