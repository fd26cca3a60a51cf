import fc from "fast-check";
import type { Block, Message, Usage } from "../transcript/index.ts";
import { assertNever, roundStarts } from "../transcript/index.ts";
import {
  aBoundary,
  aNotice,
  anAssistant,
  anAttachment,
  anImage,
  aThinking,
  aToolResult,
  aToolUse,
  aUser,
  inOrder,
} from "./message-builders.ts";

/** One response and what came back for it, before it is laid out as messages. */
interface Round {
  readonly opening: string | null;
  readonly thinking: string | null;
  readonly text: string | null;
  readonly calls: readonly { readonly name: string; readonly input: unknown; readonly output: ResultContent }[];
  /** How the response was streamed: whole, in parts, or in parts with each result between them. */
  readonly layout: "whole" | "parts" | "interleaved";
  readonly usage: Usage | null;
  readonly stopped: boolean;
  readonly after: "nothing" | "notice" | "attachment";
}

type ResultContent = string | readonly { readonly type: "text"; readonly text: string }[];

/**
 * Transcripts as a healthy session leaves them: every call answered before the next response, ids unique, thinking first and signed, a human first.
 * Responses may be whole, in parts, or in parts with results between them (M2). With `boundaries`, compactions too.
 */
export function validTranscript(
  options: { readonly maxRounds?: number; readonly boundaries?: boolean } = {},
): fc.Arbitrary<readonly Message[]> {
  const { maxRounds = 8, boundaries = false } = options;
  return fc
    .tuple(someText(), fc.array(fc.tuple(round(), fc.boolean()), { maxLength: maxRounds }))
    .map(([opening, rounds]) => {
      const messages: Message[] = [aUser(opening)];
      rounds.forEach(([one, compacted], n) => {
        if (boundaries && compacted && n > 1) messages.push(...compaction(messages));
        messages.push(...layOut(one, n));
      });
      return inOrder(messages).map(namesWhatItKept);
    });
}

/**
 * Transcripts that went wrong: a valid one with messages lost, doubled, moved, results for nobody, ids used twice or refused by the API,
 * blank texts, unsigned thinking, no human at the start. Any order, any pairing; every block is well formed by itself.
 */
export function disorderedTranscript(options: { readonly maxRounds?: number } = {}): fc.Arbitrary<readonly Message[]> {
  return fc
    .tuple(validTranscript(options), fc.array(damage(), { minLength: 1, maxLength: 6 }))
    .map(([messages, damages]) => inOrder(damages.reduce(spoil, messages)));
}

/** One thing that can go wrong with a transcript; places are taken modulo its length. */
export type Damage =
  | {
      readonly kind: "lose" | "double" | "blank" | "unsign" | "only-thinking" | "orphan" | "odd-id";
      readonly at: number;
    }
  | { readonly kind: "move" | "same-id" | "swap-response"; readonly at: number; readonly to: number };

export function damage(): fc.Arbitrary<Damage> {
  const at = fc.nat(60);
  return fc.oneof(
    fc.record({
      kind: fc.constantFrom("lose", "double", "blank", "unsign", "only-thinking", "orphan", "odd-id"),
      at,
    }),
    fc.record({ kind: fc.constantFrom("move", "same-id", "swap-response"), at, to: fc.nat(60) }),
  );
}

/** The transcript after one damage. Thinking is lost or moved, never made. */
export function spoil(messages: readonly Message[], damage: Damage): readonly Message[] {
  if (messages.length === 0) return messages;
  const at = damage.at % messages.length;
  const message = messages[at] as Message;
  const put = (...instead: readonly Message[]): readonly Message[] => messages.toSpliced(at, 1, ...instead);
  switch (damage.kind) {
    case "lose":
      return put();
    case "double":
      return put(message, message);
    case "blank":
      return put(withContent(message, [...contentOf(message), { type: "text", text: " \n" }]));
    case "unsign":
      return put(withContent(message, [{ type: "thinking", thinking: "cut of" }, ...contentOf(message)]));
    case "only-thinking":
      return put(withContent(message, contentOf(message).filter(isThinking)));
    case "orphan":
      return put(message, aUser([aToolResult(`toolu_nobody_${at}`)]));
    case "odd-id":
      return messages.map((each) => renameCalls(each, firstCall(message), "call:1/ä"));
    case "move":
      return put().toSpliced(damage.to % messages.length, 0, message);
    case "same-id":
      return messages.map((each) =>
        renameCalls(each, firstCall(message), firstCall(messages[damage.to % messages.length])),
      );
    case "swap-response": {
      const other = messages[damage.to % messages.length];
      return message.kind === "assistant" && other?.kind === "assistant" ? put({ ...message, id: other.id }) : messages;
    }
    default:
      return assertNever(damage);
  }
}

function renameCalls(message: Message, from: string | undefined, to: string | undefined): Message {
  if (from === undefined || to === undefined) return message;
  const renamed = contentOf(message).map((block): Block => {
    if (block.type === "tool_use" && block.id === from) return { ...block, id: to };
    if (block.type === "tool_result" && block.tool_use_id === from) return { ...block, tool_use_id: to };
    return block;
  });
  return withContent(message, renamed);
}

function firstCall(message: Message | undefined): string | undefined {
  for (const block of message === undefined ? [] : contentOf(message)) if (block.type === "tool_use") return block.id;
  return undefined;
}

function isThinking({ type }: Block): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

function contentOf(message: Message): readonly Block[] {
  return "content" in message ? message.content : [];
}

function withContent(message: Message, content: readonly Block[]): Message {
  return "content" in message ? { ...message, content } : message;
}

function layOut(round: Round, n: number): readonly Message[] {
  const id = `msg_${n}`;
  let nth = 0;
  const part = (blocks: readonly Block[]): Message =>
    anAssistant(blocks, {
      id,
      usage: round.usage && { ...round.usage, output_tokens: round.usage.output_tokens + 7 * nth++ },
      stopReason: round.stopped ? "tool_use" : null,
    });
  const calls = round.calls.map((call, i) => aToolUse(`toolu_${n}_${i}`, call.name, call.input));
  const results = round.calls.map((call, i) => aUser([aToolResult(`toolu_${n}_${i}`, call.output)]));
  const prose: Block[] = round.thinking === null ? [] : [aThinking(round.thinking)];
  if (round.text !== null) prose.push({ type: "text", text: round.text });
  else if (calls.length === 0) prose.push({ type: "text", text: "Done." });
  const messages: Message[] = round.opening === null ? [] : [aUser(round.opening)];
  switch (round.layout) {
    case "whole":
      messages.push(part([...prose, ...calls]), ...results);
      break;
    case "parts":
      messages.push(...[...prose, ...calls].map((block) => part([block])), ...results);
      break;
    case "interleaved":
      messages.push(...prose.map((block) => part([block])));
      for (const [i, call] of calls.entries()) messages.push(part([call]), ...results.slice(i, i + 1));
      break;
    default:
      assertNever(round.layout);
  }
  if (round.after === "notice") messages.push(aNotice("The window fills up."));
  if (round.after === "attachment") messages.push(anAttachment([{ type: "text", text: "The file again." }, anImage()]));
  return messages;
}

/** A compaction that keeps the last round verbatim: usage and all. */
function compaction(messages: readonly Message[]): readonly Message[] {
  const kept = messages.slice(roundStarts(messages).at(-1));
  const boundary = aBoundary({
    messagesSummarized: messages.length - kept.length,
    keptUuids: kept.map(({ uuid }) => uuid),
  });
  return [boundary, aUser("Summary so far.", { isCompactSummary: true }), ...kept];
}

/** Uuids were given anew: the boundary names what stands after its summary, as many as before. */
function namesWhatItKept(message: Message, at: number, all: readonly Message[]): Message {
  if (message.kind !== "boundary") return message;
  const kept = all.slice(at + 2, at + 2 + message.keptUuids.length);
  return { ...message, lastUuidBefore: all[at - 1]?.uuid ?? null, keptUuids: kept.map(({ uuid }) => uuid) };
}

function round(): fc.Arbitrary<Round> {
  return fc.record({
    opening: fc.option(someText(), { freq: 2 }),
    thinking: fc.option(someText()),
    text: fc.option(someText()),
    calls: fc.array(
      fc.record({
        name: fc.constantFrom("Read", "Bash", "Edit", "Grep", "Agent", "mcp__db__query"),
        input: fc.oneof(
          fc.record({ file_path: someText() }),
          fc.record({ command: someText(), timeout: fc.nat() }),
          fc.constant({}),
        ),
        output: fc.oneof(
          someText(),
          fc.constant(""),
          fc.array(someText().map((text) => ({ type: "text" as const, text }))),
        ),
      }),
      { maxLength: 3 },
    ),
    layout: fc.constantFrom("whole", "parts", "interleaved"),
    usage: fc.option(someUsage()),
    stopped: fc.boolean(),
    after: fc.constantFrom("nothing", "nothing", "notice", "attachment"),
  });
}

/** Figures that can be believed, all zero, far too large, or no numbers at all. */
function someUsage(): fc.Arbitrary<Usage> {
  return fc.record({
    input_tokens: fc.constantFrom(0, 3, 1200, 90_000, 900_000, Number.NaN),
    output_tokens: fc.constantFrom(0, 1, 250, 4000),
    cache_creation_input_tokens: fc.constantFrom(0, 700, null),
    cache_read_input_tokens: fc.constantFrom(0, 60_000, null),
  });
}

/** Text that is not blank. */
function someText(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.lorem({ maxCount: 12 }),
    fc.string({ minLength: 1, maxLength: 30 }).map((text) => `«${text}»`),
    fc.constantFrom("export const port = 8081;", '{"a":[1,2,3]}', "日本語のテキスト", "héllo wörld", "0xdeadbeef"),
  );
}
