import { expect, test } from "vitest";
import type { Message } from "../transcript/index.ts";
import { runSession } from "./run-session.ts";

test("O3: the whole transcript is kept: every answer and what every tool said first, whatever was compacted, cleared or dropped since", async () => {
  let log: readonly Message[] = [];
  const { events } = await runSession(
    {
      scenario: "whole log",
      seed: "3",
      session: { profile: "test-loop", rounds: 40, summariser: "typical", noteTaker: "typical" },
      model: { id: "claude-sonnet-4-5", fallback: null, provider: "anthropic", window: 60_000, trueWindow: null },
      strategy: { name: "four-layer", config: { sessionMemory: { enabled: false } }, env: {} },
      faults: [],
      toolFaults: [],
      user: [],
      transport: "direct",
    },
    { onLog: (all) => (log = all) },
  );
  const compactions = events.filter((event) => event.kind === "compact_succeeded");
  expect(compactions.length).toBeGreaterThan(1);
  const uuids = new Set(log.map((message) => message.uuid));
  expect(uuids.size).toBe(log.length);
  // More stands in it than any request could hold, and none of it is a marker.
  const chars = JSON.stringify(log).length;
  const largest = Math.max(...events.map((event) => (event.kind === "served" ? event.trueTokens : 0)));
  expect(chars).toBeGreaterThan(largest * 6);
  const results = log.flatMap((message) =>
    message.kind === "user" ? message.content.filter((block) => block.type === "tool_result") : [],
  );
  const ran = events.filter((event) => event.kind === "tool_finished");
  expect(results.length).toBe(ran.length);
  expect(JSON.stringify(results)).not.toContain("[Old tool result content cleared]");
});
