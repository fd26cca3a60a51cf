import { messagesAfterLastBoundary } from "../../transcript/index.ts";
import type { Answer, Strategy, View } from "./port.ts";
import { nothing } from "./port.ts";
import { replaceBySummary, summaryInstruction, summaryOf } from "./summary-edit.ts";
import { actingLine, viewTokens } from "./view-tokens.ts";

/** Asks the model for a summary of everything when the context is nearly full, and goes on with that alone. One call, no fallback, no retry. */
export const summarizeOnly: Strategy = {
  name: "summarize-only",
  live: true, // while the summarising request itself fits
  start: ({ ask, uuid }) => {
    const summarize = async (view: View, focus: string, next: "send" | "retry"): Promise<Answer> => {
      const reply = await ask({
        purpose: "compact",
        messages: messagesAfterLastBoundary(view.projection),
        instruct: summaryInstruction(focus),
        system: "same",
        tools: "same",
        thinking: "same",
        cacheEdits: "same",
        model: "main",
        maxOutput: 20_000,
        signal: view.signal,
      });
      const summary = summaryOf(reply);
      if (summary.kind === "none") return { ...nothing, status: { kind: "failed", reason: summary.reason } };
      const edit = replaceBySummary(view, summary.text, uuid);
      return edit === null
        ? { ...nothing, status: { kind: "inflated", reason: "the summary is no smaller" } }
        : { status: { kind: "done" }, edits: [edit], next: { kind: next } };
    };
    return {
      beforeRequest: async (view) => (viewTokens(view) < actingLine(view) ? nothing : summarize(view, "", "send")),
      onRejected: async (view) => summarize(view, "", "retry"),
      onCommand: async (view, focus) => summarize(view, focus, "send"),
    };
  },
};
