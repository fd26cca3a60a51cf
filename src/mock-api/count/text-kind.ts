import type { TextKind } from "./rates.ts";

/** How many characters of a text belong to scripts with a rate of their own; the rest is of one `kind`. */
export interface TextMix {
  readonly kind: TextKind;
  readonly chinese: number;
  readonly japanese: number;
  readonly emoji: number;
  readonly rest: number;
}

/** What a text is made of. One pass for the scripts, a sample of at most 3 000 characters for the kind. */
export function textMix(text: string): TextMix {
  let chinese = 0;
  let japanese = 0;
  let emoji = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x2e80) continue;
    if (unit >= 0x3040 && unit <= 0x30ff) japanese++;
    else if (
      (unit >= 0x4e00 && unit <= 0x9fff) ||
      (unit >= 0x3400 && unit <= 0x4dbf) ||
      (unit >= 0xac00 && unit <= 0xd7a3)
    )
      chinese++;
    else if (unit >= 0xd83c && unit <= 0xd83e) emoji++;
  }
  return { kind: kindOf(sampleOf(text)), chinese, japanese, emoji, rest: text.length - chinese - japanese - 2 * emoji };
}

const sampleSize = 1_000;

function sampleOf(text: string): string {
  if (text.length <= 3 * sampleSize) return text;
  const middle = (text.length - sampleSize) >> 1;
  return `${text.slice(0, sampleSize)}${text.slice(middle, middle + sampleSize)}${text.slice(-sampleSize)}`;
}

function kindOf(sample: string): TextKind {
  const length = sample.length;
  if (length === 0) return "prose";
  const { digits, hexes, letters, spaces, newlines, commas, marks } = classes(sample);
  if (spaces + newlines < length / 80 && length >= 64) {
    if (digits > 0.8 * length) return "digits";
    if (hexes > 0.95 * length) return "hex";
    if (letters + digits > 0.9 * length) return "base64";
  }
  const first = sample.trimStart()[0];
  if (first === "{" || first === "[") {
    if (/^[{[]\s*["{[\]}\d-]/.test(sample.trimStart()))
      return newlines > length / 200 ? "jsonIndented" : "jsonMinified";
  }
  if (newlines > 0 && commas > length / 25 && commas > 2 * newlines) return "csv";
  if (digits > length / 7) return "log";
  if (marks > length / 22) return newlines > 0 && isKeyed(sample, newlines) ? "yaml" : "code";
  if (/^(#{1,4} |[-*] |\d+\. |```)/m.test(sample)) return "markdown";
  return "prose";
}

/** Most lines are `key: value`. */
function isKeyed(sample: string, newlines: number): boolean {
  return (sample.match(/^\s*(- )?[\w-]+:( |$)/gm)?.length ?? 0) > 0.6 * newlines;
}

interface Classes {
  digits: number;
  hexes: number;
  letters: number;
  spaces: number;
  newlines: number;
  commas: number;
  /** Signs of code: brackets, operators, semicolons, underscores. */
  marks: number;
}

function classes(sample: string): Classes {
  const count: Classes = { digits: 0, hexes: 0, letters: 0, spaces: 0, newlines: 0, commas: 0, marks: 0 };
  for (let i = 0; i < sample.length; i++) {
    const unit = sample.charCodeAt(i);
    if (unit >= 48 && unit <= 57) {
      count.digits++;
      count.hexes++;
    } else if ((unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90)) {
      count.letters++;
      if ((unit | 32) <= 102) count.hexes++;
    } else if (unit === 32 || unit === 9) count.spaces++;
    else if (unit === 10) count.newlines++;
    else if (unit === 44) count.commas++;
    else if (unit < 127 && codeMarks.includes(sample[i] as string)) count.marks++;
  }
  return count;
}

const codeMarks = "(){}[]<>=;:+/\\|&_$@\"'`*";
