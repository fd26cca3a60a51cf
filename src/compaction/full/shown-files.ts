import type { Message, ToolUseBlock } from "../../transcript/index.ts";

/**
 * Paths whose whole content stands in the messages: attached files, files written, and files read whole with a result that is there,
 * is no error, and has not been cleared. Such a file need not be attached again (FC10).
 */
export function pathsShownIn(messages: readonly Message[], clearedMarker: string): ReadonlySet<string> {
  const shown = new Set<string>();
  const calls = new Map<string, ToolUseBlock>();
  for (const message of messages) {
    if (message.kind === "attachment" && message.attachment.kind === "file") shown.add(message.attachment.path);
    if (message.kind !== "assistant" && message.kind !== "user") continue;
    for (const block of message.content) {
      if (block.type === "tool_use") calls.set(block.id, block);
      if (block.type !== "tool_result" || block.is_error === true || block.content === clearedMarker) continue;
      const path = wholeFileOf(calls.get(block.tool_use_id));
      if (path !== null) shown.add(path);
    }
  }
  return shown;
}

/** The file whose whole content a call shows, in its input or its result. Names and inputs are those of Claude Code's tools. */
function wholeFileOf(call: ToolUseBlock | undefined): string | null {
  if (call === undefined || typeof call.input !== "object" || call.input === null) return null;
  const input = call.input as Readonly<Record<string, unknown>>;
  const path = input.file_path ?? input.path;
  const isWhole =
    call.name === "Write" || (call.name === "Read" && input.offset === undefined && input.limit === undefined);
  return isWhole && typeof path === "string" ? path : null;
}
