import type { Forked } from "../compaction/index.ts";
import type { AssistantMessage, Block, Message, ToolUseBlock, Usage, UserMessage } from "../transcript/index.ts";
import { capToolOutput } from "./cap-tool-output.ts";
import { interruptedText } from "./interrupted.ts";
import type { Session } from "./session.ts";
import type { ToolOutcome } from "./tool-port.ts";

/**
 * An answer while it streams in (M2): one message for each block, all with the response's id; tools start as soon as their call is whole, and their
 * results stand where they arrived. Nothing enters the conversation before `messages`: an answer that is thrown away leaves no trace.
 */
export interface ResponseDraft {
  start(messageId: string, model: string, usage: Usage | null): void;
  take(index: number, block: Block): void;
  readonly toolsStarted: number;
  /** Waits for the tools that were started; after an abort the unfinished ones count as interrupted. */
  settle(): Promise<void>;
  /** The parts and results in their order; the last part carries how the answer ended. Empty for an answer of which nothing came. */
  messages(end: { readonly stopReason: string | null; readonly usage: Usage | null }): readonly Message[];
}

/** What a call is answered with whose tool took too long. */
const timedOutText = "The tool did not finish in time and was stopped.";

interface Part {
  readonly index: number;
  readonly message: AssistantMessage;
}

export function createResponseDraft(session: Session, signal: AbortSignal): ResponseDraft {
  const { clock, tools } = session.options;
  let head: { readonly id: string; readonly model: string; readonly usage: Usage | null } | undefined;
  const arrived: (Part | UserMessage)[] = [];
  const running: { readonly call: ToolUseBlock; readonly work: Forked<void>; readonly stop: AbortController }[] = [];
  const answered = new Set<string>();
  if (session.underWay) session.record({ kind: "answer-dropped" });
  session.underWay = false;

  const arrive = (entry: Part | UserMessage): void => {
    arrived.push(entry);
    session.record({ kind: "arrived", message: isPart(entry) ? entry.message : entry });
    session.underWay = true;
  };

  const answer = (call: ToolUseBlock, outcome: ToolOutcome, startedAt: number): void => {
    if (answered.has(call.id)) return;
    answered.add(call.id);
    const content = capToolOutput(outcome.content, session.config.toolOutputCapChars);
    const chars = charsOf(content);
    const { isError } = outcome;
    arrive({
      kind: "user",
      uuid: session.uuid(),
      timestamp: session.now(),
      content: [{ type: "tool_result", tool_use_id: call.id, content, ...(isError && { is_error: true }) }],
    });
    const durationMs = session.now() - startedAt;
    session.emit({ kind: "tool_finished", toolUseId: call.id, name: call.name, chars, isError, durationMs });
  };

  const run = (call: ToolUseBlock): void => {
    session.startedCalls.add(call.id);
    session.emit({ kind: "tool_started", toolUseId: call.id, name: call.name });
    const startedAt = session.now();
    const stop = new AbortController();
    const onAbort = (): void => stop.abort();
    if (signal.aborted) stop.abort();
    signal.addEventListener("abort", onAbort);
    const work = clock.fork(async () => {
      const outcome = await runs(() => tools.run(call, stop.signal));
      signal.removeEventListener("abort", onAbort);
      answer(call, stop.signal.aborted ? interrupted : outcome, startedAt);
    });
    running.push({ call, work, stop });
  };

  return {
    start: (id, model, usage) => {
      head = { id, model, usage };
    },
    take: (index, block) => {
      if (head === undefined) return;
      const message: AssistantMessage = {
        kind: "assistant",
        uuid: session.uuid(),
        timestamp: session.now(),
        ...head,
        content: [block],
        stopReason: null,
      };
      arrive({ index, message });
      if (block.type === "tool_use" && !session.startedCalls.has(block.id)) run(block);
    },
    get toolsStarted() {
      return running.length;
    },
    settle: async () => {
      for (const { call, work, stop } of running) {
        await clock.join(work, session.config.toolTimeoutMs);
        if (work.done()) continue;
        stop.abort();
        answer(call, { content: timedOutText, isError: true }, session.now() - session.config.toolTimeoutMs);
      }
    },
    messages: (end) => {
      const ordered = inWireOrder(arrived);
      const last = ordered.findLastIndex(isPart);
      if (last < 0) return head === undefined || end.stopReason === null ? [] : [emptyAnswer(session, head, end)];
      return ordered.map((entry, i) => {
        if (!isPart(entry)) return entry;
        return i === last ? { ...entry.message, ...end, usage: end.usage ?? entry.message.usage } : entry.message;
      });
    },
  };
}

const interrupted: ToolOutcome = { content: interruptedText, isError: true };

/** A tool that throws, now or later, is a tool that failed. */
async function runs(tool: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
  try {
    return await tool();
  } catch {
    return { content: "The tool failed without saying why.", isError: true };
  }
}

function isPart(entry: Part | UserMessage): entry is Part {
  return "index" in entry;
}

/** As it arrived; where blocks ended out of their order, the parts first in the wire's order, then the results. */
function inWireOrder(arrived: readonly (Part | UserMessage)[]): readonly (Part | UserMessage)[] {
  const parts = arrived.filter(isPart);
  const inOrder = parts.every((part, i) => i === 0 || part.index > (parts[i - 1] as Part).index);
  if (inOrder) return arrived;
  return [...parts.sort((a, b) => a.index - b.index), ...arrived.filter((entry) => !isPart(entry))];
}

/** An answer without content still says what the context measured. */
function emptyAnswer(
  session: Session,
  head: { readonly id: string; readonly model: string },
  end: { readonly stopReason: string | null; readonly usage: Usage | null },
): AssistantMessage {
  return {
    kind: "assistant",
    uuid: session.uuid(),
    timestamp: session.now(),
    id: head.id,
    model: head.model,
    content: [],
    ...end,
  };
}

function charsOf(content: ToolOutcome["content"]): number {
  if (typeof content === "string") return content.length;
  return content.reduce((sum, part) => sum + (part.type === "text" ? part.text.length : 0), 0);
}
