import type { ToolPort } from "../agent/index.ts";
import type { Clock, Rng } from "../determinism/index.ts";
import type { Place } from "./place.ts";
import type { PlayedSession } from "./played-session.ts";
import type { Recorder } from "./recorder.ts";
import type { ToolFault } from "./tool-faults.ts";
import { createToolFaults } from "./tool-faults.ts";
import type { ReadFiles } from "./world-ports.ts";

/** The world's tools on the run's clock, with the scenario's faults laid over them. */
export function createTools(
  played: PlayedSession,
  faults: readonly ToolFault[],
  rng: Rng,
  clock: Clock,
  recorder: Recorder,
  readFiles: ReadFiles,
  place: () => Place,
): ToolPort {
  const strike = createToolFaults(faults, rng);
  return {
    run: async (call, signal) => {
      const outcome = played.runTool(call, clock.now());
      const { fault, answer } = strike(call, outcome);
      if (fault !== null) recorder.add({ kind: "fault_injected", ...place(), fault: fault.id, faultKind: fault.kind });
      await clock.sleep(answer.latencyMs, signal);
      if (outcome.path !== undefined && !answer.isError) readFiles.touched(outcome.path, clock.now());
      return { content: answer.content, isError: answer.isError };
    },
  };
}
