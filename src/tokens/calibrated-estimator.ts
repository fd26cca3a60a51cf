import type { Block, MediaSource, Message } from "../transcript/index.ts";
import { assertNever } from "../transcript/index.ts";
import type { CharsPerToken } from "./chars-per-token.ts";
import { charsPerToken } from "./chars-per-token.ts";
import { profileText } from "./content-kind.ts";
import type { Correction, GrowthPair } from "./correction.ts";
import { correctionFactor, learn, noCorrection } from "./correction.ts";
import type { Estimator } from "./estimator.ts";
import { imageSize } from "./image-size.ts";
import { mediaTokens } from "./rough-estimate.ts";

/** An estimator with a rate per kind of content, corrected by what the server counted (T6). A value: learning gives another one. */
export interface CalibratedEstimator extends Estimator {
  readonly name: "calibrated";
  readonly correction: Correction;
  /** The same rates with one pair more; a ledger takes it over at no cost. */
  corrected(pair: GrowthPair): CalibratedEstimator;
}

/** `tokenizer` is the model's; the correction may be one kept from earlier. `total` is not padded: it aims at the middle. */
export function createCalibratedEstimator(
  options: { readonly tokenizer?: "old" | "new"; readonly correction?: Correction } = {},
): CalibratedEstimator {
  const rates = charsPerToken[options.tokenizer ?? "new"];
  const block = (each: Block): number => estimateBlock(each, rates);
  const message = (each: Message): number => {
    if (each.kind === "boundary" || each.kind === "notice") return 0;
    let sum = 0;
    for (const one of each.content) sum += block(one);
    return sum;
  };
  const withCorrection = (correction: Correction): CalibratedEstimator => {
    const factor = correctionFactor(correction);
    return {
      name: "calibrated",
      correction,
      block,
      message,
      total: (sum) => Math.ceil(sum * factor),
      corrected: (pair) => withCorrection(learn(correction, pair)),
    };
  };
  return withCorrection(options.correction ?? noCorrection);
}

function estimateBlock(block: Block, rates: CharsPerToken): number {
  switch (block.type) {
    case "text":
      return estimateText(block.text, rates);
    case "thinking":
      return estimateText(block.thinking, rates);
    case "redacted_thinking":
      // Encrypted and in base64: four characters stand for three of thinking.
      return toSixtyFourths((block.data.length * 0.75) / rates.prose);
    case "tool_use":
      return estimateText(block.name, rates) + estimateJson(block.input ?? {}, rates);
    case "tool_result": {
      if (typeof block.content === "string") return estimateText(block.content, rates);
      let sum = 0;
      for (const part of block.content) sum += estimateBlock(part, rates);
      return sum;
    }
    case "image":
      return estimateImage(block.source);
    case "document":
      return block.source.type === "text" ? estimateText(block.source.data, rates) : mediaTokens;
    case "compaction":
      return estimateText(block.content ?? "", rates);
    case "cache_edits":
      return estimateJson(block, rates);
    case "opaque":
      return estimateJson(block.wire, rates);
    default:
      return assertNever(block);
  }
}

/** Width × height / 750 where the header tells them. Source: the platform's vision page. */
function estimateImage(source: MediaSource): number {
  const size = source.type === "base64" ? imageSize(source.data) : null;
  return size === null ? mediaTokens : toSixtyFourths((size.width * size.height) / 750);
}

function estimateJson(value: unknown, rates: CharsPerToken): number {
  return estimateText(JSON.stringify(value) ?? "", rates);
}

function estimateText(text: string, rates: CharsPerToken): number {
  const { kind, chinese, japanese, emoji, otherNonLatin } = profileText(text);
  const latin = 1 - chinese - japanese - emoji - otherNonLatin;
  const perChar =
    latin / rates[kind] +
    chinese / rates.chinese +
    japanese / rates.japanese +
    emoji / rates.emoji +
    otherNonLatin / rates.otherNonLatin;
  return toSixtyFourths(text.length * perChar);
}

/** So that sums are exact in any order, and a ledger's differences equal a plain sum. */
function toSixtyFourths(tokens: number): number {
  return Math.round(tokens * 64) / 64;
}
