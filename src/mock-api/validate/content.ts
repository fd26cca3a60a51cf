import type { WireBlock } from "../../transcript/index.ts";
import type { ApiError } from "../api-error.ts";
import { invalid } from "../api-error.ts";
import type { BlockFacts } from "../facts/block-facts.ts";
import type { MessageFacts } from "../facts/message-facts.ts";
import { serverCalls, serverResults } from "../form/block-shapes.ts";
import type { Rule } from "./rule.ts";
import { openTurns } from "./turns.ts";

const known = new WeakMap<MessageFacts, ContentFlaw | "none">();
type ContentFlaw = "empty" | "empty-text" | "blank-text";

/** V3: nothing empty, nothing blank, and an end that the model can continue. */
export const checkContent: Rule = (facts) => {
  const { messages, model, system } = facts;
  const flawOfSystem = system.map((block) => textFlaw(block.wire)).find((flaw) => flaw !== undefined);
  if (flawOfSystem !== undefined) return textError("system", flawOfSystem);
  for (let index = openTurns(facts)[0]?.first ?? 0; index < messages.length; index++) {
    const message = messages[index] as MessageFacts;
    const flaw = flawOf(message);
    if (flaw === "none") continue;
    if (flaw !== "empty") return textError("messages", flaw);
    const isEnd = index === messages.length - 1 && message.role === "assistant";
    if (!isEnd)
      return invalid(
        `messages.${index}: all messages must have non-empty content except for the optional final assistant message`,
      );
  }
  const last = messages.at(-1) as MessageFacts;
  if (last.role !== "assistant" || isPaused(last)) return undefined;
  if (!model.prefill)
    return invalid(
      "This model does not support assistant message prefill. The conversation must end with a user message.",
    );
  const end = last.blocks.at(-1);
  if (end?.type === "text" && /\s$/.test(end.wire.text as string))
    return invalid("messages: final assistant content cannot end with trailing whitespace");
  return undefined;
};

function flawOf(message: MessageFacts): ContentFlaw | "none" {
  let flaw = known.get(message);
  if (flaw === undefined) {
    flaw = findFlaw(message);
    known.set(message, flaw);
  }
  return flaw;
}

function findFlaw({ role, blocks, stringContent }: MessageFacts): ContentFlaw | "none" {
  // An effort-only system message has no content (A6).
  if (blocks.length === 0) return role === "system" ? "none" : "empty";
  if (stringContent && (blocks[0] as BlockFacts).wire.text === "") return "empty";
  for (const { wire } of blocks) {
    const flaw = textFlaw(wire) ?? nestedFlaw(wire);
    if (flaw !== undefined) return flaw;
  }
  return "none";
}

function nestedFlaw(wire: WireBlock): "empty-text" | "blank-text" | undefined {
  if (wire.type !== "tool_result" || !Array.isArray(wire.content)) return undefined;
  for (const part of wire.content as readonly WireBlock[]) {
    const flaw = textFlaw(part);
    if (flaw !== undefined) return flaw;
  }
  return undefined;
}

/** An empty text with a breakpoint is left to V6, which has a message of its own for it. */
function textFlaw(wire: WireBlock): "empty-text" | "blank-text" | undefined {
  if (wire.type !== "text") return undefined;
  const text = wire.text as string;
  if (text === "") return (wire.cache_control ?? null) === null ? "empty-text" : undefined;
  return /\S/.test(text) ? undefined : "blank-text";
}

function textError(where: string, flaw: "empty-text" | "blank-text"): ApiError {
  return invalid(
    flaw === "empty-text"
      ? `${where}: text content blocks must be non-empty`
      : `${where}: text content blocks must contain non-whitespace text`,
  );
}

/** The server stopped in the middle (a server tool, a compaction) and is asked to go on: that is no prefill. */
function isPaused(message: MessageFacts): boolean {
  const type = message.blocks.at(-1)?.type ?? "";
  return (
    type === "compaction" || type === "mcp_tool_result" || serverCalls.includes(type) || serverResults.includes(type)
  );
}
