import type { WireBlock, WireMessage, WireRequest } from "../../transcript/index.ts";
import type { ClearToolUses } from "./config.ts";

/** Input tokens above which tool uses are cleared, and how many of the latest stay, where the request does not say. */
const defaults = { trigger: 100_000, keep: 3 };

/** What stands in a result that the server has cleared. Own words: the API's are not published. */
export const clearedResult = "[tool result cleared by context management]";

export interface ToolUsesCleared {
  readonly body: WireRequest;
  readonly cleared: number;
}

/**
 * `clear_tool_uses_20250919`: empties the results (and, where asked, the inputs) of all but the latest tool uses. Undefined where the trigger is not
 * reached, nothing is left to clear, or what it would free, by `count`, is less than `clear_at_least`.
 */
export function clearToolUses(
  edit: ClearToolUses,
  body: WireRequest,
  inputTokens: number,
  count: (body: WireRequest) => number,
): ToolUsesCleared | undefined {
  const uses = body.messages.flatMap((message) => blocksOf(message).filter((block) => block.type === "tool_use"));
  const trigger = edit.trigger ?? { type: "input_tokens" as const, value: defaults.trigger };
  if ((trigger.type === "tool_uses" ? uses.length : inputTokens) <= trigger.value) return undefined;
  const keep = edit.keep?.value ?? defaults.keep;
  const chosen = uses
    .slice(0, Math.max(0, uses.length - keep))
    .filter((use) => edit.exclude_tools?.includes(use.name as string) !== true);
  const names = new Map(chosen.map((use) => [use.id as string, use.name as string]));
  const clearsInput = (name: string): boolean =>
    edit.clear_tool_inputs === true || (Array.isArray(edit.clear_tool_inputs) && edit.clear_tool_inputs.includes(name));
  let cleared = 0;
  const messages = body.messages.map((message) =>
    withBlocks(message, (block) => {
      if (block.type === "tool_use" && names.has(block.id as string) && clearsInput(block.name as string))
        return { ...block, input: {} };
      if (block.type !== "tool_result" || !names.has(block.tool_use_id as string) || block.content === clearedResult)
        return block;
      cleared++;
      return { ...block, content: clearedResult };
    }),
  );
  if (cleared === 0) return undefined;
  const after = { ...body, messages };
  const least = edit.clear_at_least?.value ?? 0;
  return least > 0 && inputTokens - count(after) < least ? undefined : { body: after, cleared };
}

export function blocksOf(message: WireMessage): readonly WireBlock[] {
  return typeof message.content === "string" ? [] : (message.content ?? []);
}

/** The message with each block changed, or the same message where none is. */
export function withBlocks(message: WireMessage, change: (block: WireBlock) => WireBlock | undefined): WireMessage {
  const blocks = blocksOf(message);
  const changed = blocks.map(change).filter((block) => block !== undefined);
  const isSame = changed.length === blocks.length && changed.every((block, i) => block === blocks[i]);
  return isSame ? message : { ...message, content: changed };
}
