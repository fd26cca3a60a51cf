import { isThinking } from "./thinking.ts";
import { toWireToolId } from "./tool-id.ts";
import type { ProblemKind } from "./transcript-problem.ts";
import { hasProblem } from "./transcript-problem.ts";
import type { WireBlock, WireMessage } from "./wire.ts";

/** What was repaired, each kind counted in blocks (`thinking-only` in messages). */
export type RepairKind =
  | "missing-result" // a synthetic error result was put in
  | "orphan-result" // a result without its call was dropped
  | "duplicate-use" // a second call of one id was dropped, with its result
  | "duplicate-result" // a second result for one call was dropped
  | "result-not-first" // a result was moved to the front of its message
  | "thinking-only" // an assistant message left with thinking only was dropped
  | "bad-tool-id" // an id was renamed on both sides
  | "misplaced-block"; // a call, a result or thinking in a message of the wrong role was dropped

export interface Paired {
  readonly messages: readonly WireMessage[];
  readonly repairs: Readonly<Record<RepairKind, number>>;
}

/** What a call without a result is answered with (M5). */
export const missingResultText = "No result: the tool call was interrupted before it finished.";

/** Stands in a user message that held nothing but dropped blocks (M5). */
export const emptiedMessageText = "(The tool results of this message were removed: the calls they belong to are gone.)";

/**
 * Messages whose tool calls and results pair by adjacency, as the API checks (M5). Valid messages come back as the same array, at no allocation per message;
 * what is repaired is counted. Repairs depend on what stands before and right after only, so a later, longer request repeats them.
 */
export function ensureToolResultPairing(messages: readonly WireMessage[]): Paired {
  const repairs = noRepairs();
  if (!hasProblem(messages, new Set<ProblemKind>(Object.keys(repairs) as RepairKind[]))) return { messages, repairs };

  const out: WireMessage[] = [];
  const seen = new Set<string>();
  const count = (kind: RepairKind): void => {
    repairs[kind]++;
  };
  let calls: readonly string[] = [];
  for (const run of runsOfOneRole(messages)) {
    if (run.role === "assistant") {
      calls = answerMissing(out, calls, count);
      const repaired = repairResponse(run, seen, count);
      if (repaired !== null) out.push(repaired.message);
      calls = repaired?.calls ?? [];
    } else if (run.role === "user") {
      pushUser(out, repairAnswer(run, calls, count));
      calls = [];
    } else {
      calls = answerMissing(out, calls, count);
      out.push(run);
    }
  }
  answerMissing(out, calls, count);
  return { messages: out, repairs };
}

type Count = (kind: RepairKind) => void;

/** Neighbours of one role as one message; a message that stands alone is the input's own. */
function* runsOfOneRole(messages: readonly WireMessage[]): Generator<WireMessage> {
  for (let i = 0; i < messages.length; ) {
    const first = messages[i] as WireMessage;
    let end = i + 1;
    while (messages[end]?.role === first.role) end++;
    yield end === i + 1 ? first : { ...first, content: messages.slice(i, end).flatMap(blocksOf) };
    i = end;
  }
}

function repairResponse(
  message: WireMessage,
  seen: Set<string>,
  count: Count,
): { readonly message: WireMessage; readonly calls: readonly string[] } | null {
  if (typeof message.content === "string") return { message, calls: [] };
  const calls: string[] = [];
  const blocks: WireBlock[] = [];
  let changed = false;
  for (const block of message.content) {
    const kept = repairCall(block, seen, count);
    changed ||= kept !== block;
    if (kept === null) continue;
    if (kept.type === "tool_use") calls.push(kept.id as string);
    blocks.push(kept);
  }
  if (blocks.every(isThinking)) {
    count("thinking-only");
    return null;
  }
  return { message: changed ? { ...message, content: blocks } : message, calls };
}

function repairCall(block: WireBlock, seen: Set<string>, count: Count): WireBlock | null {
  if (block.type === "tool_result") {
    count("misplaced-block");
    return null;
  }
  if (block.type !== "tool_use") return block;
  const id = block.id as string;
  const wireId = toWireToolId(id);
  if (seen.has(wireId)) {
    count("duplicate-use");
    return null;
  }
  seen.add(wireId);
  if (wireId === id) return block;
  count("bad-tool-id");
  return { ...block, id: wireId };
}

/** Results first, one for each call; then what else was said; then pinned edits. */
function repairAnswer(message: WireMessage, calls: readonly string[], count: Count): WireMessage {
  const given = blocksOf(message);
  const open = new Set(calls);
  const results: WireBlock[] = [];
  const rest: WireBlock[] = [];
  for (const block of given) {
    if (block.type === "tool_result") {
      const kept = repairResult(block, calls, open, count);
      if (kept === null) continue;
      if (rest.length > 0) count("result-not-first");
      results.push(kept);
    } else if (block.type === "tool_use" || isThinking(block)) count("misplaced-block");
    else rest.push(block.type === "cache_edits" ? withWireIds(block) : block);
  }
  for (const id of open) {
    count("missing-result");
    results.push(missingResult(id));
  }
  const content = [...results, ...rest];
  const same = content.length === given.length && content.every((block, i) => block === given[i]);
  return same ? message : { ...message, content };
}

function repairResult(block: WireBlock, calls: readonly string[], open: Set<string>, count: Count): WireBlock | null {
  const id = toWireToolId(block.tool_use_id as string);
  if (!open.delete(id)) {
    count(calls.includes(id) ? "duplicate-result" : "orphan-result");
    return null;
  }
  return id === block.tool_use_id ? block : { ...block, tool_use_id: id };
}

/** What stands behind a dropped response joins the user message before it: it has no results left. Emptied and by itself, it gets a placeholder. */
function pushUser(out: WireMessage[], message: WireMessage): void {
  const before = out.at(-1);
  if (before?.role === "user") {
    if (message.content.length > 0) {
      out[out.length - 1] = { ...before, content: [...blocksOf(before), ...blocksOf(message)] };
    }
    return;
  }
  out.push(
    message.content.length > 0 ? message : { ...message, content: [{ type: "text", text: emptiedMessageText }] },
  );
}

/** A message of results alone for calls that no user message follows. */
function answerMissing(out: WireMessage[], calls: readonly string[], count: Count): readonly string[] {
  if (calls.length > 0) {
    for (const _ of calls) count("missing-result");
    out.push({ role: "user", content: calls.map(missingResult) });
  }
  return [];
}

function missingResult(id: string): WireBlock {
  return { type: "tool_result", tool_use_id: id, content: missingResultText, is_error: true };
}

function withWireIds(block: WireBlock): WireBlock {
  const edits = block.edits as readonly { readonly tool_use_id: string }[];
  if (edits.every((edit) => toWireToolId(edit.tool_use_id) === edit.tool_use_id)) return block;
  return { ...block, edits: edits.map((edit) => ({ ...edit, tool_use_id: toWireToolId(edit.tool_use_id) })) };
}

function blocksOf({ content }: WireMessage): readonly WireBlock[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

/** Nothing was repaired. */
export function noRepairs(): Record<RepairKind, number> {
  return {
    "missing-result": 0,
    "orphan-result": 0,
    "duplicate-use": 0,
    "duplicate-result": 0,
    "result-not-first": 0,
    "thinking-only": 0,
    "bad-tool-id": 0,
    "misplaced-block": 0,
  };
}
