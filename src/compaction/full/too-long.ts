import type { CallError } from "../ports.ts";

/** What a refusal for length says: tokens sent, and the limit. */
export interface TooLongFigures {
  readonly tokens: number;
  readonly limit: number;
}

/**
 * The figures in a refusal for length, null where it has none (PT2). Any wording around "N tokens > M", any thousands separators
 * (comma, point, apostrophe, underscore, space, thin or hard space); `A + B > W` (input, max_tokens, window) gives A and W.
 * What the port has parsed itself (`error.tokens`, `error.limit`) serves where the text says nothing.
 */
export function tooLongFigures(error: CallError): TooLongFigures | null {
  const text = error.text.slice(0, LONGEST_TEXT_CHARS).replace(/&gt;|\\u003e/gi, ">");
  for (const { pattern, tokens, limit } of WORDINGS) {
    const match = pattern.exec(text);
    const figures = match && { tokens: numberIn(match[tokens]), limit: numberIn(match[limit]) };
    if (figures && figures.tokens > 0 && figures.limit > 0) return figures;
  }
  return error.tokens !== undefined && error.limit !== undefined ? { tokens: error.tokens, limit: error.limit } : null;
}

/** A refusal says its figures at its beginning; a gateway's page behind it can be long. */
const LONGEST_TEXT_CHARS = 4_000;

/** Groups of two or three digits: Indian English writes 2,07,547. */
const NUMBER = String.raw`(\d{1,3}(?:[.,'’_ \u00a0\u2009\u202f]\d{2,3})*[.,'’_ \u00a0\u2009\u202f]\d{3}(?!\d)|\d+)`;

/** Tried in order. Sources: Anthropic, its legacy output check, and the phrasings of gateways and other providers. */
const WORDINGS: readonly { readonly pattern: RegExp; readonly tokens: number; readonly limit: number }[] = [
  { pattern: new RegExp(String.raw`${NUMBER}\s*\+\s*${NUMBER}\s*>\s*${NUMBER}`), tokens: 1, limit: 3 },
  {
    pattern: new RegExp(String.raw`${NUMBER}\s*(?:input\s+|prompt\s+)?tokens?\s*>\s*${NUMBER}`, "i"),
    tokens: 1,
    limit: 2,
  },
  { pattern: new RegExp(String.raw`${NUMBER}\s*>\s*${NUMBER}`), tokens: 1, limit: 2 },
  {
    pattern: new RegExp(String.raw`tokens?\D{0,20}${NUMBER}\D{0,20}exceeds?\D{0,60}${NUMBER}`, "i"),
    tokens: 1,
    limit: 2,
  },
  { pattern: new RegExp(String.raw`${NUMBER}\s*tokens?\D{0,20}exceeds?\D{0,60}${NUMBER}`, "i"), tokens: 1, limit: 2 },
  {
    pattern: new RegExp(String.raw`(?:maximum|max)\D{0,40}${NUMBER}\s*tokens\D{0,80}?${NUMBER}\s*tokens`, "i"),
    tokens: 2,
    limit: 1,
  },
];

function numberIn(digits: string | undefined): number {
  return Number((digits as string).replace(/\D/g, ""));
}
