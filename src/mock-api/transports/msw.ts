import { http } from "msw";
import { setupServer } from "msw/node";
import type { MockApi } from "../mock-api.ts";

/** Requests of this process to the Messages API are answered by the mock; any other request is an error. */
export interface MswServer {
  listen(): void;
  close(): void;
}

export const apiOrigin = "https://api.anthropic.com";

/** Interception by MSW 2.15 (A1). Between `listen` and `close` no request of this process can leave the machine unseen. */
export function createMswServer(api: Pick<MockApi, "handle">): MswServer {
  const server = setupServer(http.all(`${apiOrigin}/v1/*`, ({ request }) => api.handle(request)));
  return {
    // In 2.x the option has this name; another name would let unhandled requests through (a test proves that they are refused).
    listen: () => server.listen({ onUnhandledRequest: "error" }),
    close: () => server.close(),
  };
}
