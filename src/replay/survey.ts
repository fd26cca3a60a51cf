import type { AssistantMessage, Message } from "../transcript/index.ts";
import type { IrregularityCounter } from "./irregularity.ts";

/** Counts what only shows over the whole transcript: calls and results that do not meet, usage that repeats or is missing (L2, L3). */
export function survey(messages: readonly Message[], { note }: IrregularityCounter): void {
  const called = new Set<string>();
  const answered = new Set<string>();
  const responses = new Map<string, AssistantMessage[]>();
  for (const message of messages) {
    if (message.kind === "assistant") {
      const parts = responses.get(message.id);
      if (parts === undefined) responses.set(message.id, [message]);
      else parts.push(message);
    }
    if (message.kind !== "assistant" && message.kind !== "user") continue;
    for (const block of message.content) {
      if (block.type === "tool_use") called.add(block.id);
      if (block.type !== "tool_result") continue;
      if (called.has(block.tool_use_id)) answered.add(block.tool_use_id);
      else note("result-without-tool-use");
    }
  }
  note("tool-use-without-result", called.size - answered.size);
  for (const parts of responses.values()) {
    if (parts.every((part) => part.synthetic)) continue;
    const withUsage = parts.filter((part) => isUsable(part.usage));
    if (withUsage.length === 0) note("usage-missing");
    else if (parts.every((part) => part.stopReason === null)) note("placeholder-output");
    note("usage-repeated", withUsage.length - 1);
  }
}

function isUsable(usage: AssistantMessage["usage"]): boolean {
  return usage !== null && Number.isFinite(usage.input_tokens) && Number.isFinite(usage.output_tokens);
}
