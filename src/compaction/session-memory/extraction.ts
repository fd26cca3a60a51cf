import type { ModelInfo } from "../../tokens/index.ts";
import type { Message } from "../../transcript/index.ts";
import type { SessionMemoryConfig } from "../config.ts";
import type { CompactorPorts } from "../context.ts";
import { lastSettledUuid } from "../last-response.ts";
import { extractionPrompt, readExtraction } from "./extraction-prompt.ts";

export interface ExtractionTask {
  /** The live part when the extraction began. */
  readonly live: readonly Message[];
  /** The notes so far, or the template. */
  readonly notes: string;
  readonly model: ModelInfo;
}

export type ExtractionResult =
  | {
      readonly kind: "updated";
      readonly finishedAtMs: number;
      readonly notes: string;
      /** The last message that they cover; null where a tool call was open, so that coverage stays as it was. */
      readonly coversUuid: string | null;
    }
  | { readonly kind: "failed"; readonly finishedAtMs: number; readonly reason: string }
  | { readonly kind: "aborted"; readonly finishedAtMs: number };

/** Asks a fork of the main thread for new notes: the same prefix, so the same cache (SM1). Changes nothing; never rejects. */
export async function runExtraction(
  task: ExtractionTask,
  config: SessionMemoryConfig,
  { ask, clock, estimator }: Pick<CompactorPorts, "ask" | "clock" | "estimator">,
): Promise<ExtractionResult> {
  const reply = await ask({
    purpose: "session_memory",
    messages: task.live,
    instruct: extractionPrompt(task.notes, config, estimator),
    system: "same",
    tools: "same",
    thinking: "same",
    cacheEdits: "same",
    model: "main",
    maxOutput: Math.min(config.extraction.maxOutputTokens, task.model.maxOutput),
  });
  const finishedAtMs = clock.now();
  if (reply.kind === "aborted") return { kind: "aborted", finishedAtMs };
  if (reply.kind === "error") return { kind: "failed", finishedAtMs, reason: reply.error.class };
  const answer = readExtraction(reply.text, task.notes);
  if (answer.kind === "failed") return { kind: "failed", finishedAtMs, reason: answer.reason };
  return { kind: "updated", finishedAtMs, notes: answer.notes, coversUuid: lastSettledUuid(task.live) };
}
