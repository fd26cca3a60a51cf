import fc from "fast-check";
import { expect, test } from "vitest";
import { createVirtualClock } from "../determinism/index.ts";
import { virtualFetch } from "./virtual-fetch.ts";

const serve = (text: string, latency: unknown, chunk: number) => async (): Promise<Response> => {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + chunk));
      at += chunk;
    },
  });
  return new Response(body, { headers: { "x-longhaul-latency": JSON.stringify(latency) } });
};

test("S2: headers and each byte arrive at their time", async () => {
  const clock = createVirtualClock(0);
  await clock.run(async () => {
    const fetch = virtualFetch(
      serve(
        "abcdef",
        {
          first: 900,
          at: [
            [2, 100],
            [6, 50],
          ],
        },
        4,
      ),
      clock,
    );
    const response = await fetch("http://x");
    expect(clock.now()).toBe(900);
    const arrivals: [string, number][] = [];
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
      arrivals.push([new TextDecoder().decode(part), clock.now()]);
    }
    expect(arrivals).toEqual([
      ["ab", 900],
      ["cd", 1000],
      ["ef", 1000],
    ]);
    expect(clock.now()).toBe(1050);
  });
});

test("an answer that never comes ends with the caller's abort, at the time of the abort", async () => {
  const clock = createVirtualClock(0);
  await clock.run(async () => {
    const abort = new AbortController();
    clock.timer(600_000, () => abort.abort());
    const fetch = virtualFetch(serve("abc", { first: 1, at: [[1, "never"]] }, 3), clock);
    const response = await fetch("http://x", { signal: abort.signal });
    await expect(response.text()).rejects.toThrow("aborted");
    expect(clock.now()).toBe(600_000);
  });
});

test("the bytes are those of the server, however they are cut and delayed", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.integer({ min: 1, max: 9 }),
      fc.uniqueArray(fc.nat(80), { maxLength: 5 }),
      async (text, chunk, offsets) => {
        const clock = createVirtualClock(0);
        const at = offsets.sort((a, b) => a - b).map((offset) => [offset, 10] as const);
        await clock.run(async () => {
          const response = await virtualFetch(serve(text, { first: 0, at }, chunk), clock)("http://x");
          expect(new Uint8Array(await response.arrayBuffer())).toEqual(new TextEncoder().encode(text));
          expect(clock.now()).toBe(10 * at.length);
        });
      },
    ),
  );
});

test("a reader that gives up does not wait for another copy of the body", async () => {
  const clock = createVirtualClock(0);
  const [body] = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(8)) }).tee();
  const headers = { "x-longhaul-latency": JSON.stringify({ first: 0, at: [] }) };
  await clock.run(async () => {
    const response = await virtualFetch(async () => new Response(body, { headers }), clock)("http://x");
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
      expect(part).toHaveLength(8);
      break;
    }
  });
});
