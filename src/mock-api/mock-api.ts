import type { WireRequest } from "../transcript/index.ts";
import type { Call, Reply } from "./call.ts";

/**
 * A strict, stateful, deterministic stand-in for the Messages API. Contract:
 * - `serve` answers at once and never throws; waiting is told as data (`Reply.latency`), never done;
 * - the same calls in the same order at the same readings of the clock give the same replies;
 * - memory stays flat: every store is bounded or expires on the virtual clock.
 */
export interface MockApi {
  serve(call: Call): Reply;
  /** `serve`, with the answer as bytes. Never settles where a foreign client shall never be answered. */
  respond(call: Call): Promise<Response>;
  /** The HTTP face (Fetch API types). A connection closed before the headers is `Response.error()`. */
  handle(request: Request): Promise<Response>;
  /** The bytes of a reply, for a client that was served directly but met a byte-level fault (A1). */
  responseOf(reply: Reply, toOurClient: boolean): Response;
  /** True input tokens of a request body, as the server would count them now: for reports, never for a client. Undefined where the model is not known. */
  countTrueTokens(body: WireRequest): number | undefined;
}
