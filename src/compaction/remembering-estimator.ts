import type { Estimator } from "../tokens/index.ts";
import type { Message } from "../transcript/index.ts";

/** The same estimator, looking at each message once: messages never change, so what one weighs stays true while it is the same object. */
export function rememberingEstimator(estimator: Estimator): Estimator {
  const weights = new WeakMap<Message, number>();
  return {
    ...estimator,
    message(message) {
      const known = weights.get(message);
      if (known !== undefined) return known;
      const weight = estimator.message(message);
      weights.set(message, weight);
      return weight;
    },
  };
}
