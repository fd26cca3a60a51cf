import type { Block, Message } from "../transcript/index.ts";
import { estimateBlock, estimateMessage, padded } from "./rough-estimate.ts";

/**
 * How tokens are guessed (T6). Contract:
 * - `block` depends on the block alone and is a multiple of 1/64, so that sums are exact in any order;
 * - `message` is the sum of its blocks, 0 for what is never sent;
 * - `total` makes a sum of blocks into tokens: whole, never less than the sum of nothing (0), growing with the sum.
 */
export interface Estimator {
  readonly name: "rough" | "walking" | "calibrated";
  block(block: Block): number;
  message(message: Message): number;
  total(sum: number): number;
}

/** The rule of thumb and its pad (T1-T3): the reference policy's default. */
export const roughEstimator: Estimator = {
  name: "rough",
  block: estimateBlock,
  message: estimateMessage,
  total: padded,
};
