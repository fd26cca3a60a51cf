import type { Weightless } from "./cache/losses.ts";
import type { Positions } from "./cache/positions.ts";
import { positionsOf } from "./cache/positions.ts";
import { clearThinking } from "./context-management/clear-thinking.ts";
import { clearToolUses } from "./context-management/clear-tool-uses.ts";
import type { Compact } from "./context-management/config.ts";
import { editsOf } from "./context-management/config.ts";
import type { RequestFacts } from "./facts/request-facts.ts";
import type { OpenRequest } from "./open-request.ts";
import { adoptedFacts } from "./open-request.ts";
import type { ServerState } from "./server-state.ts";

/** What will be answered: the request after the server's own edits (K4). */
export interface Prepared {
  readonly facts: RequestFacts;
  readonly positions: Positions;
  /** `applied_edits` of the response; null where no context management was asked for. */
  readonly applied: readonly AppliedEdit[] | null;
  /** Tokens before the edits. */
  readonly originalTokens: number;
  readonly compact: Compact | undefined;
}

export type AppliedEdit = Readonly<Record<string, string | number>>;

export function prepare(request: OpenRequest, lost: Weightless, state: ServerState): Prepared {
  const { reader } = state;
  const place = (of: RequestFacts): Positions => positionsOf(of, lost);
  let facts = adoptedFacts(request, state);
  let positions = place(facts);
  const originalTokens = positions.total;
  const edits = editsOf(request.body);
  const applied: AppliedEdit[] = [];
  let compact: Compact | undefined;
  for (const edit of edits) {
    const before = positions.total;
    const totalOf = (body: RequestFacts["body"]): number => place(reader.read(body, request.model)).total;
    if (edit.type === "compact_20260112") {
      compact = edit;
      continue;
    }
    const result =
      edit.type === "clear_thinking_20251015"
        ? clearThinking(edit, facts.body)
        : clearToolUses(edit, facts.body, before, totalOf);
    if (result === undefined) continue;
    facts = reader.read(result.body, request.model);
    positions = place(facts);
    const count = "turns" in result ? { cleared_thinking_turns: result.turns } : { cleared_tool_uses: result.cleared };
    applied.push({ type: edit.type, ...count, cleared_input_tokens: Math.max(0, before - positions.total) });
  }
  return {
    facts,
    positions,
    applied: request.body.context_management == null ? null : applied,
    originalTokens,
    compact,
  };
}
