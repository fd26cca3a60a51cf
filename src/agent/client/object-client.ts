import type { ClockPort } from "../../compaction/index.ts";
import type { ClientCall, ClientPort } from "./client-port.ts";
import type { RefusedReply } from "./refused-failure.ts";
import { refusedFailure } from "./refused-failure.ts";
import type { Patience, Wire } from "./watched-call.ts";
import { callHeaders, transientFailure, watchedCall } from "./watched-call.ts";

/** What a server in the same process answers: typed objects, never bytes. Header names are in lower case. */
export type ObjectReply =
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: unknown;
    }
  /** Raw stream events; whoever makes them waits on the clock for each. */
  | { readonly kind: "events"; readonly events: AsyncIterable<{ readonly type: string }> };

export interface ObjectClientOptions extends Patience {
  readonly clock: ClockPort;
  /** Contract: resolves when the headers would be there; ends soon after the signal aborts. A rejection is a broken connection. */
  readonly answer: (
    call: ClientCall,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ) => Promise<ObjectReply>;
}

/** The client without SDK and bytes, for sweeps (mock-api.md A1): events, errors and patience are those of the client on the SDK. */
export function createObjectClient(options: ObjectClientOptions): ClientPort {
  const { clock } = options;
  const wire: Wire = {
    open: async (call, signal) => {
      const reply = await options.answer(call, callHeaders(call), signal);
      if (reply.kind === "refused") throw new Refused({ ...reply, header: (name) => reply.headers[name] ?? null });
      return { events: asTheSdkGivesThem(reply.events), contentType: "text/event-stream" };
    },
    failureOf: (error) =>
      error instanceof Refused
        ? refusedFailure(error.reply, clock.now())
        : transientFailure("no connection to the server"),
  };
  return { send: (call) => watchedCall(wire, clock, options, call) };
}

class Refused extends Error {
  readonly reply: RefusedReply;
  constructor(reply: RefusedReply) {
    super("refused");
    this.reply = reply;
  }
}

/** Pings are swallowed, and an error event ends the stream with an error. */
async function* asTheSdkGivesThem(events: AsyncIterable<{ readonly type: string }>): AsyncGenerator<unknown> {
  for await (const event of events) {
    if (event.type === "ping") continue;
    if (event.type === "error") throw new Refused({ status: null, body: event, header: () => null });
    yield event;
  }
}
