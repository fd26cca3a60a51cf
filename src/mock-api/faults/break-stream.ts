import type { Reply } from "../call.ts";
import type { Fault } from "../fault.ts";
import { encodeEvents } from "../stream/encode.ts";
import type { StreamEvent } from "../stream/stream-event.ts";
import { eventStream } from "../transports/response.ts";
import { flagOf, numberOf } from "./setting.ts";

/** A reply that a byte-level fault has changed, and how many of its events still arrive whole (all, where none is lost). */
export interface BrokenReply {
  readonly reply: Reply;
  readonly delivered: number;
}

/** F2: bodies and streams that are not what they should be. `afterEvents` and `afterBytes` count from the start of the body. */
export function breakReply(fault: Fault, reply: Reply): BrokenReply {
  switch (fault.kind) {
    case "empty-200":
      return { reply: raw(reply, "application/json", new Uint8Array()), delivered: 0 };
    case "html-200":
      return { reply: raw(reply, "text/html", encoder.encode(page)), delivered: 0 };
    case "malformed-json-body": {
      const text = reply.body.kind === "json" ? JSON.stringify(reply.body.value) : "{";
      return { reply: raw(reply, "application/json", encoder.encode(text.slice(0, text.length >> 1))), delivered: 0 };
    }
    default:
      return reply.body.kind === "events" ? breakEvents(fault, reply, reply.body.events) : { reply, delivered: 0 };
  }
}

function breakEvents(fault: Fault, reply: Reply, events: readonly StreamEvent[]): BrokenReply {
  const n = Math.min(numberOf(fault, "afterEvents", events.length >> 1), events.length - 1);
  const until = (count: number): Reply => withEvents(reply, events.slice(0, count));
  switch (fault.kind) {
    case "stream-cut":
      return fault.with?.afterBytes === undefined
        ? { reply: until(n), delivered: n }
        : cutBytes(fault, reply, events, "end");
    case "connection-reset":
      return cutBytes(fault, reply, events, "reset");
    case "stream-error-event": {
      const error: StreamEvent = {
        type: "error",
        error: { details: null, type: "overloaded_error", message: "Overloaded" },
      };
      return { reply: withEvents(reply, [...events.slice(0, n), error]), delivered: n };
    }
    case "stream-stall": {
      const never = flagOf(fault, "never", false);
      const stall = [n, never ? "never" : numberOf(fault, "seconds", 120) * 1_000] as const;
      const before = [...reply.latency.before, stall].sort(([a], [b]) => a - b);
      return { reply: { ...reply, latency: { ...reply.latency, before } }, delivered: never ? n : events.length };
    }
    case "malformed-sse":
      return malformed(reply, events, n);
    case "interleaved-blocks":
      return { reply: withEvents(reply, interleaved(events)), delivered: events.length };
    case "duplicate-message-start":
      return { reply: withEvents(reply, [events[0] as StreamEvent, ...events]), delivered: events.length };
    default:
      throw new TypeError(`fault ${fault.id}: ${fault.kind} does not break a stream`);
  }
}

function cutBytes(fault: Fault, reply: Reply, events: readonly StreamEvent[], ending: "end" | "reset"): BrokenReply {
  const { bytes, latency, offsets } = encodeEvents(events, reply.latency);
  const cut = Math.min(numberOf(fault, "afterBytes", bytes.length >> 1), bytes.length - 1);
  const delivered = offsets.findLastIndex((offset) => offset <= cut);
  const before = latency.before.filter(([place]) => place < cut);
  return {
    reply: { ...raw(reply, eventStream, bytes.slice(0, cut), ending), latency: { ...latency, before } },
    delivered,
  };
}

function malformed(reply: Reply, events: readonly StreamEvent[], n: number): BrokenReply {
  const { bytes, latency, offsets } = encodeEvents(events, reply.latency);
  const broken = bytes.slice();
  const [from, to] = [offsets[n] ?? 0, offsets[n + 1] ?? bytes.length];
  // The closing brace of one event's JSON becomes a bracket: the line is there, but it cannot be read.
  const brace = broken.lastIndexOf(0x7d, to - 1);
  if (brace >= from) broken[brace] = 0x5d;
  return { reply: { ...raw(reply, eventStream, broken), latency }, delivered: n };
}

/** The second block starts before the first has ended. */
function interleaved(events: readonly StreamEvent[]): readonly StreamEvent[] {
  const stop = events.findIndex((event) => event.type === "content_block_stop");
  const start = events.findIndex((event, i) => i > stop && event.type === "content_block_start");
  if (stop < 0 || start < 0) return events;
  const moved = events[start] as StreamEvent;
  const rest = events.filter((_, i) => i !== start);
  return [...rest.slice(0, stop), moved, ...rest.slice(stop)];
}

function withEvents(reply: Reply, events: readonly StreamEvent[]): Reply {
  const before = reply.latency.before.filter(([place]) => place < events.length);
  return { ...reply, body: { kind: "events", events }, latency: { ...reply.latency, before } };
}

function raw(reply: Reply, contentType: string, bytes: Uint8Array, ending: "end" | "reset" = "end"): Reply {
  return {
    ...reply,
    body: { kind: "raw", contentType, bytes, ending },
    latency: { first: reply.latency.first, before: [] },
  };
}

const page = "<!doctype html><html><body><h1>Sign in to continue</h1></body></html>\n";
const encoder = new TextEncoder();
