import type { Rng } from "../../determinism/index.ts";

export const textKinds = [
  "prose",
  "markdown",
  "code",
  "jsonMinified",
  "jsonIndented",
  "csv",
  "yaml",
  "log",
  "chinese",
  "japanese",
  "base64",
  "hex",
  "digits",
  "emoji",
] as const;
export type TextKind = (typeof textKinds)[number];
export type Tokenizer = "old" | "new";
/** Characters a token, by kind of text. */
export type Rates = Readonly<Record<Tokenizer, Readonly<Record<TextKind, number>>>>;

/**
 * Characters a token. Source: `charsPerToken` of the project's calibration data (2026-12): measured with the count_tokens endpoint by a
 * public study (old = 4.5 and 4.6 generation, new = 4.7 and 5 generations) and from usage deltas of 456 public Claude Code sessions.
 */
export const measuredRates: Rates = {
  old: {
    prose: 5,
    markdown: 3.4,
    code: 2.8,
    jsonMinified: 2.9,
    jsonIndented: 2.35,
    csv: 2.3,
    yaml: 2.4,
    log: 2.5,
    chinese: 1.2,
    japanese: 1.1,
    base64: 1.04,
    hex: 1.5,
    digits: 3,
    emoji: 0.4,
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
    chinese: 1.2,
    japanese: 1.1,
    base64: 1.04,
    hex: 1.5,
    digits: 3,
    emoji: 0.4,
  },
};

/** Fixed costs in tokens. Modelled: the order of magnitude of public measurements, no published figures. */
export const overheads = {
  /** Role markers of one message. */
  message: 4,
  /** Framing of a tool call and of its result (calibration: 10 for Edit to 51 for Read). */
  toolUse: 12,
  toolResult: 20,
  /** The system prompt that is added when there are tools, and the framing of each. */
  anyTools: 346,
  tool: 8,
  system: 3,
  /** Start of the conversation. */
  request: 3,
  pdfPage: 1_900,
} as const;

/** How far the hidden truth of one seed may lie from the measured rate, either way (K1). */
const spread = 0.15;

/** The true rates of one seed. */
export function drawRates(rng: Rng): Rates {
  const draw = (tokenizer: Tokenizer): Record<TextKind, number> =>
    Object.fromEntries(
      textKinds.map((kind) => {
        const factor = 1 - spread + 2 * spread * rng.fork("rate", kind).next();
        return [kind, measuredRates[tokenizer][kind] * factor];
      }),
    ) as Record<TextKind, number>;
  return { old: draw("old"), new: draw("new") };
}
