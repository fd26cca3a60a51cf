import type { AskReply, AskRequest, CallError } from "../../compaction/index.ts";
import { clearResults, notesTemplate } from "../../compaction/index.ts";
import type { Rng, VirtualClock } from "../../determinism/index.ts";
import type { ModelInfo } from "../../tokens/index.ts";
import { roughTokenCount, roughTokenSum } from "../../tokens/index.ts";
import type { Message } from "../../transcript/index.ts";
import { words } from "./draw-messages.ts";
import type { HistorySetup } from "./setup.ts";

/** The server of one history: it counts by a rate of its own, refuses what is too long, and writes summaries and notes of every quality. */
export interface Server {
  model: ModelInfo;
  /** Results that the cache edits of the conversation have deleted, as they stand now. */
  deleted: () => ReadonlySet<string>;
  /** Sees every question before it is answered. */
  watch: (request: AskRequest, countedTokens: number) => void;
  /** Tokens of these messages with everything else of a main request, by the server's count. */
  tokensOf(messages: readonly Message[]): number;
  answer(request: AskRequest): Promise<AskReply>;
  refusal(tokens: number): CallError;
}

export function createServer(rng: Rng, clock: VirtualClock, setup: HistorySetup, model: ModelInfo): Server {
  const isTrouble = (): boolean => rng.integer(1, 100) <= setup.troublePercent;
  const counted = (messages: readonly Message[]): number =>
    roughTokenSum(clearResults(messages, server.deleted(), "[Old tool result content cleared]"));
  const server: Server = {
    model,
    deleted: () => new Set(),
    watch: () => {},
    tokensOf: (messages) => Math.ceil((setup.overheadTokens + counted(messages)) * setup.serverRate),
    refusal: (tokens) => {
      const limit = server.model.contextWindow;
      if (rng.chance(0.2)) return { class: "overflow", text: "Prompt is too long" };
      return { class: "overflow", text: `prompt is too long: ${tokens} tokens > ${limit} maximum`, tokens, limit };
    },
    answer: async (request) => {
      const { messages, instruct, maxOutput, signal } = request;
      const size = counted(messages) + roughTokenCount(instruct);
      server.watch(request, size);
      const slow = isTrouble() && rng.chance(0.3);
      await clock.sleep(slow ? rng.integer(20_000, 900_000) : rng.integer(100, 9_000), signal);
      if (signal?.aborted) return { kind: "aborted" };
      const overhead = request.system === "same" ? setup.overheadTokens : 50;
      const tokens = Math.ceil((size + overhead) * setup.serverRate);
      if (tokens > server.model.contextWindow) return { kind: "error", error: server.refusal(tokens) };
      const windowFull = tokens + maxOutput > server.model.contextWindow;
      return request.purpose === "compact" ? summary(windowFull) : notes();
    },
  };

  const said = (text: string, stopReason = "end_turn", calls = 0): AskReply => ({
    kind: "answer",
    text,
    stopReason,
    toolCalls: Array.from({ length: calls }, () => ({ type: "tool_use", id: "x", name: "Read", input: {} })),
    usage: { input_tokens: 10, output_tokens: 10, cache_read_input_tokens: 5 },
  });
  const failed = (error: CallError): AskReply => ({ kind: "error", error });

  function summary(windowFull: boolean): AskReply {
    if (windowFull && rng.chance(0.5)) return said("<summary>half", "model_context_window_exceeded");
    const text = words(rng, rng.integer(100, 2_500));
    if (!isTrouble()) return said(`<analysis>draft</analysis>\n<summary>${text}</summary>`);
    switch (rng.integer(0, 9)) {
      case 0:
        return said("<analysis>only a draft");
      case 1:
        return said("");
      case 2:
        return said("", "tool_use", 1);
      case 3:
        return said(`<summary>${text}`, "max_tokens");
      case 4:
        return said(`<summary>${words(rng, 60_000)}</summary>`); // longer than what it stands for
      case 5:
        return failed({ class: "media", text: "image exceeds the maximum" });
      case 6:
        return failed({ class: "overflow", text: "5 tokens > 900000 maximum", tokens: 5, limit: 900_000 }); // a lie
      case 7:
        return failed(server.refusal(rng.integer(1, 90_000)));
      case 8:
        return failed({ class: rng.pick(["transient", "overloaded", "auth", "refusal", "permanent"]), text: "no" });
      default:
        throw new Error("the ask port broke its contract");
    }
  }

  function notes(): AskReply {
    const full = notesTemplate.replace("# Current State", `# Current State\n${words(rng, rng.integer(20, 1_500))}`);
    if (!isTrouble()) return said(`<notes>\n${full}\n</notes>`);
    switch (rng.integer(0, 4)) {
      case 0:
        return said(`<notes>\n${notesTemplate}\n</notes>`);
      case 1:
        return said("no notes today");
      case 2:
        return said(`<notes>\n${full}`);
      case 3:
        return said(`<notes>\n${full.replace("# Worklog", `# Worklog\n${words(rng, 9_000)}`)}\n</notes>`);
      default:
        return failed({ class: "overloaded", text: "no" });
    }
  }
  return server;
}
