import type { Latency } from "../call.ts";
import type { StreamEvent } from "./stream-event.ts";

/** The events as bytes, where each begins, and the latency with byte offsets in place of event indices. */
export function encodeEvents(events: readonly StreamEvent[], latency: Latency): EncodedEvents {
  const parts = events.map(encodeEvent);
  const offsets: number[] = [];
  let offset = 0;
  for (const part of parts) {
    offsets.push(offset);
    offset += Buffer.byteLength(part);
  }
  const before = latency.before.map(([index, ms]) => [offsets[index] ?? offset, ms] as const);
  return { bytes: encoder.encode(parts.join("")), offsets, latency: { first: latency.first, before } };
}

export interface EncodedEvents {
  readonly bytes: Uint8Array;
  readonly offsets: readonly number[];
  readonly latency: Latency;
}

function encodeEvent(event: StreamEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

const encoder = new TextEncoder();
