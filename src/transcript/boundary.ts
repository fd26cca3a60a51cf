import type { Message } from "./message.ts";

/** Index of the last compact boundary, -1 when there is none. */
export function lastBoundaryIndex(messages: readonly Message[]): number {
  return messages.findLastIndex((message) => message.kind === "boundary");
}

/** The live part (M6): what stands after the last boundary, without the boundary itself. The same array when there is none. */
export function messagesAfterLastBoundary(messages: readonly Message[]): readonly Message[] {
  const boundary = lastBoundaryIndex(messages);
  return boundary < 0 ? messages : messages.slice(boundary + 1);
}
