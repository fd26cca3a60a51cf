import type { Rng } from "../../determinism/index.ts";
import { assertNever } from "../../transcript/index.ts";
import type { Answer, OutBlock } from "../answer/answer.ts";
import type { Envelope, WireUsage } from "../answer/message.ts";
import { compactionBlock, stopDetails, wireMessage } from "../answer/message.ts";
import type { Latency } from "../call.ts";
import type { StreamEvent } from "./stream-event.ts";

/** The events of one streamed answer, and the virtual time that passes while they are written (S1, S2). */
export function eventsOf(
  envelope: Envelope,
  answer: Answer,
  startMs: number,
  rng: Rng,
): { readonly events: readonly StreamEvent[]; readonly latency: Latency } {
  const events: StreamEvent[] = [];
  const before: [number, number][] = [];
  const empty: Answer = { ...answer, blocks: [], stopReason: "", stopSequence: null };
  const message = wireMessage({ ...envelope, usage: startUsage(envelope) }, empty);
  events.push({ type: "message_start", message: { ...message, stop_reason: null, stop_details: null } });
  events.push({ type: "ping" });
  for (const [index, block] of answer.blocks.entries()) {
    const first = events.length;
    pushBlock(events, block, index, rng, envelope.isOldVersion);
    before.push(...writingTimes(events, first, decodeMs(block.tokens)));
    if (index % 4 === 3) events.push({ type: "ping" });
  }
  const { context_management } = envelope.beta;
  events.push({
    type: "message_delta",
    delta: {
      stop_reason: answer.stopReason,
      stop_sequence: answer.stopSequence,
      stop_details: stopDetails(answer.stopReason),
      container: null,
    },
    ...(envelope.usage === null ? {} : { usage: deltaUsage(envelope.usage) }),
    ...(context_management === undefined ? {} : { context_management }),
  });
  events.push({ type: "message_stop" });
  return { events, latency: { first: startMs, before } };
}

/** At the start nothing but the first token is written. */
function startUsage({ usage }: Envelope): WireUsage | null {
  return usage === null ? null : { ...usage, output_tokens: Math.min(1, usage.output_tokens) };
}

/** The figures of `message_delta` (SDK: `MessageDeltaUsage`). */
function deltaUsage(usage: WireUsage): unknown {
  const { cache_creation: _creation, inference_geo: _geo, service_tier: _tier, speed: _speed, ...figures } = usage;
  return figures;
}

/** Milliseconds until the first token: 0.9 s + uncached / 9 500 + cached / 70 000 s (S2; written tokens are computed, so not cached). */
export function firstTokenMs(computedTokens: number, cachedTokens: number): number {
  return Math.round(900 + computedTokens / 9.5 + cachedTokens / 70);
}

/** Milliseconds to write: 50 tokens a second (S2). */
export function decodeMs(tokens: number): number {
  return tokens * 20;
}

/**
 * Milliseconds: silence that a stream does not exceed for its length alone. A wait is a step of a run's clock and a border in its bytes, so
 * there is one for some ten seconds of writing and not one for each delta.
 */
const writingStep = 10_000;

/** The time to write one block, over its deltas by their length: a long text is slow, but not silent. The last part passes before its end. */
function writingTimes(
  events: readonly StreamEvent[],
  first: number,
  ms: number,
): readonly [place: number, ms: number][] {
  const last = events.length - 1;
  if (ms <= writingStep) return [[last, ms]];
  const times: [number, number][] = [];
  const lengths = events.slice(first, last).map(lengthOf);
  const whole = lengths.reduce((sum, length) => sum + length, 0);
  let written = 0;
  let passed = 0;
  for (const [i, length] of lengths.entries()) {
    written += length;
    const due = Math.floor((ms * written) / Math.max(1, whole)) - passed;
    if (due < writingStep) continue;
    times.push([first + i, due]);
    passed += due;
  }
  if (passed < ms) times.push([last, ms - passed]);
  return times;
}

/** Characters of what a delta adds. */
function lengthOf({ delta }: StreamEvent): number {
  const added = (delta ?? {}) as { readonly text?: string; readonly thinking?: string; readonly partial_json?: string };
  return (added.text ?? added.thinking ?? added.partial_json ?? "").length;
}

function pushBlock(events: StreamEvent[], block: OutBlock, index: number, rng: Rng, isOldVersion: boolean): void {
  const start = (content_block: unknown): number => events.push({ type: "content_block_start", index, content_block });
  const delta = (fields: unknown): number => events.push({ type: "content_block_delta", index, delta: fields });
  switch (block.kind) {
    case "thinking":
      start({ type: "thinking", thinking: "", signature: "" });
      for (const thinking of pieces(block.thinking, rng)) delta({ type: "thinking_delta", thinking });
      delta({ type: "signature_delta", signature: block.signature });
      break;
    case "text":
      start({ type: "text", text: "", ...(isOldVersion ? {} : { citations: null }) });
      for (const text of pieces(block.text, rng)) delta({ type: "text_delta", text });
      break;
    case "tool_use":
      start({ type: "tool_use", id: block.id, name: block.name, input: {}, caller: { type: "direct" } });
      delta({ type: "input_json_delta", partial_json: "" });
      for (const partial_json of pieces(block.json, rng)) delta({ type: "input_json_delta", partial_json });
      break;
    case "compaction":
      if (block.whole) start(compactionBlock(block));
      else {
        start({ ...compactionBlock(block), content: null });
        delta({ type: "compaction_delta", content: block.content, encrypted_content: null });
      }
      break;
    default:
      assertNever(block);
  }
  events.push({ type: "content_block_stop", index });
}

/** Cuts a text into pieces of 80 to 700 characters, never inside a surrogate pair (JSON could not carry half of one as UTF-8). */
function pieces(text: string, rng: Rng): string[] {
  const parts: string[] = [];
  let from = 0;
  while (from < text.length) {
    let to = Math.min(text.length, from + rng.integer(80, 700));
    if (to < text.length && (text.charCodeAt(to - 1) & 0xfc00) === 0xd800) to++;
    parts.push(text.slice(from, to));
    from = to;
  }
  return parts;
}
