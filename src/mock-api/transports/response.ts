import type { Rng } from "../../determinism/index.ts";
import type { Latency, Reply } from "../call.ts";
import { chunksOf } from "../stream/chunks.ts";
import { encodeEvents } from "../stream/encode.ts";

/** A reply as bytes: what a transport over HTTP sends. */
export interface ByteReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
  readonly latency: Latency;
  readonly ending: "end" | "reset";
}

export const latencyHeader = "x-longhaul-latency";

/** The bytes of a reply; null where the connection is closed before any. */
export function bytesOf(reply: Reply): ByteReply | null {
  const { status, headers, body, latency } = reply;
  switch (body.kind) {
    case "reset":
      return null;
    case "json":
      return {
        status,
        headers: { ...headers, "content-type": "application/json" },
        bytes: encoder.encode(JSON.stringify(body.value)),
        latency,
        ending: "end",
      };
    case "events": {
      const encoded = encodeEvents(body.events, latency);
      return {
        status,
        headers: { ...headers, "content-type": eventStream },
        bytes: encoded.bytes,
        latency: encoded.latency,
        ending: "end",
      };
    }
    case "raw":
      return {
        status,
        headers: { ...headers, "content-type": body.contentType },
        bytes: body.bytes,
        latency,
        ending: body.ending,
      };
  }
}

export const eventStream = "text/event-stream; charset=utf-8";

/**
 * A reply as a Response. Our own client reads the latency from a header and waits on its clock; for others a "never" in the schedule is a
 * body that really never ends.
 */
export function toResponse(reply: Reply, toOurClient: boolean, chunking: number | "whole", rng: Rng): Response {
  const sent = bytesOf(reply);
  if (sent === null) return Response.error();
  const headers = new Headers({ ...sent.headers });
  if (toOurClient) headers.set(latencyHeader, JSON.stringify({ first: sent.latency.first, at: sent.latency.before }));
  const hangsAt = toOurClient ? undefined : sent.latency.before.find(([, ms]) => ms === "never")?.[0];
  const bytes = hangsAt === undefined ? sent.bytes : sent.bytes.subarray(0, hangsAt);
  const chunks = chunksOf(bytes, chunking, rng);
  if (chunks.length <= 1 && sent.ending === "end" && hangsAt === undefined)
    return new Response(bytes as Uint8Array<ArrayBuffer>, { status: sent.status, headers });
  let next = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const chunk = chunks[next++];
      if (chunk !== undefined) controller.enqueue(chunk);
      else if (sent.ending === "reset") controller.error(new TypeError("terminated"));
      else if (hangsAt === undefined) controller.close();
      else return new Promise<void>(() => {});
      return undefined;
    },
  });
  return new Response(stream, { status: sent.status, headers });
}

const encoder = new TextEncoder();
