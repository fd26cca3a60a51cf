// The mock on a free port, with a model that calls two tools at once for ten rounds and then says that it is done.
// Prints the port; ends when its standard input does.
import { createRng } from "../../src/determinism/index.ts";
import type { ModelPort } from "../../src/mock-api/index.ts";
import { createMockApi, listen } from "../../src/mock-api/index.ts";

const tenRounds: ModelPort = (request) => {
  const round = request.messages.filter((message) => message.role === "assistant").length;
  const call = (key: string) => ({ kind: "tool-call", name: "lookup", input: { key: `${key}${round}` } }) as const;
  const thinking = { kind: "thinking", thinking: `round ${round}` } as const;
  return round < 10
    ? { content: [thinking, { kind: "text", text: `Round ${round}` }, call("a"), call("b")], trace: [] }
    : { content: [thinking, { kind: "text", text: "All ten rounds are done." }], trace: [] };
};

const api = createMockApi({
  model: tenRounds,
  rng: createRng("foreign clients"),
  now: () => Date.now(),
  observer: (event) => {
    if (event.kind === "refused") console.error(`  refused ${event.status}: ${event.text.slice(0, 160)}`);
    if (event.kind === "client_sin") console.error(`  sin: ${event.sin}: ${event.detail}`);
  },
});
const server = await listen(api, { port: 0 });
console.log(server.port);
process.stdin.resume();
process.stdin.on("end", () => server.close().then(() => process.exit(0)));
