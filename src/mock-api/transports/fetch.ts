import type { Call } from "../call.ts";
import type { MockApi } from "../mock-api.ts";
import type { BodyParser } from "./body-parser.ts";
import { createBodyParser } from "./body-parser.ts";
import { callFrom, callOf } from "./call-of.ts";

/** A `fetch` that is answered by the mock: for the SDK's `fetch` option. No network, no interception. */
export function createFetch(api: Pick<MockApi, "respond">): typeof fetch {
  const parse = createBodyParser();
  return async (input, init) => {
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    signal?.throwIfAborted();
    const response = await api.respond(
      callOfInit(input, init, parse) ?? (await callOf(new Request(input, init), parse)),
    );
    signal?.throwIfAborted();
    if (response.type === "error") throw new TypeError("fetch failed");
    return response;
  };
}

/** A text body need not become bytes and text again on its way. */
function callOfInit(
  input: Parameters<typeof fetch>[0],
  init: RequestInit | undefined,
  parse: BodyParser,
): Call | undefined {
  if (input instanceof Request || typeof init?.body !== "string") return undefined;
  const { pathname, search } = new URL(input);
  const headers: Record<string, string> = {};
  new Headers(init.headers).forEach((value, name) => {
    headers[name] = value;
  });
  return callFrom(init.method ?? "GET", `${pathname}${search}`, headers, init.body, parse);
}
