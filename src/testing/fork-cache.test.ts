import { expect, test } from "vitest";
import { createSdkClient, fourLayer } from "../agent/index.ts";
import type { ConfigInput } from "../compaction/index.ts";
import { resolveConfig } from "../compaction/index.ts";
import { createRng } from "../determinism/index.ts";
import type { Billed, MockEvent } from "../mock-api/index.ts";
import { createFetch, createMockApi } from "../mock-api/index.ts";
import type { ModelInfo } from "../tokens/index.ts";
import type { WireThinking } from "../transcript/index.ts";
import { aModel, driveAgent } from "./drive-agent.ts";

const rounds = 40;

interface Shared {
  /** How the compaction's own request was paid. */
  readonly compact: Billed;
  /** Whole input of the main thread's last request before it. */
  readonly mainTokens: number;
  /** Blocks of deletions that stand in the main thread's prefix. */
  readonly pins: number;
  readonly compactions: number;
}

/** A session of reads over the real loop and SDK against the mock, then a compaction by hand; what the mock was paid for it. */
async function compactOnce(
  model: ModelInfo,
  input: ConfigInput = {},
  thinking: WireThinking | null = null,
): Promise<Shared> {
  const served: Extract<MockEvent, { kind: "served" }>[] = [];
  let reads = 0;
  let pins = 0;
  const { config } = resolveConfig({ sessionMemory: { enabled: false }, ...input });
  return driveAgent(
    [],
    async ({ agent, events, clock }) => {
      await agent.turn("Read everything.");
      await clock.sleep(10_000);
      await agent.compact("");
      const paid = served.filter(({ source }) => source === "compact").at(-1);
      const main = served.filter(({ source }) => source === "main").at(-1);
      if (paid === undefined || main === undefined) throw new Error("no compaction was served");
      return {
        compact: paid.billed,
        mainTokens: main.billed.read + main.billed.write + main.billed.uncached,
        pins,
        compactions: events.filter(({ kind }) => kind === "compact_succeeded").length,
      };
    },
    (clock) => {
      const api = createMockApi({
        rng: createRng("fork-cache"),
        now: () => clock.now(),
        observer: (event) => {
          if (event.kind === "served") served.push(event);
        },
        model: (request, { source }) => {
          if (source === "compact")
            return { content: [{ kind: "text", text: "<summary>All files were read.</summary>" }], trace: [] };
          const thought = request.thinking === undefined ? [] : [{ kind: "thinking", thinking: "On." } as const];
          return ++reads <= rounds
            ? { content: [...thought, { kind: "tool-call", name: "Read", input: { reads } }], trace: [] }
            : { content: [...thought, { kind: "text", text: "Done." }], trace: [] };
        },
      });
      return {
        client: createSdkClient({
          apiKey: "sk-ant-api03-key",
          baseUrl: "http://mock",
          fetch: createFetch(api),
          clock,
        }),
        strategy: fourLayer({ config }),
        model,
        thinking,
        observer: {
          requestBuilt: (sent) => {
            pins = sent.pins.length;
          },
        },
        tools: { run: async () => ({ content: `file ${reads}: ${"words of it ".repeat(300)}`, isError: false }) },
      };
    },
  );
}

const noEdits = { micro: { cached: { enabled: false } } } as const;
const hitOf = ({ compact, mainTokens }: Shared): number => compact.read / mainTokens;

test.each([
  ["a plain session", "claude-opus-4-5", noEdits, null],
  ["thinking that is bound to its past", "claude-opus-5-5", noEdits, { type: "adaptive" }],
  ["pinned cache edits", "claude-opus-4-6", { micro: { cached: { triggerThreshold: 6, keepRecent: 3 } } }, null],
] as const)(
  "FC3: with %s, a fork reads more than nine tenths of the main thread's prefix from the cache",
  async (_, id, config, thinking) => {
    const shared = await compactOnce(aModel(id), config, thinking);
    expect(shared.compactions).toBe(1);
    expect(hitOf(shared)).toBeGreaterThan(0.9);
    expect(shared.pins > 2).toBe(config !== noEdits);
  },
);

test("FC3: the direct path has another system prompt, and reads none of it", async () => {
  const shared = await compactOnce(aModel("claude-opus-4-5"), { full: { fork: { enabled: false } } });
  expect(shared.compactions).toBe(1);
  expect(shared.compact.read).toBe(0);
});
