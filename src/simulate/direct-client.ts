import type { ClientPort, ObjectReply } from "../agent/index.ts";
import { callHeaders, createObjectClient } from "../agent/index.ts";
import type { Clock } from "../determinism/index.ts";
import type { MockApi, Reply } from "../mock-api/index.ts";

/**
 * The client that hands objects to the mock and takes objects back: no SDK, no JSON, the same waits (A1).
 * A reply that a byte-level fault has turned into bytes goes through `bytes`, a client on the SDK, which must meet it as bytes.
 */
export function createDirectClient(
  api: MockApi,
  clock: Clock,
  apiKey: string,
  bytes: (answer: () => Promise<Response>) => ClientPort,
): ClientPort {
  return {
    async *send(call) {
      const headers = { ...callHeaders(call), authorization: `Bearer ${apiKey}`, "anthropic-version": "2023-06-01" };
      const reply = api.serve({
        method: "POST",
        path: "/v1/messages",
        headers,
        body: { ...call.request, stream: true },
      });
      const { body } = reply;
      const client =
        body.kind === "raw" || body.kind === "reset"
          ? bytes(async () => asFetched(api.responseOf(reply, true)))
          : createObjectClient({ clock, answer: (_call, _headers, signal) => objectReply(reply, clock, signal) });
      yield* client.send(call);
    },
  };
}

function asFetched(response: Response): Response {
  if (response.type === "error") throw new TypeError("fetch failed");
  return response;
}

async function objectReply(
  { status, headers, body, latency }: Reply,
  clock: Clock,
  signal: AbortSignal,
): Promise<ObjectReply> {
  const wait = async (delay: number | "never"): Promise<void> => {
    const ms = delay === "never" ? Number.POSITIVE_INFINITY : delay;
    if (ms > 0) await clock.sleep(ms, signal);
    signal.throwIfAborted();
  };
  await wait(latency.first);
  if (body.kind !== "events")
    return { kind: "refused", status, headers, body: body.kind === "json" ? body.value : null };
  const { events } = body;
  /** Several delays may stand at one place: a fault's beside the answer's own. */
  const waitBefore = async (place: number): Promise<void> => {
    for (const [at, delay] of latency.before) if (at === place) await wait(delay);
  };
  const paced = async function* (): AsyncGenerator<{ readonly type: string }> {
    for (const [place, event] of events.entries()) {
      await waitBefore(place);
      yield event;
    }
    await waitBefore(events.length);
  };
  return { kind: "events", events: paced() };
}
