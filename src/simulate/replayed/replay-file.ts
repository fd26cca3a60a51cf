import { createRng } from "../../determinism/index.ts";
import type { ReadTranscript } from "../../replay/index.ts";
import type { PlaySpec, RunOptions } from "../play-session.ts";
import { playSession } from "../play-session.ts";
import type { RunRecord } from "../record.ts";
import { playFile } from "./played-file.ts";
import { recordedTurns } from "./recorded-turns.ts";

/** A recorded session played through a strategy, and what it would have been without any. */
export interface Replay {
  readonly record: RunRecord;
  /** The same session with the strategy `none` and no limit of the window: what not compacting would have cost. */
  readonly without: RunRecord;
  /** Rounds (from 1) before which the file's own compactions stand. */
  readonly compactedInFile: readonly number[];
}

/** Plays a transcript round by round as if each request were about to be sent (L1). Throws as `playSession` does. */
export async function replayFile(
  transcript: ReadTranscript,
  spec: Omit<PlaySpec, "profile" | "rounds">,
  options: RunOptions = {},
): Promise<Replay> {
  const turns = recordedTurns(transcript.messages);
  const rounds = turns.flatMap((turn) => turn.rounds);
  const play = (strategy: PlaySpec["strategy"], model: PlaySpec["model"]): Promise<RunRecord> =>
    playSession(
      { ...spec, profile: "recorded", rounds: rounds.length, strategy, model },
      playFile(turns, createRng(spec.seed).fork("recorded")),
      options,
    );
  return {
    record: await play(spec.strategy, spec.model),
    without: await play(
      { name: "none", config: {}, env: {} },
      { ...spec.model, window: "unlimited", trueWindow: null },
    ),
    compactedInFile: rounds.flatMap((round, i) => (round.afterCompaction ? [i + 1] : [])),
  };
}
