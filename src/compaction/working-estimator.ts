import type { CalibratedEstimator, Estimator, Stretch } from "../tokens/index.ts";
import type { Message } from "../transcript/index.ts";

/** The estimator of one conversation: one object for its life, whatever it learns. It looks at each message once while the rates stay. */
export interface WorkingEstimator {
  readonly estimator: Estimator;
  /** Whether the estimator that was given can learn. */
  readonly learns: boolean;
  /** Learns from what the server counted (T6). True: messages weigh otherwise now. */
  teach(stretch: Stretch): boolean;
}

export function createWorkingEstimator(given: Estimator): WorkingEstimator {
  let inner = given;
  let weights = new WeakMap<Message, number>();
  return {
    learns: isCalibrated(given),
    estimator: {
      name: given.name,
      block: (block) => inner.block(block),
      message(message) {
        const known = weights.get(message);
        if (known !== undefined) return known;
        const weight = inner.message(message);
        weights.set(message, weight);
        return weight;
      },
      total: (sum) => inner.total(sum),
    },
    teach(stretch) {
      if (!isCalibrated(inner)) return false;
      const taught = inner.taught(stretch);
      const weighsOtherwise = taught.message !== inner.message;
      if (weighsOtherwise) weights = new WeakMap();
      inner = taught;
      return weighsOtherwise;
    },
  };
}

function isCalibrated(estimator: Estimator): estimator is CalibratedEstimator {
  return "taught" in estimator;
}
