import Anthropic from "@anthropic-ai/sdk";
import { expect, test } from "vitest";
import type { CompactionEvent } from "../compaction/index.ts";
import { createPlainSession, resolveConfig } from "../compaction/index.ts";
import { createRng, createVirtualClock } from "../determinism/index.ts";
import type { MockEvent, ModelPort } from "../mock-api/index.ts";
import { createFetch, createMockApi } from "../mock-api/index.ts";
import type { WireMessage, WireRequest } from "../transcript/index.ts";
import { findTranscriptProblems } from "../transcript/index.ts";

type Request = Anthropic.MessageCreateParamsNonStreaming;

interface Played {
  readonly events: readonly CompactionEvent[];
  readonly seen: readonly MockEvent[];
  readonly requests: readonly WireRequest[];
}

const textOf = ({ content }: WireMessage): string => (typeof content === "string" ? content : JSON.stringify(content));

/** A loop of somebody's own, on the unmodified SDK, against the strict mock: `rounds` calls of Read, an idle hour after some of them. */
async function play(options: {
  readonly model: string;
  readonly rounds: number;
  readonly idleAfter?: readonly number[];
  readonly trueWindow: number;
}): Promise<Played> {
  const clock = createVirtualClock(1_700_000_000_000);
  const requests: WireRequest[] = [];
  const events: CompactionEvent[] = [];
  const seen: MockEvent[] = [];
  let reads = 0;
  let ids = 0;
  const model: ModelPort = (request) => {
    requests.push(request);
    const asked = textOf(request.messages.at(-1) as WireMessage);
    const thinking =
      request.thinking?.type === "adaptive" ? [{ kind: "thinking" as const, thinking: `hm ${ids}` }] : [];
    const say = (text: string) => ({ content: [...thinking, { kind: "text" as const, text }], trace: [] });
    if (asked.includes("<summary>")) return say("<summary>Many files were read.</summary>");
    if (asked.includes("<notes>")) return say("");
    if (reads >= options.rounds) return say("Done.");
    const call = { kind: "tool-call" as const, name: "Read", input: { file_path: `f${reads++}` } };
    return { content: [...thinking, call], trace: [] };
  };
  const api = createMockApi({
    model,
    rng: createRng(2),
    now: () => clock.now(),
    windowOverride: options.trueWindow,
    observer: (event) => seen.push(event),
  });
  const client = new Anthropic({ apiKey: "sk-ant-test", maxRetries: 0, fetch: createFetch(api) });
  const session = createPlainSession({
    request: {
      model: options.model,
      max_tokens: 8_000,
      thinking: { type: "adaptive" },
      tools: [{ name: "Read", input_schema: { type: "object" } }],
    },
    create: async (request: Request, call) => {
      await clock.sleep(20_000, call.signal);
      return client.messages.create(request, call);
    },
    config: resolveConfig({ limits: { contextWindowCap: 200_000 } }).config,
    clock,
    uuid: () => `id-${ids++}`,
    onEvent: (event) => events.push(event),
  });
  await clock.run(async () => {
    session.add({ role: "user", content: "Find the leak." });
    let answer = await session.send();
    for (let round = 1; answer.stop_reason === "tool_use"; round++) {
      if (options.idleAfter?.includes(round) === true) await clock.sleep(61 * 60_000);
      for (const block of answer.content) {
        if (block.type !== "tool_use") continue;
        const line = `${block.id}: return items[${round}] + offset;\n`;
        session.add({
          role: "user",
          content: [{ type: "tool_result", tool_use_id: block.id, content: line.repeat(600) }],
        });
      }
      answer = await session.send();
    }
    expect(answer.content.at(-1)).toMatchObject({ type: "text", text: "Done." });
  });
  return { events, seen, requests };
}

const layersOf = (events: readonly CompactionEvent[]): string[] =>
  events.flatMap((event) => (event.kind === "compact_succeeded" ? [event.layer] : []));

test("CF2, M7: with thinking that is bound to its past, through an idle hour and compactions, the strict server takes every request of a plain loop", async () => {
  const { events, seen, requests } = await play({
    model: "claude-opus-5-5",
    rounds: 40,
    idleAfter: [8, 30],
    trueWindow: 200_000,
  });
  expect(layersOf(events).length).toBeGreaterThanOrEqual(2);
  expect(events.filter(({ kind }) => kind === "microcompact").length).toBeGreaterThanOrEqual(1);
  expect(seen.filter(({ kind }) => kind !== "served")).toEqual([]);
  const kept = requests.filter(({ messages }) => JSON.stringify(messages).includes('"signature"'));
  expect(kept.length).toBeGreaterThan(10);
  for (const { messages } of requests) expect(findTranscriptProblems(messages)).toEqual([]);
});

test("CF2, RC2: a server whose window is smaller than believed costs a plain loop refusals that it never sees", async () => {
  const { events, seen } = await play({ model: "claude-sonnet-4-6", rounds: 30, trueWindow: 120_000 });
  const refused = seen.flatMap((event) => (event.kind === "refused" ? [event.text] : []));
  expect(refused.length).toBeGreaterThanOrEqual(1);
  expect(refused.every((text) => text.startsWith("prompt is too long"))).toBe(true);
  const reactive = events.filter((event) => event.kind === "compact_succeeded" && event.trigger === "reactive");
  expect(reactive.length).toBeGreaterThanOrEqual(2);
  // The others were forks: the summary's, or the notes'.
  expect(reactive.length).toBeLessThanOrEqual(refused.length);
});
