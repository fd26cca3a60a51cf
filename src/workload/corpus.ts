import type { Rng } from "../determinism/index.ts";
import type { WireBlock, WireMessage } from "../transcript/index.ts";
import { callFrameTokens, corpusCharsPerToken } from "./assumptions.ts";
import { calibration } from "./calibration.ts";
import { createWorkload } from "./create-workload.ts";
import { converse } from "./dry-conversation.ts";
import type { ProfileName } from "./workload.ts";

/**
 * The mix of profiles whose sessions together have to look like the measured ones, by weight.
 * Reason: most real sessions are the average; the special profiles exist for their extremes, and each is a few in a hundred here.
 */
export const corpusMix: readonly (readonly [ProfileName, number])[] = [
  ["bugfix", 60],
  ["resumed", 8],
  ["refactor", 8],
  ["exploration", 5],
  ["long-autonomous", 3],
  ["test-loop", 0.5],
  ["research", 1],
  ["mcp-heavy", 1],
  ["image-heavy", 3],
  ["polyglot-cjk", 3],
  ["idle-overnight", 1],
  ["parallel-tools", 1],
  ["one-huge-result", 1],
  ["model-switch", 2],
];

/** Session lengths, rounds. Longer than the measured median of 36, so that the end of a session cuts few turns short. */
const lengths = [60, 120, 240, 400] as const;

/** What was drawn, by the name of the measure: sizes in characters, seconds, tokens; 0 or 1 for shares. */
export type CorpusSamples = ReadonlyMap<string, readonly number[]>;

/** Generates sessions and collects everything that calibration.json has a figure for. */
export function sampleCorpus(sessions: number, rng: Rng, onSession?: (done: number) => void): CorpusSamples {
  const samples = new Map<string, number[]>();
  const add = (measure: string, value: number): void => {
    const known = samples.get(measure);
    if (known === undefined) samples.set(measure, [value]);
    else known.push(value);
  };
  for (let i = 0; i < sessions; i++) {
    const stream = rng.fork("session", i);
    const profile = stream.fork("profile").weighted(corpusMix);
    const rounds = stream.fork("rounds").pick(lengths);
    const workload = createWorkload({
      profile,
      rounds,
      rng: stream.fork("workload"),
      overrides: { overheadTokens: 1000 },
    });
    const run = converse(workload, { mostRounds: rounds * 2, rng: stream.fork("dry") });
    for (const action of run.actions) if (action.kind === "wait") add("idle gap", action.ms / 1000);
    measureMessages(run.messages, add);
    onSession?.(i + 1);
  }
  return samples;
}

function measureMessages(messages: readonly WireMessage[], add: (measure: string, value: number) => void): void {
  const calls = new Map<string, WireBlock>();
  const read = new Set<string>();
  let roundsOfTurn = 0;
  let growth = 0;
  for (const message of messages) {
    const blocks = Array.isArray(message.content) ? (message.content as readonly WireBlock[]) : [];
    const size = blocks.reduce((sum, block) => sum + tokensOf(block), 0);
    if (message.role === "assistant") {
      roundsOfTurn++;
      growth = size;
      measureAnswer(blocks, calls, read, add);
    } else if (blocks.some(({ type }) => type === "tool_result")) {
      add("growth per tool round", growth + size);
      for (const block of blocks) measureResult(block, calls, add);
    } else {
      add(
        "user prompt",
        blocks.reduce((sum, block) => sum + (typeof block.text === "string" ? block.text.length : 0), 0),
      );
      if (roundsOfTurn > 0) add("rounds per user turn", roundsOfTurn);
      roundsOfTurn = 0;
    }
  }
  if (roundsOfTurn > 0) add("rounds per user turn", roundsOfTurn);
}

function measureAnswer(
  blocks: readonly WireBlock[],
  calls: Map<string, WireBlock>,
  read: Set<string>,
  add: (measure: string, value: number) => void,
): void {
  const made = blocks.filter(({ type }) => type === "tool_use");
  if (made.length > 0) add("parallel share", made.length > 1 ? 1 : 0);
  for (const block of blocks) {
    if (typeof block.text === "string") add("text", block.text.length);
    if (typeof block.thinking === "string") add("thinking", block.thinking.length);
  }
  for (const call of made) {
    calls.set(String(call.id), call);
    const input = call.input as Readonly<Record<string, unknown>>;
    add(`input of ${call.name}`, JSON.stringify(input).length);
    for (const tool of measuredTools) add(`share of ${tool}`, call.name === tool ? 1 : 0);
    if (call.name !== "Read") continue;
    add("reread share", read.has(String(input.file_path)) ? 1 : 0);
    read.add(String(input.file_path));
  }
}

function measureResult(
  block: WireBlock,
  calls: ReadonlyMap<string, WireBlock>,
  add: (measure: string, value: number) => void,
): void {
  const name = String(calls.get(String(block.tool_use_id))?.name);
  add(`errors of ${name}`, block.is_error === true ? 1 : 0);
  if (typeof block.content === "string") add(`result of ${name}`, block.content.length);
}

/** Tools whose share is compared one by one. Agent and TodoWrite stand for several measured tools. */
export const measuredTools = ["Bash", "Read", "Edit", "Grep", "Write", "Glob"] as const;

/** A block's tokens, roughly. */
function tokensOf(block: WireBlock): number {
  const text = block.type === "tool_result" ? block.content : (block.text ?? block.thinking ?? block.input);
  const chars = typeof text === "string" ? text.length : JSON.stringify(text ?? "").length;
  const frame =
    block.type === "tool_result"
      ? calibration.charsPerToken.perResultOverheadTokens.Bash
      : block.type === "tool_use"
        ? callFrameTokens
        : 0;
  return chars / corpusCharsPerToken + frame;
}
