export { type CalibratedEstimator, createCalibratedEstimator } from "./calibrated-estimator.ts";
export { profileText, type TextProfile } from "./content-kind.ts";
export { type Cost, costOf } from "./cost.ts";
export { type Estimator, roughEstimator } from "./estimator.ts";
export { exactCount, inputCount, usableUsage } from "./exact-count.ts";
export { type ImageSize, imageSize } from "./image-size.ts";
export type { ModelInfo } from "./model-info.ts";
export { findModel, models } from "./models.ts";
export { newestStretch, type Stretch } from "./newest-stretch.ts";
export type { RateBelief } from "./rate-belief.ts";
export {
  estimateBlock,
  estimateMessage,
  estimateMessageTokens,
  mediaTokens,
  roughTokenCount,
  roughTokenSum,
} from "./rough-estimate.ts";
export { createSessionLedger, type SessionLedger } from "./session-ledger.ts";
export { type CountOptions, countTokens, type TokenCount, tokenCountWithEstimation } from "./token-count.ts";
export { walkedJsonLength, walkingEstimator } from "./walked-estimate.ts";
