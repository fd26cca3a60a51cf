import { expect, test } from "vitest";
import { clearedResultText, clearResults, resolveConfig } from "../compaction/index.ts";
import { aModel, anAssistant, aResultMessage, aToolUse, aUser, driveAgent, inOrder } from "../testing/index.ts";
import { roughTokenSum } from "../tokens/index.ts";
import type { Message } from "../transcript/index.ts";
import { createOriginCounter, overheadOf } from "./context-origin.ts";
import { fourLayer } from "./index.ts";

const sumOf = (figures: object): number => Object.values(figures).reduce((sum, tokens) => sum + tokens, 0);

test("MC3: what the pinned edits delete on the server weighs its marker, pin after pin, and its own weight again without them", () => {
  const messages = inOrder([
    aUser("Go."),
    ...["a", "b", "c"].flatMap((id) => [anAssistant([aToolUse(id)]), aResultMessage(id, "x".repeat(4_000))]),
  ]);
  const originOf = createOriginCounter();
  const overhead = overheadOf("", []);
  const first = { messageUuid: "m4", toolUseIds: ["a"] };
  const second = { messageUuid: "m6", toolUseIds: ["b"] };
  for (const pins of [[], [first], [first, second], []]) {
    const deleted = new Set(pins.flatMap(({ toolUseIds }) => toolUseIds));
    const tokens = sumOf(originOf(messages, overhead, pins));
    const weighed = roughTokenSum(clearResults(messages, deleted, clearedResultText));
    expect(Math.abs(tokens - weighed)).toBeLessThan(3); // each origin is rounded up by itself
  }
});

test("MC3: the estimate of a request says what the server counts, not what it has deleted", async () => {
  const { config } = resolveConfig({
    micro: { cached: { triggerThreshold: 2, keepRecent: 1 } },
    sessionMemory: { enabled: false },
  });
  const last = { projection: [] as readonly Message[], deleted: new Set<string>() };
  await driveAgent(
    (_, nth) => ({
      kind: "message",
      content: nth < 8 ? [aToolUse(`t${nth}`, "Read", {})] : [{ type: "text", text: "Done." }],
    }),
    async ({ agent, events }) => {
      await agent.turn("go");
      const sent = events.flatMap((event) => (event.kind === "request_sent" ? [event] : [])).at(-1);
      expect(last.deleted.size).toBeGreaterThan(3);
      const counted = roughTokenSum(clearResults(last.projection, last.deleted, clearedResultText));
      const overhead = (sent?.origin.system ?? 0) + (sent?.origin.tools ?? 0);
      expect(Math.abs((sent?.estimate ?? 0) - overhead - counted)).toBeLessThan(3);
    },
    {
      model: aModel("claude-opus-4-6"),
      strategy: fourLayer({ config }),
      tools: { run: async () => ({ content: "x".repeat(4_000), isError: false }) },
      observer: {
        requestBuilt: ({ projection, pins }) => {
          last.projection = projection;
          last.deleted = new Set(pins.flatMap(({ toolUseIds }) => toolUseIds));
        },
      },
    },
  );
});
