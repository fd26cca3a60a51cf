import fc from "fast-check";
import type { RequestParts } from "../compaction/index.ts";
import { buildRequest } from "../compaction/index.ts";
import { createRng } from "../determinism/index.ts";
import type { AnswerBlock } from "../mock-api/index.ts";
import { createMockApi } from "../mock-api/index.ts";
import type { ModelInfo } from "../tokens/index.ts";
import type { AssistantMessage, Block, Message, Usage, WireThinking } from "../transcript/index.ts";
import { blockFromWire } from "../transcript/index.ts";
import { anAttachment, aToolResult, aUser } from "./message-builders.ts";
import type { Damage } from "./transcript-arbitraries.ts";
import { damage, spoil } from "./transcript-arbitraries.ts";

/** What one round of an issued session does: what the model answers, how the answer is laid out, and what happens to the past before the next one. */
export interface IssuedRound {
  readonly thoughts: number;
  readonly text: boolean;
  readonly calls: number;
  /** As in M2: whole, in parts, or in parts with each result between them. */
  readonly layout: "whole" | "parts" | "interleaved";
  readonly says: "nothing" | "human" | "attachment";
  readonly damage: Damage | null;
}

export function issuedRounds(): fc.Arbitrary<readonly IssuedRound[]> {
  return fc.array(
    fc.record({
      thoughts: fc.integer({ min: 0, max: 2 }),
      text: fc.boolean(),
      calls: fc.integer({ min: 0, max: 2 }),
      layout: fc.constantFrom("whole", "parts", "interleaved"),
      says: fc.constantFrom("nothing", "human", "attachment"),
      damage: fc.option(damage(), { nil: null, freq: 3 }),
    }),
    { minLength: 1, maxLength: 3 },
  );
}

export interface IssuedSession {
  /** The server's words where it refused a request, in order. */
  readonly refusals: readonly string[];
  readonly requests: number;
  /** Thinking blocks that went out again with a later request. */
  readonly thinkingResent: number;
  readonly messages: readonly Message[];
}

/** Who knows of a damage to the past, and so what becomes of the thinking that was made before it (M7). */
export type DamageKnown =
  /** A loop that keeps the place of the latest change: for models that bind thinking to its past. */
  | "place"
  /** Nobody: where thinking is not bound, what happens beside it does not matter. Thinking itself is spared. */
  | "unknown"
  /** Whoever reads a broken file: all thinking is left out. */
  | "all";

export interface IssuedSetup {
  readonly model: ModelInfo;
  readonly thinking: WireThinking;
  readonly known: DamageKnown;
}

/** A session whose answers, thinking and signatures are the mock's own, and whose requests are the library's (M4, M5, M7). */
export function playIssuedSession(setup: IssuedSetup, rounds: readonly IssuedRound[]): IssuedSession {
  const { model, thinking, known } = setup;
  let answer: readonly AnswerBlock[] = [];
  const api = createMockApi({ model: () => ({ content: answer, trace: [] }), rng: createRng("issued"), now: () => 0 });
  let messages: readonly Message[] = [{ ...aUser("Go."), uuid: "opening" }];
  let rebound: RequestParts["rebound"] = { upTo: null };
  const refusals: string[] = [];
  let thinkingResent = 0;

  /** The last request comes after the last damage. */
  for (let n = 0; n <= rounds.length; n++) {
    const round = rounds[n];
    answer = answerOf(round, n);
    const { wire } = buildRequest({ ...frame, messages, model, answersAs: model.id, thinking, rebound });
    for (const { content } of wire.messages) {
      if (typeof content !== "string") thinkingResent += content.filter(({ type }) => type === "thinking").length;
    }
    const { status, body } = api.serve({ ...post, body: { ...wire, stream: false } });
    const value = body.kind === "json" ? (body.value as Answered & Refused) : null;
    if (status !== 200) refusals.push(value?.error?.message ?? `status ${status}`);
    if (round === undefined || value?.content === undefined) continue;
    messages = [...messages, ...laidOut(value, round, n)];
    if (round.damage === null) continue;
    const spoiled = known === "unknown" ? spareThinking(messages, round.damage) : spoil(messages, round.damage);
    if (spoiled !== messages) rebound = known === "all" ? "all" : { upTo: spoiled.at(-1)?.uuid ?? null };
    messages = spoiled;
  }
  return { refusals, requests: rounds.length + 1, thinkingResent, messages };
}

/** The damage, unless it hits a message that holds thinking. */
function spareThinking(messages: readonly Message[], damage: Damage): readonly Message[] {
  const hit = messages[damage.at % messages.length];
  return hit?.kind === "assistant" && hit.content.some(({ type }) => type === "thinking")
    ? messages
    : spoil(messages, damage);
}

interface Answered {
  readonly id: string;
  readonly content?: readonly { readonly type: string }[];
  readonly stop_reason: string;
  readonly usage: Usage;
}
interface Refused {
  readonly error?: { readonly message: string };
}

const post = {
  method: "POST",
  path: "/v1/messages",
  headers: { "x-api-key": "key", "anthropic-version": "2023-06-01" },
} as const;

const frame = {
  pins: [],
  carryPins: true,
  system: "You are careful.",
  tools: [{ name: "Read", description: "reads", input_schema: { type: "object" } }],
  maxTokens: 4_000,
  previousLength: null,
} as const;

function answerOf(round: IssuedRound | undefined, n: number): readonly AnswerBlock[] {
  const { thoughts = 0, text = true, calls = 0 } = round ?? {};
  return [
    ...Array.from({ length: thoughts }, (_, i) => ({ kind: "thinking", thinking: `thought ${n}.${i}` }) as const),
    ...(text || calls === 0 ? [{ kind: "text", text: `answer ${n}` } as const] : []),
    ...Array.from({ length: calls }, (_, i) => ({ kind: "tool-call", name: "Read", input: { n, i } }) as const),
  ];
}

function laidOut(answered: Answered, { layout, says }: IssuedRound, n: number): readonly Message[] {
  let parts = 0;
  const part = (content: readonly Block[]): AssistantMessage => ({
    kind: "assistant",
    uuid: `${answered.id}-${parts++}`,
    timestamp: n,
    id: answered.id,
    model: (answered as { readonly model?: string }).model ?? "",
    content,
    stopReason: answered.stop_reason,
    usage: answered.usage,
  });
  const blocks = (answered.content ?? []).map(({ ...block }) => blockFromWire(withoutAdditions(block)));
  const resultOf = (block: Block): readonly Message[] =>
    block.type === "tool_use"
      ? [{ ...aUser([aToolResult(block.id, `output of ${block.id}`)]), uuid: `r-${block.id}` }]
      : [];
  const said: readonly Message[] =
    says === "human"
      ? [{ ...aUser(`And then ${n}?`), uuid: `said-${n}` }]
      : says === "attachment"
        ? [{ ...anAttachment(`file ${n}`), uuid: `attached-${n}` }]
        : [];
  switch (layout) {
    case "whole":
      return [part(blocks), ...blocks.flatMap(resultOf), ...said];
    case "parts":
      return [...blocks.map((block) => part([block])), ...blocks.flatMap(resultOf), ...said];
    case "interleaved":
      return [...blocks.flatMap((block) => [part([block]), ...resultOf(block)]), ...said];
  }
}

/** Fields that answers have and requests must not. */
function withoutAdditions(block: { readonly type: string; readonly citations?: unknown; readonly caller?: unknown }): {
  readonly type: string;
} {
  const { citations: _, caller: __, ...rest } = block;
  return rest;
}
