import { dropOldest } from "./drop-oldest.ts";
import type { Answer, Strategy, View } from "./port.ts";
import { nothing } from "./port.ts";
import { actingLine, viewTokens } from "./view-tokens.ts";

/** Drops the oldest rounds when the context is nearly full, down to `keepPercent` of the line. No model call, no summary. */
export function truncateOldest(keepPercent = 60): Strategy {
  return {
    name: "truncate-oldest",
    live: true,
    start: ({ uuid }) => {
      const drop = (view: View, tokens: number, next: "send" | "retry"): Answer => {
        const edit = dropOldest(view, tokens, uuid);
        if (edit === null) return { ...nothing, status: { kind: "failed", reason: "only one round is left" } };
        return { status: { kind: "done" }, edits: [edit], next: { kind: next } };
      };
      return {
        beforeRequest: async (view) => {
          const line = actingLine(view);
          const tokens = viewTokens(view);
          return tokens < line ? nothing : drop(view, tokens - (line * keepPercent) / 100, "send");
        },
        onRejected: async (view, { tokens = 0, limit = 0 }) =>
          drop(view, Math.max(tokens - limit, viewTokens(view) / 5), "retry"),
        onCommand: async (view) => drop(view, viewTokens(view) / 2, "send"),
      };
    },
  };
}
