import type { AssistantMessage, Message } from "../transcript/index.ts";

/** The answer that stands at the end of the messages, null where something else does; its last part says how it ended. */
export function lastAnswerOf(messages: readonly Message[]): {
  readonly last: AssistantMessage | null;
  readonly calls: number;
  readonly text: string;
} {
  const texts: string[] = [];
  let last: AssistantMessage | null = null;
  let calls = 0;
  for (let i = messages.length - 1; i >= 0; i--) {
    const message = messages[i];
    if (message?.kind === "notice") continue;
    const isResult = message?.kind === "user" && message.content.every((block) => block.type === "tool_result");
    if (isResult && (last === null || calls > 0)) continue;
    if (message?.kind !== "assistant" || (last !== null && message.id !== last.id)) break;
    last ??= message;
    calls += message.content.filter(({ type }) => type === "tool_use").length;
    texts.unshift(...message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])));
  }
  return { last, calls, text: texts.join("\n\n") };
}
