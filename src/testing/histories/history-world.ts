import type { AskReply, AskRequest, CompactionFact, CompactorPorts, HooksPort } from "../../compaction/index.ts";
import type { Rng, VirtualClock } from "../../determinism/index.ts";
import { roughEstimator } from "../../tokens/index.ts";
import type { Message } from "../../transcript/index.ts";
import { words } from "./draw-messages.ts";
import type { Server } from "./history-server.ts";
import type { HistorySetup } from "./setup.ts";

/** The world of one history, and what was done to it. */
export interface HistoryWorld {
  readonly ports: CompactorPorts;
  /** Facts since `begin`. */
  facts(): readonly CompactionFact[];
  /** What a commit does, and nothing else may do: counts since the start. */
  readonly commits: { resets: number; forgets: number; afterAbort: boolean };
  /** Starts one operation: from here on facts are collected, and the `abortAt`th touch of the world aborts it. */
  begin(abort: AbortController | null, abortAt: number | null): void;
}

export function createHistoryWorld(
  rng: Rng,
  clock: VirtualClock,
  setup: HistorySetup,
  server: Server,
  takeSnippedTokens: () => number,
): HistoryWorld {
  const commits = { resets: 0, forgets: 0, afterAbort: false };
  let facts: CompactionFact[] = [];
  let ids = 0;
  let touches = 0;
  let abort: AbortController | null = null;
  let abortAt: number | null = null;
  let notes: string | null = null;
  let read: readonly { readonly path: string; readonly readAtMs: number }[] = Array.from({ length: 6 }, (_, i) => ({
    path: `/repo/f${i}.ts`,
    readAtMs: i,
  }));
  const isTrouble = (): boolean => rng.integer(1, 100) <= setup.troublePercent;
  const touch = (): void => {
    if (++touches === abortAt) abort?.abort();
  };

  async function foreign<T>(value: () => T): Promise<T> {
    touch();
    if (isTrouble()) {
      const trouble = rng.integer(0, 2);
      if (trouble === 0) throw new Error("foreign");
      await clock.sleep(trouble === 1 ? 40_000 : Number.POSITIVE_INFINITY);
    } else if (rng.chance(0.2)) await clock.sleep(rng.integer(1, 3_000));
    touch();
    return value();
  }

  const hooks: HooksPort = {
    preCompact: () => foreign(() => (rng.chance(0.5) ? null : "Keep the numbers.")),
    sessionStart: () => foreign(() => (rng.chance(0.5) ? "" : words(rng, 200))),
    postCompact: () => foreign(() => undefined),
  };
  const ports: CompactorPorts = {
    clock,
    estimator: roughEstimator,
    ids: { uuid: () => `made${ids++}` },
    emit: (fact) => {
      facts.push(fact);
    },
    ask: async (request: AskRequest): Promise<AskReply> => {
      touch();
      const reply = await server.answer(request);
      touch();
      return reply;
    },
    memoryFile: () => (rng.chance(0.1) ? "# Compact Instructions\nKeep names." : null),
    takeSnippedTokens,
    forgetCaches: () => {
      commits.forgets++;
      commits.afterAbort ||= abort?.signal.aborted === true;
    },
    ...(setup.ports.hooks ? { hooks } : {}),
    ...(setup.ports.count
      ? {
          count: async (messages: readonly Message[]) => {
            touch();
            await clock.sleep(rng.integer(1, 2_000));
            touch();
            return isTrouble() ? null : server.tokensOf(messages);
          },
        }
      : {}),
    ...(setup.ports.files
      ? {
          readFiles: {
            snapshot: () => read,
            read: () => foreign(() => (rng.chance(0.2) ? null : words(rng, rng.integer(10, 3_000)))),
            reset: (paths: readonly string[]) => {
              commits.resets++;
              read = paths.map((path) => ({ path, readAtMs: clock.now() }));
            },
          },
        }
      : {}),
    ...(setup.ports.announce
      ? {
          announce: {
            plan: () => (rng.chance(0.5) ? null : "1. parse\n2. print"),
            skills: () => (rng.chance(0.5) ? [] : [{ name: "review", text: words(rng, 1_500) }]),
            runningAgents: () => null,
            deferredTools: () => "Fetch",
            agents: () => null,
            mcpInstructions: () => "db: ask politely",
          },
        }
      : {}),
    ...(setup.ports.notes
      ? {
          notes: {
            path: "/notes.md",
            read: () => {
              if (rng.integer(1, 400) <= setup.troublePercent) throw new Error("notes cannot be read");
              return notes;
            },
            write: (text: string) => {
              if (rng.integer(1, 400) <= setup.troublePercent) throw new Error("disk full");
              notes = text;
            },
          },
        }
      : {}),
  };

  return {
    ports,
    commits,
    facts: () => facts,
    begin: (controller, at) => {
      facts = [];
      touches = 0;
      abort = controller;
      abortAt = at;
    },
  };
}
