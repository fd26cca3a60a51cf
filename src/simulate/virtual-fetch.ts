import type { Clock } from "../determinism/index.ts";

/** When the bytes of an answer arrive, on the clock. Sent by the mock in `x-longhaul-latency` as JSON (mock-api.md S2). */
export interface LatencySchedule {
  /** Milliseconds before the headers arrive. */
  readonly first: Delay;
  /** Before the byte at each offset, so many milliseconds; offsets rise. An offset at the end delays the end. */
  readonly at: readonly (readonly [offset: number, delay: Delay])[];
}
type Delay = number | "never";

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * A fetch whose waiting is done on the clock, by the caller's own actor: the server answers at once and says how long it would have taken.
 * So a run is one sequence, whatever carries the bytes (D2). Aborts end a wait as a real fetch does, with an AbortError.
 */
export function virtualFetch(fetch: Fetch, clock: Clock): Fetch {
  return async (input, init) => {
    const signal = init?.signal ?? undefined;
    const response = await fetch(input, init);
    const header = response.headers.get("x-longhaul-latency");
    if (header === null) return response;
    const schedule = JSON.parse(header) as LatencySchedule;
    await wait(clock, schedule.first, signal);
    if (response.body === null) return response;
    return new Response(delayed(response.body, schedule.at, clock, signal), {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
  };
}

/** The same bytes, each not before its time; read ahead of nobody, so that the reader's clock is exact. */
function delayed(
  body: ReadableStream<Uint8Array>,
  delays: LatencySchedule["at"],
  clock: Clock,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let offset = 0;
  let next = 0;
  let rest: Uint8Array | undefined;
  const read = async (): Promise<Uint8Array | undefined> => {
    while (rest === undefined || rest.length === 0) {
      const { done, value } = await reader.read();
      if (done) return undefined;
      rest = value;
    }
    return rest;
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const bytes = await read();
        for (
          ;
          (delays[next]?.[0] ?? Number.POSITIVE_INFINITY) <= offset || (bytes === undefined && next < delays.length);
          next++
        ) {
          await wait(clock, delays[next]?.[1] ?? 0, signal);
        }
        if (bytes === undefined) return controller.close();
        const border = (delays[next]?.[0] ?? Number.POSITIVE_INFINITY) - offset;
        const part = bytes.subarray(0, Math.min(bytes.length, border));
        rest = bytes.subarray(part.length);
        offset += part.length;
        controller.enqueue(part);
      },
      // Not waited for: MSW reads a copy of each body, and a copy's cancellation ends only when the other's does.
      cancel: (reason) => {
        reader.cancel(reason).catch(() => {});
      },
    },
    { highWaterMark: 0 },
  );
}

async function wait(clock: Clock, delay: Delay, signal: AbortSignal | undefined): Promise<void> {
  const ms = delay === "never" ? Number.POSITIVE_INFINITY : delay;
  if (ms > 0) await clock.sleep(ms, signal);
  if (signal?.aborted) throw new DOMException("This operation was aborted", "AbortError");
}
