import type { ClientPort } from "../agent/index.ts";
import { createSdkClient } from "../agent/index.ts";
import type { Clock } from "../determinism/index.ts";
import type { MockApi } from "../mock-api/index.ts";
import { createFetch, createMswServer, listen } from "../mock-api/index.ts";
import { createDirectClient } from "./direct-client.ts";
import type { Transport } from "./run-spec.ts";
import { virtualFetch } from "./virtual-fetch.ts";

/** A client that reaches the mock in one of the four ways (mock-api.md A1), and what ends the way. */
export interface Connection {
  readonly client: ClientPort;
  close(): Promise<void>;
}

/** The key that a run's client shows: the mock takes any well-formed one, and nothing leaves the machine. */
const apiKey = "sk-ant-longhaul-simulated";

/** Opens the way. Close it when the run is over. */
export async function connect(transport: Transport, api: MockApi, clock: Clock): Promise<Connection> {
  const client = (fetch: Parameters<typeof virtualFetch>[0], baseUrl?: string): ClientPort =>
    createSdkClient({
      apiKey,
      clock,
      fetch: virtualFetch(fetch, clock),
      ...(baseUrl === undefined ? {} : { baseUrl }),
    });
  switch (transport) {
    case "fetch":
      return { client: client(createFetch(api)), close: async () => {} };
    case "msw": {
      const server = createMswServer(api);
      server.listen();
      return { client: client((input, init) => globalThis.fetch(input, init)), close: async () => server.close() };
    }
    case "loopback": {
      const server = await listen(api, { port: 0 });
      return {
        client: client((input, init) => globalThis.fetch(input, init), server.url),
        close: () => server.close(),
      };
    }
    case "direct":
      return { client: createDirectClient(api, clock, apiKey, (answer) => client(answer)), close: async () => {} };
  }
}
