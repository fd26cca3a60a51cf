import type { Block, Message } from "../transcript/index.ts";
import type { CharsPerToken } from "./chars-per-token.ts";
import { charsPerToken } from "./chars-per-token.ts";
import { profileText } from "./content-kind.ts";
import { weighStretch } from "./content-weights.ts";
import type { Estimator } from "./estimator.ts";
import type { Stretch } from "./newest-stretch.ts";
import type { RateBelief } from "./rate-belief.ts";
import { learnRates, ratedKinds, tableBelief } from "./rate-belief.ts";
import type { Scale } from "./weigh-block.ts";
import { weighBlock } from "./weigh-block.ts";

/** An estimator with a rate per kind of content, corrected by what the server counted (T6). A value: learning gives another one. */
export interface CalibratedEstimator extends Estimator {
  readonly name: "calibrated";
  /** What is known of each kind's rate; plain data, to be kept for the next session. */
  readonly belief: RateBelief;
  /**
   * With what a stretch of conversation teaches about each kind. Its cost is the stretch. Blocks are weighed as before until a rate has moved by more than
   * a fiftieth: only then is what was estimated before to be looked at again (a ledger sees that by itself).
   */
  taught(stretch: Stretch): CalibratedEstimator;
}

/** Rates are not exchanged for a smaller difference than this. */
const worthAnother = 0.02;

/** `tokenizer` is the model's; the belief may be one kept from earlier. `total` is not padded: it aims at the middle. */
export function createCalibratedEstimator(
  options: { readonly tokenizer?: "old" | "new"; readonly belief?: RateBelief } = {},
): CalibratedEstimator {
  const table = charsPerToken[options.tokenizer ?? "new"];
  const make = (weigh: Weigh, belief: RateBelief): CalibratedEstimator => ({
    name: "calibrated",
    belief,
    block: weigh.block,
    message: weigh.message,
    total: Math.ceil,
    taught: (stretch) => {
      const learned = learnRates(belief, weighStretch(stretch, table), stretch.actual);
      const moved = learned.factors.some((to, i) => Math.abs(to / (weigh.factors[i] as number) - 1) > worthAnother);
      return make(moved ? weighBy(table, learned.factors) : weigh, learned);
    },
  });
  const { belief = tableBelief } = options;
  return make(weighBy(table, belief.factors), belief);
}

/** One set of rates at work. */
interface Weigh extends Pick<Estimator, "block" | "message"> {
  readonly factors: readonly number[];
}

function weighBy(table: CharsPerToken, factors: readonly number[]): Weigh {
  const rates = Object.fromEntries(
    ratedKinds.map((kind, i) => [kind, table[kind] / (factors[i] as number)]),
  ) as unknown as CharsPerToken;
  const scale: Scale = {
    text: (text) => estimateText(text, rates),
    chars: (kind, count) => toSixtyFourths(count / rates[kind]),
    tokens: toSixtyFourths,
  };
  const block = (each: Block): number => weighBlock(each, scale);
  const message = (each: Message): number => {
    if (each.kind === "boundary" || each.kind === "notice") return 0;
    let sum = 0;
    for (const one of each.content) sum += block(one);
    return sum;
  };
  return { factors, block, message };
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
