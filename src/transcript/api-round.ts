import type { Message } from "./message.ts";

/**
 * Splits a transcript into rounds (G1): the opening messages, then one group for each API response with all its parts and what came back for it.
 * Concatenated, the groups are the input (G3). Open tool calls are not tracked (G2). One pass.
 */
export function groupByApiRound(messages: readonly Message[]): readonly (readonly Message[])[] {
  const starts = roundStarts(messages);
  return starts.map((start, i) => messages.slice(start, starts[i + 1] ?? messages.length));
}

/** Index of the first message of every round, ascending; empty for an empty transcript. */
export function roundStarts(messages: readonly Message[]): readonly number[] {
  const starts: number[] = [];
  let lastId: string | undefined;
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i] as Message;
    if (i === 0) starts.push(0);
    if (message.kind !== "assistant") continue;
    if (message.id !== lastId && i > 0) starts.push(i);
    lastId = message.id;
  }
  return starts;
}
