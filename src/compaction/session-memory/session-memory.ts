import type { Message } from "../../transcript/index.ts";
import { lastBoundaryIndex } from "../../transcript/index.ts";
import type { SessionMemoryConfig } from "../config.ts";
import type { CompactionContext, CompactorPorts } from "../context.ts";
import { startForeign, waitFor } from "../full/wait-for.ts";
import type { Forked } from "../ports.ts";
import type { ExtractionResult } from "./extraction.ts";
import { runExtraction } from "./extraction.ts";
import type { ExtractionMeter } from "./extraction-trigger.ts";
import { freshMeter, meterContext, resetMeter, shouldExtract } from "./extraction-trigger.ts";
import { notesTemplate } from "./notes-template.ts";

/** What one conversation's notes are and what they cover: plain data that survives a resume. */
export interface SessionMemoryState {
  /** Null before the first notes. Where a notes port is given, its file is what counts. */
  readonly notes: string | null;
  /** The last message that the notes cover; null where nobody knows. */
  readonly lastSummarizedUuid: string | null;
  readonly meter: ExtractionMeter;
}

export const emptySessionMemory: SessionMemoryState = { notes: null, lastSummarizedUuid: null, meter: freshMeter };

/**
 * The notes of one conversation (SM1). Contract:
 * - one extraction runs at a time, beside the conversation; its result is taken over only by `adopt`, at a moment that the caller chooses;
 * - nothing here throws or rejects; a failed extraction leaves notes and coverage as they were;
 * - an extraction that has run longer than `staleMs` is given up when the next one is due: its result is then ignored.
 */
export interface SessionMemory {
  notes(): string | null;
  lastSummarizedUuid(): string | null;
  /** Looks at the size of the context, and at what was done since the last look. */
  observe(contextTokens: number, newToolCalls: number): void;
  /** Starts an extraction over the live part when one is due, once a round's results are in. */
  startIfDue(messages: readonly Message[], lastResponseHasToolCall: boolean, context: CompactionContext): void;
  /** Takes over what a finished extraction brought. It covers nothing where its last message is not live any more. */
  adopt(messages: readonly Message[]): void;
  /** Waits for a running extraction, unless that is stale (SM5). */
  wait(signal: AbortSignal | undefined): Promise<"ready" | "running" | "aborted">;
  /** After a compaction the notes cover up to this message, or nothing that is known (PC2). */
  cover(uuid: string | null): void;
  state(): SessionMemoryState;
}

interface Running {
  readonly startedAtMs: number;
  readonly forked: Forked<ExtractionResult>;
  result: ExtractionResult | null;
}

export function createSessionMemory(
  config: SessionMemoryConfig,
  ports: CompactorPorts,
  initial: SessionMemoryState = emptySessionMemory,
): SessionMemory {
  const { clock, emit, estimator } = ports;
  let { notes, lastSummarizedUuid, meter } = initial;
  let running: Running | null = null;

  const readNotes = (): string | null => (ports.notes === undefined ? notes : ports.notes.read());
  const writeNotes = (text: string): boolean => {
    ports.notes?.write(text);
    notes = text;
    return true;
  };

  function finish(outcome: ExtractionResult["kind"], finishedAtMs: number, startedAtMs: number): void {
    const durationMs = finishedAtMs - startedAtMs;
    emit({ kind: "sm_extraction_finished", outcome, durationMs, lastSummarizedUuid });
  }

  return {
    notes: readNotes,
    lastSummarizedUuid: () => lastSummarizedUuid,
    observe(contextTokens, newToolCalls) {
      meter = meterContext(meter, contextTokens);
      meter = { ...meter, toolCalls: meter.toolCalls + newToolCalls };
    },
    startIfDue(messages, lastResponseHasToolCall, context) {
      if (!shouldExtract(meter, lastResponseHasToolCall, config)) return;
      if (running !== null) {
        if (clock.now() - running.startedAtMs <= config.staleMs) return;
        finish("failed", clock.now(), running.startedAtMs);
      }
      meter = resetMeter(meter);
      emit({ kind: "sm_extraction_started", tokens: meter.contextTokens ?? 0 });
      const live = messages.slice(lastBoundaryIndex(messages) + 1);
      const task = { live, notes: attempt(readNotes, notes) ?? notesTemplate, model: context.model };
      const started: Running = {
        startedAtMs: clock.now(),
        result: null,
        forked: startForeign(clock, async () => {
          started.result = await runExtraction(task, config, { ask: ports.ask, clock, estimator }).catch(
            brokenPort(clock),
          );
          return started.result;
        }),
      };
      running = started;
    },
    adopt(messages) {
      if (running?.result == null) return;
      const { result, startedAtMs } = running;
      running = null;
      if (result.kind === "updated") {
        const { coversUuid } = result;
        if (!attempt(() => writeNotes(result.notes), false)) {
          finish("failed", result.finishedAtMs, startedAtMs);
          return;
        }
        if (coversUuid !== null) lastSummarizedUuid = liveIndexOf(messages, coversUuid) < 0 ? null : coversUuid;
      }
      finish(result.kind, result.finishedAtMs, startedAtMs);
    },
    async wait(signal) {
      if (running === null || running.result !== null) return "ready";
      if (clock.now() - running.startedAtMs > config.staleMs) return "running";
      const waited = await waitFor(clock, running.forked, config.waitMs, signal);
      if (waited.kind === "aborted") return "aborted";
      return waited.kind === "timed-out" ? "running" : "ready";
    },
    cover(uuid) {
      lastSummarizedUuid = uuid;
    },
    state: () => ({ notes, lastSummarizedUuid, meter }),
  };
}

/** Files may be gone or full; the conversation goes on all the same (SM7). */
function attempt<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

/** A port that rejects breaks its contract; the conversation goes on all the same (SM7). */
function brokenPort(clock: CompactorPorts["clock"]): (error: unknown) => ExtractionResult {
  return (error) => ({ kind: "failed", finishedAtMs: clock.now(), reason: String(error) });
}

/** Index in the live part, -1 where it is not there: nothing reaches back over a boundary (M6). */
export function liveIndexOf(messages: readonly Message[], uuid: string): number {
  const index = messages.findLastIndex((message) => message.uuid === uuid);
  return index > lastBoundaryIndex(messages) ? index : -1;
}
