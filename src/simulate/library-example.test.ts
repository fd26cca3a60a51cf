import { expect, test } from "vitest";
import { createAgent, createSdkClient, fourLayer } from "../agent/index.ts";
import { createRng, systemClock } from "../determinism/index.ts";
import { createFetch, createMockApi } from "../mock-api/index.ts";
import type { ModelInfo } from "../tokens/index.ts";
import { findModel } from "../tokens/index.ts";

test("CF2: the agent runs outside the simulator: the real clock, the SDK, four layers, one tool", async () => {
  const api = createMockApi({
    model: ({ messages }) =>
      messages.length === 1
        ? { content: [{ kind: "tool-call", name: "Read", input: { file_path: "a.ts" } }], trace: [] }
        : { content: [{ kind: "text", text: "Done." }], trace: [] },
    rng: createRng(1),
    now: () => Date.now(),
  });
  const clock = systemClock();
  const emitted: string[] = [];
  const agent = createAgent({
    client: createSdkClient({ apiKey: "sk-ant-test", clock, fetch: createFetch(api) }),
    clock,
    uuid: () => crypto.randomUUID(),
    random: () => Math.random(),
    strategy: fourLayer(),
    model: findModel("claude-sonnet-4-6") as ModelInfo,
    thinking: { type: "adaptive" },
    system: "You fix bugs.",
    toolDefinitions: [
      { name: "Read", input_schema: { type: "object", properties: { file_path: { type: "string" } } } },
    ],
    tools: { run: async (call) => ({ content: `contents for ${call.name}`, isError: false }) },
    emit: (event) => emitted.push(event.kind),
  });
  expect(await agent.turn("Why does the build fail?")).toEqual({ kind: "completed", rounds: 2, text: "Done." });
  expect(emitted).toContain("autocompact_check");
  expect(agent.log()).toHaveLength(4);
});
