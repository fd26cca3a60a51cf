import type { Answer } from "../answer/answer.ts";
import { cutToTokens } from "../answer/shape-answer.ts";
import type { Fault } from "../fault.ts";
import { numberOf, textOf } from "./setting.ts";

/** F2: an answer that ends otherwise than it should. */
export function bendAnswer(fault: Fault, answer: Answer): Answer {
  switch (fault.kind) {
    case "wrong-stop-reason": {
      const swapped = answer.stopReason === "tool_use" ? "end_turn" : "tool_use";
      return { ...answer, stopReason: textOf(fault, "stopReason", swapped) };
    }
    case "max-tokens-cut":
      return { ...cutToTokens(answer, numberOf(fault, "tokens", 20)), stopReason: "max_tokens" };
    case "context-window-exceeded-stop": {
      const half = cutToTokens(answer, numberOf(fault, "tokens", answer.outputTokens >> 1));
      return { ...half, stopReason: "model_context_window_exceeded" };
    }
    case "refusal":
      return { ...cutToTokens(answer, numberOf(fault, "tokens", 0)), stopReason: "refusal" };
    default:
      throw new TypeError(`fault ${fault.id}: ${fault.kind} does not change an answer`);
  }
}
