import type { Latency } from "../call.ts";
import type { StreamEvent } from "./stream-event.ts";

/** The events as the text of a body, and the latency with byte offsets in place of event indices. */
export function encodeEvents(
  events: readonly StreamEvent[],
  latency: Latency,
): { readonly bytes: Uint8Array; readonly latency: Latency } {
  const parts: string[] = events.map(encodeEvent);
  const bytes = encoder.encode(parts.join(""));
  if (latency.before.length === 0) return { bytes, latency };
  const before: [number, number | "never"][] = [];
  let offset = 0;
  let next = 0;
  for (let index = 0; index <= parts.length && next < latency.before.length; index++) {
    while (latency.before[next]?.[0] === index) {
      before.push([offset, (latency.before[next] as (typeof before)[number])[1]]);
      next++;
    }
    offset += Buffer.byteLength(parts[index] ?? "");
  }
  return { bytes, latency: { first: latency.first, before } };
}

export function encodeEvent(event: StreamEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

const encoder = new TextEncoder();
