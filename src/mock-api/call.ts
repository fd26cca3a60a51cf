import type { StreamEvent } from "./stream/stream-event.ts";

/** One request as the core takes it. Header names are in lower case. */
export interface Call {
  readonly method: string;
  /** With or without a query string, which is ignored (A2). */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON body; `malformedJson` where it could not be parsed. */
  readonly body: unknown;
  /** Size on the wire of a body that could not be read. */
  readonly bodyBytes?: number;
  /** The body's objects were made for this call alone, so it is idle to remember them. */
  readonly isParsed?: true;
}

/** Stands in for a body that is not JSON. */
export const malformedJson: unique symbol = Symbol("malformed JSON");

/** The answer of the core: complete at once; `latency` says when a client may see it. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ReplyBody;
  readonly latency: Latency;
}

/**
 * `json` and `events` are typed objects, for the direct path; `raw` is what a byte-level fault made of them and only makes sense as bytes;
 * `reset` is a connection closed before any header.
 */
export type ReplyBody =
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "events"; readonly events: readonly StreamEvent[] }
  | {
      readonly kind: "raw";
      readonly contentType: string;
      readonly bytes: Uint8Array;
      /** What happens after the last byte. */
      readonly ending: "end" | "reset";
    }
  | { readonly kind: "reset" };

/**
 * Virtual latency (S2). `first`: milliseconds until the headers; `before`: milliseconds to wait before the given place of the body is
 * delivered, by index of the event (`events`) or by byte offset (`raw`). "never": nothing more comes.
 */
export interface Latency {
  readonly first: number | "never";
  readonly before: readonly (readonly [place: number, ms: number | "never"])[];
}
