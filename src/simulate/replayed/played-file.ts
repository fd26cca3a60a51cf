import type { Rng } from "../../determinism/index.ts";
import type { Block, ToolResultPart, WireTool } from "../../transcript/index.ts";
import type { AnswerBlock, ModelContext, ModelReply, ToolCall, ToolOutcome, UserAction } from "../../workload/index.ts";
import type { PlayedSession } from "../played-session.ts";
import type { RecordedRound, RecordedTurn } from "./recorded-turns.ts";
import { ruleNotes, ruleSummary } from "./rule-summary.ts";

/** A gap that is worth waiting for; shorter ones are part of the work. */
const MIN_GAP_MS = 60_000;
/** Where a file does not tell the size of what stood before its messages. Median of real sessions' first requests, tokens (calibration.json). */
const USUAL_OVERHEAD_TOKENS = 16_000;
const CHARS_PER_TOKEN = 3.5;

/**
 * A recorded session as a world to play in: the user says what was said, the model answers as it answered, tools give the results of the file.
 * There is no model to summarise: summaries and notes are written by rule from what the request shows, in the size of real ones.
 */
export function playFile(turns: readonly RecordedTurn[], rng: Rng): PlayedSession {
  const rounds = turns.flatMap((turn) => turn.rounds);
  const answers = new Map<number, RecordedRound | null>();
  const waiting: { readonly name: string; readonly outcome: ToolOutcome }[] = [];
  let turnIndex = -1;
  let roundInTurn = 0;

  /** Each round of the agent takes the turn's next response; a request that is sent again gets the same. */
  const recordedFor = (agentRound: number): RecordedRound | null => {
    const known = answers.get(agentRound);
    if (known !== undefined) return known;
    const next = turns[turnIndex]?.rounds[roundInTurn++] ?? null;
    answers.set(agentRound, next);
    return next;
  };

  return {
    system: filler(overheadTokens(turns), rng),
    tools: toolsOf(rounds),
    goals: [],
    user: userOf(turns, (index) => {
      turnIndex = index;
      roundInTurn = 0;
    }),
    model: (request, context) => {
      if (context.source === "compact") return text(ruleSummary(request));
      if (context.source === "session_memory") return text(ruleNotes(request));
      const round = recordedFor(roundOf(context));
      if (round === null) return text("(The recording goes on with the user.)");
      waiting.length = 0;
      return { content: round.content.flatMap((block) => answerBlock(block, round, waiting)), trace: [] };
    },
    runTool: ({ name }: ToolCall) => {
      const at = waiting.findIndex((entry) => entry.name === name);
      const [found] = at < 0 ? [] : waiting.splice(at, 1);
      return found?.outcome ?? { content: "The recording has no result of this call.", isError: true, latencyMs: 0 };
    },
    readFile: () => null,
    census: () => ({ byKind: {}, lost: [] }),
    drainBirths: () => [],
  };
}

function roundOf(context: ModelContext & { readonly round?: number }): number {
  return context.round ?? 0;
}

function text(content: string): ModelReply {
  return { content: [{ kind: "text", text: content }], trace: [] };
}

function answerBlock(
  block: Block,
  round: RecordedRound,
  waiting: { name: string; outcome: ToolOutcome }[],
): AnswerBlock[] {
  switch (block.type) {
    case "text":
      return block.text.trim() === "" ? [] : [{ kind: "text", text: block.text }];
    case "thinking":
      return [{ kind: "thinking", thinking: block.thinking }];
    case "tool_use": {
      const result = round.results.get(block.id);
      if (result !== undefined)
        waiting.push({ name: block.name, outcome: outcomeOf(result.content, result.is_error === true) });
      return [{ kind: "tool-call", name: block.name, input: (block.input ?? {}) as Record<string, unknown> }];
    }
    default:
      return []; // what only a server makes cannot be answered by a mock; it is small and rare
  }
}

function outcomeOf(content: string | readonly ToolResultPart[], isError: boolean): ToolOutcome {
  return {
    content: isError && typeof content !== "string" ? content.filter((part) => part.type === "text") : content,
    isError,
    latencyMs: 0,
  };
}

function userOf(turns: readonly RecordedTurn[], begin: (index: number) => void): PlayedSession["user"] {
  let index = -1;
  let waited = false;
  return {
    next: (): UserAction | null => {
      const turn = turns[index + 1];
      if (turn === undefined) return null;
      if (!waited && turn.gapMs >= MIN_GAP_MS) {
        waited = true;
        return { kind: "wait", ms: turn.gapMs };
      }
      waited = false;
      begin(++index);
      const content = turn.said.filter((block) => block.type === "text" || block.type === "image");
      const blank = content.every((block) => block.type === "text" && block.text.trim() === "");
      return {
        kind: "say",
        content: blank ? [{ type: "text", text: "(no text)" }] : content,
        goals: [],
        why: "script",
      };
    },
  };
}

/** The size of system prompt and tools, from the first response that says how long its request was. */
function overheadTokens(turns: readonly RecordedTurn[]): number {
  let chars = 0;
  for (const turn of turns) {
    chars += sizeOf(turn.said);
    for (const round of turn.rounds) {
      if (round.usage !== null && !round.afterCompaction) {
        const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens } = round.usage;
        const context = input_tokens + (cache_read_input_tokens ?? 0) + (cache_creation_input_tokens ?? 0);
        return Math.max(2_000, Math.round(context - chars / CHARS_PER_TOKEN));
      }
      chars += sizeOf(round.content) + [...round.results.values()].reduce((sum, result) => sum + sizeOf([result]), 0);
    }
  }
  return USUAL_OVERHEAD_TOKENS;
}

function sizeOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + JSON.stringify(block).length, 0);
}

/** Words that stand for the system prompt that the file does not hold: of its size, and the same in every request. */
function filler(tokens: number, rng: Rng): string {
  const words = "the session file keeps no system prompt so these words stand in its place and have its size".split(
    " ",
  );
  const draws = rng.fork("system");
  let made = "";
  while (made.length < tokens * CHARS_PER_TOKEN) made += `${draws.pick(words)} `;
  return made.trimEnd();
}

function toolsOf(rounds: readonly RecordedRound[]): WireTool[] {
  const names = new Set<string>();
  for (const round of rounds) for (const block of round.content) if (block.type === "tool_use") names.add(block.name);
  return [...names]
    .sort()
    .map((name) => ({ name, description: `${name}, as recorded.`, input_schema: { type: "object" } }));
}
