import { clearingHalvesCost } from "./clearing.ts";
import type { Effect, EffectOptions } from "./effect.ts";
import { notesCostMoreAndWaitLess } from "./notes-cost.ts";
import { recallFalls, repeatingLosesMore } from "./recall.ts";
import { thresholdMovesWithRework } from "./threshold.ts";

/** Every published effect, each measured when it is called. */
export const effects: readonly ((options: EffectOptions) => Effect | Promise<Effect>)[] = [
  clearingHalvesCost,
  recallFalls,
  repeatingLosesMore,
  notesCostMoreAndWaitLess,
  thresholdMovesWithRework,
];
