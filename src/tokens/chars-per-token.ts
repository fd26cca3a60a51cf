/** Kinds of content that tokenizers treat alike. */
export type ContentKind =
  | "prose"
  | "markdown"
  | "code"
  | "jsonMinified"
  | "jsonIndented"
  | "csv"
  | "yaml"
  | "log"
  | "base64"
  | "hex"
  | "digits";

/** Scripts that are counted by the character, whatever they stand in. */
export type Script = "chinese" | "japanese" | "emoji" | "otherNonLatin";

export type CharsPerToken = Readonly<Record<ContentKind | Script, number>>;

/**
 * Characters per token, by tokenizer generation (`old`: up to 4.6; `new`: 4.7 and 5).
 * Source: calibration.json `charsPerToken`, measured with the count_tokens endpoint by a public study; emoji per UTF-16 unit.
 * `otherNonLatin` (Cyrillic, Arabic, Greek, Hangul, …) is not in it: two characters a token is this project's assumption.
 */
export const charsPerToken: Readonly<Record<"old" | "new", CharsPerToken>> = {
  old: {
    prose: 5,
    markdown: 3.4,
    code: 2.8,
    jsonMinified: 2.9,
    jsonIndented: 2.35,
    csv: 2.3,
    yaml: 2.4,
    log: 2.5,
    base64: 1.04,
    hex: 1.5,
    digits: 3,
    chinese: 1.2,
    japanese: 1.1,
    emoji: 0.4,
    otherNonLatin: 2,
  },
  new: {
    prose: 3.4,
    markdown: 2.65,
    code: 2.45,
    jsonMinified: 2.2,
    jsonIndented: 2.1,
    csv: 1.8,
    yaml: 2.06,
    log: 2.2,
    base64: 1.04,
    hex: 1.5,
    digits: 3,
    chinese: 1.2,
    japanese: 1.1,
    emoji: 0.4,
    otherNonLatin: 2,
  },
};
