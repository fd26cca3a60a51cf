import type { AskReply, CallError } from "../ports.ts";
import { formatSummary } from "./format-summary.ts";

/** What a reply is worth to the summary that was asked for. */
export type Verdict =
  | { readonly kind: "usable"; readonly summary: string }
  | { readonly kind: "too-long"; readonly error: CallError | "window-exceeded" }
  | { readonly kind: "media-refused" }
  | { readonly kind: "unusable"; readonly reason: string }
  | { readonly kind: "aborted" };

/**
 * Usable is only text that ended by itself (end_turn, stop_sequence) and is a summary by FC7. A tool call is not run and makes the
 * answer as good as none; an answer that filled the window was a request that was too long (FC3).
 */
export function judgeReply(reply: AskReply): Verdict {
  switch (reply.kind) {
    case "aborted":
      return { kind: "aborted" };
    case "error":
      return judgeError(reply.error);
    case "answer": {
      if (reply.stopReason === "model_context_window_exceeded") return { kind: "too-long", error: "window-exceeded" };
      if (reply.toolCalls.length > 0) return { kind: "unusable", reason: "tool_call" };
      if (reply.stopReason !== "end_turn" && reply.stopReason !== "stop_sequence")
        return { kind: "unusable", reason: `stopped_by_${reply.stopReason ?? "nothing"}` };
      const formatted = formatSummary(reply.text);
      return formatted.kind === "summary"
        ? { kind: "usable", summary: formatted.text }
        : { kind: "unusable", reason: formatted.reason };
    }
  }
}

function judgeError(error: CallError): Verdict {
  switch (error.class) {
    case "overflow":
    case "output-overflow":
      return { kind: "too-long", error };
    case "media":
      return { kind: "media-refused" };
    case "rate-limited":
    case "overloaded":
    case "transient":
    case "auth":
    case "refusal":
    case "permanent":
      return { kind: "unusable", reason: error.class };
  }
}
