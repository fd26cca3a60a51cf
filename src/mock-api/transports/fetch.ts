import type { MockApi } from "../mock-api.ts";

/** A `fetch` that is answered by the mock: for the SDK's `fetch` option. No network, no interception. */
export function createFetch(api: Pick<MockApi, "handle">): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const response = await api.handle(request);
    request.signal.throwIfAborted();
    if (response.type === "error") throw new TypeError("fetch failed");
    return response;
  };
}
