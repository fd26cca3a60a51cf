import { isBlank } from "./sendable.ts";
import { isThinking } from "./thinking.ts";
import { isWireToolId } from "./tool-id.ts";
import type { WireBlock, WireMessage } from "./wire.ts";

/** Something that the API would refuse. `index` is that of the wire message, `block` that of the block in it. */
export interface Problem {
  readonly kind: ProblemKind;
  readonly index: number;
  readonly block?: number;
  /** The tool_use id that it is about. */
  readonly toolUseId?: string;
}

export type ProblemKind =
  | "first-not-user" // on strict provider profiles
  | "last-not-user" // no prefill from the 4.6 generation on
  | "empty-message"
  | "blank-text"
  | "thinking-only"
  | "unsigned-thinking"
  | "misplaced-block" // a call in a user message, a result or thinking in the wrong one
  | "bad-tool-id"
  | "duplicate-use"
  | "missing-result"
  | "orphan-result"
  | "duplicate-result"
  | "result-not-first";

/**
 * What the API would refuse in these messages, in their order; empty when it would take them. Neighbours of one role are read as one message, as the API does.
 * Source: mock-api.md V2-V4 (pairs by adjacency). Thinking's binding to its past (V5) cannot be seen from here.
 */
export function findTranscriptProblems(messages: readonly WireMessage[]): readonly Problem[] {
  const problems: Problem[] = [];
  scanTranscript(messages, (problem) => {
    problems.push(problem);
    return true;
  });
  return problems;
}

/** True when `findTranscriptProblems` would find one of these kinds. Stops at the first; allocates nothing per message. */
export function hasProblem(messages: readonly WireMessage[], kinds: ReadonlySet<ProblemKind>): boolean {
  let found = false;
  scanTranscript(messages, ({ kind }) => {
    found = kinds.has(kind);
    return !found;
  });
  return found;
}

/** Tells each problem in order, until `report` answers false. One pass; three sets for the whole scan. */
function scanTranscript(messages: readonly WireMessage[], report: (problem: Problem) => boolean): void {
  const seen = new Set<string>();
  const open = new Set<string>();
  const answered = new Set<string>();
  let going = true;
  // Stryker disable BooleanLiteral,UnaryOperator: the first message and the first call set these before they are read.
  let spoken = false; // something other than results stands in this run of user messages already
  let thinkingOnly = false;
  let openAt = -1;
  // Stryker restore BooleanLiteral,UnaryOperator

  const tell = (kind: ProblemKind, index: number, block?: number, toolUseId?: string): void => {
    if (!going) return;
    going = report({
      kind,
      index,
      ...(block !== undefined && { block }),
      ...(toolUseId !== undefined && { toolUseId }),
    });
  };
  const closeUser = (): void => {
    for (const id of open) tell("missing-result", openAt, undefined, id);
    open.clear();
    answered.clear();
  };
  const visitCall = (id: string, index: number, at: number): void => {
    if (!isWireToolId(id)) tell("bad-tool-id", index, at, id);
    if (seen.has(id)) tell("duplicate-use", index, at, id);
    else open.add(id);
    seen.add(id);
    openAt = index;
  };
  const visitResult = (id: string, index: number, at: number): void => {
    if (spoken) tell("result-not-first", index, at, id);
    if (answered.has(id)) tell("duplicate-result", index, at, id);
    else if (open.delete(id)) answered.add(id);
    else tell("orphan-result", index, at, id);
  };
  const visit = (block: WireBlock, assistant: boolean, index: number, at: number): void => {
    const isCall = block.type === "tool_use";
    const isResult = block.type === "tool_result";
    const thinking = isThinking(block);
    if (assistant ? isResult : isCall || thinking) tell("misplaced-block", index, at);
    else if (isCall) visitCall(block.id as string, index, at);
    else if (isResult) visitResult(block.tool_use_id as string, index, at);
    else if (block.type === "thinking" && !block.signature) tell("unsigned-thinking", index, at);
    else if (block.type === "text" && isBlank(block.text)) tell("blank-text", index, at);
    if (!thinking) thinkingOnly = false;
    if (!isResult) spoken = true;
  };

  if (messages[0]?.role === "assistant" && !startsWithCompaction(messages[0])) tell("first-not-user", 0);
  for (let i = 0; i < messages.length && going; i++) {
    const { role, content } = messages[i] as WireMessage;
    const before = messages[i - 1]?.role;
    const assistant = role === "assistant";
    if (role !== before) {
      if (before !== "assistant") closeUser();
      else if (thinkingOnly) tell("thinking-only", i - 1);
      spoken = false;
      thinkingOnly = true;
    }
    if (content.length === 0) {
      tell("empty-message", i);
      thinkingOnly = false;
    }
    if (typeof content === "string") {
      if (content !== "" && isBlank(content)) tell("blank-text", i);
      spoken = true;
      thinkingOnly = false;
      continue;
    }
    for (let at = 0; at < content.length && going; at++) visit(content[at] as WireBlock, assistant, i, at);
  }
  const last = messages.at(-1)?.role;
  if (last === "assistant" && thinkingOnly) tell("thinking-only", messages.length - 1);
  closeUser();
  if (last === "assistant") tell("last-not-user", messages.length - 1);
}

function startsWithCompaction({ content }: WireMessage): boolean {
  return typeof content !== "string" && content[0]?.type === "compaction";
}
