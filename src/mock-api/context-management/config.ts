import type { WireRequest } from "../../transcript/index.ts";
import type { ApiError } from "../api-error.ts";
import { invalid } from "../api-error.ts";

/** The edits of `context_management`, as the form check let them in (K4). */
export type ContextEdit = ClearToolUses | ClearThinking | Compact;

export interface ClearToolUses {
  readonly type: "clear_tool_uses_20250919";
  readonly trigger?: { readonly type: "input_tokens" | "tool_uses"; readonly value: number };
  readonly keep?: { readonly value: number };
  readonly clear_at_least?: { readonly value: number } | null;
  readonly exclude_tools?: readonly string[] | null;
  readonly clear_tool_inputs?: boolean | readonly string[] | null;
}

export interface ClearThinking {
  readonly type: "clear_thinking_20251015";
  readonly keep?: "all" | { readonly type: "all" } | { readonly type: "thinking_turns"; readonly value: number };
}

export interface Compact {
  readonly type: "compact_20260112";
  readonly trigger?: { readonly value: number } | null;
  readonly instructions?: string | null;
  readonly pause_after_compaction?: boolean;
}

export function editsOf(body: WireRequest): readonly ContextEdit[] {
  const management = body.context_management as { readonly edits?: readonly ContextEdit[] } | null | undefined;
  return management?.edits ?? [];
}

/** Tokens: the default trigger of compaction, and the least that it may be set to. */
export const compactTrigger = 150_000;
const leastCompactTrigger = 50_000;

/** Whether the edits make sense together; that their form is right has been checked. */
export function checkEdits(body: WireRequest, betas: ReadonlySet<string>): ApiError | undefined {
  const edits = editsOf(body);
  for (const [i, edit] of edits.entries()) {
    const at = `context_management.edits.${i}`;
    if (!betas.has(edit.type === "compact_20260112" ? "compact-2026-01-12" : "context-management-2025-06-27"))
      return invalid(`${at}: Extra inputs are not permitted`);
    if (edits.findIndex((other) => other.type === edit.type) !== i)
      return invalid(`${at}: \`${edit.type}\` may be given only once`);
    if (edit.type === "clear_thinking_20251015" && i > 0)
      return invalid(`${at}: \`clear_thinking_20251015\` must be the first of the edits`);
    if (edit.type === "compact_20260112" && (edit.trigger?.value ?? compactTrigger) < leastCompactTrigger)
      return invalid(
        `${at}.compact_20260112.trigger.value: Input should be greater than or equal to ${leastCompactTrigger}`,
      );
  }
  return undefined;
}
