import { messagesAfterLastBoundary } from "../../transcript/index.ts";
import type { Answer, Strategy, View } from "./port.ts";
import { nothing } from "./port.ts";
import { actingLine, viewTokens } from "./view-tokens.ts";

const marker = "[Tool result left out to make room: run the tool again if you need it]";

/** Clears all tool results but the newest `keep` when the context is nearly full. Calls stay; nothing is summarised. */
export function clearToolResults(keep = 5): Strategy {
  const clear = (view: View, keepNow: number, next: "send" | "retry"): Answer => {
    const uncleared = messagesAfterLastBoundary(view.projection).flatMap((message) =>
      message.kind !== "user"
        ? []
        : message.content.flatMap((block) =>
            block.type === "tool_result" && block.content !== marker ? [block.tool_use_id] : [],
          ),
    );
    const toolUseIds = uncleared.slice(0, Math.max(0, uncleared.length - keepNow));
    if (toolUseIds.length === 0) return nothing;
    return { status: { kind: "done" }, edits: [{ kind: "clear", toolUseIds, marker }], next: { kind: next } };
  };
  return {
    name: "clear-tool-results",
    live: true, // while results are what fills the window
    start: () => ({
      beforeRequest: async (view) => (viewTokens(view) < actingLine(view) ? nothing : clear(view, keep, "send")),
      onRejected: async (view) => clear(view, 1, "retry"),
      onCommand: async (view) => clear(view, keep, "send"),
    }),
  };
}
