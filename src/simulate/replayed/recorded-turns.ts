import type { AssistantMessage, Block, Message, ToolResultBlock, Usage } from "../../transcript/index.ts";
import { isHumanMessage } from "../../transcript/index.ts";

/** A session from a file as it was played: what the user said, and each response with the results that came back for it. */
export interface RecordedTurn {
  readonly said: readonly Block[];
  /** Since the message before, in milliseconds. */
  readonly gapMs: number;
  readonly rounds: readonly RecordedRound[];
}

export interface RecordedRound {
  /** All parts of the response, in order. */
  readonly content: readonly Block[];
  readonly results: ReadonlyMap<string, ToolResultBlock>;
  /** The file's own figures, null where it has none that can be used. */
  readonly usage: Usage | null;
  /** The file's own compaction came just before this response. */
  readonly afterCompaction: boolean;
}

/** Said in the user's place where a file begins in the middle of a session. */
const openingText = "(The file begins in the middle of a session.)";

/**
 * Takes a transcript apart into turns and rounds. The file's own compactions are marked and their summaries left out: what they summarised is
 * played whole, so that other layers can act on it. What the client made up itself (API-error texts) is left out.
 */
export function recordedTurns(messages: readonly Message[]): RecordedTurn[] {
  const turns: TurnDraft[] = [];
  let lastMs: number | null = null;
  let compacted = false;
  const turn = (): TurnDraft => turns.at(-1) ?? open([{ type: "text", text: openingText }], 0);
  const open = (said: Block[], gapMs: number): TurnDraft => {
    const draft: TurnDraft = { said, gapMs, rounds: [] };
    turns.push(draft);
    return draft;
  };
  for (const message of messages) {
    const gapMs = lastMs === null ? 0 : Math.max(0, message.timestamp - lastMs);
    lastMs = message.timestamp;
    if (message.kind === "boundary") compacted = true;
    if (message.kind === "boundary" || message.kind === "notice") continue;
    if (message.kind === "assistant") {
      if (message.synthetic) continue;
      addResponse(turn(), message, compacted);
      compacted = false;
      continue;
    }
    if (message.kind === "user" && message.isCompactSummary) continue;
    if (isHumanMessage(message)) open([...message.content], gapMs);
    else addToUser(turn(), message.content);
  }
  return turns.filter((draft) => draft.said.length > 0 || draft.rounds.length > 0);
}

interface TurnDraft {
  readonly said: Block[];
  readonly gapMs: number;
  readonly rounds: RoundDraft[];
}
interface RoundDraft {
  readonly id: string;
  readonly content: Block[];
  readonly results: Map<string, ToolResultBlock>;
  usage: Usage | null;
  readonly afterCompaction: boolean;
}

function addResponse(turn: TurnDraft, message: AssistantMessage, afterCompaction: boolean): void {
  let round = turn.rounds.at(-1);
  // A response that asked for no tool cannot be followed by another in one turn: the two are one answer.
  if (round === undefined || (round.id !== message.id && round.content.some((block) => block.type === "tool_use"))) {
    round = { id: message.id, content: [], results: new Map(), usage: null, afterCompaction };
    turn.rounds.push(round);
  }
  round.content.push(...message.content);
  const { usage } = message;
  if (
    usage !== null &&
    Number.isFinite(usage.input_tokens) &&
    usage.output_tokens >= (round.usage?.output_tokens ?? 0)
  ) {
    round.usage = usage;
  }
}

/** Results go to the round that asked for them; anything else that was sent to the model joins what the user said. */
function addToUser(turn: TurnDraft, content: readonly Block[]): void {
  for (const block of content) {
    if (block.type !== "tool_result") {
      if (turn.rounds.length === 0) turn.said.push(block);
      continue;
    }
    const round = turn.rounds.findLast(({ content: parts }) =>
      parts.some((part) => part.type === "tool_use" && part.id === block.tool_use_id),
    );
    round?.results.set(block.tool_use_id, block);
  }
}
