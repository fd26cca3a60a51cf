import { dirname, join } from "node:path";
import type { Scenario } from "../scenario/index.ts";
import type { RunOptions, RunRecord, Transport } from "../simulate/index.ts";

/** Plays a scenario at one seed, its session generated or read from the file that it names. Rooms are loaded when the first session needs them. */
export async function playScenario(
  scenario: Scenario,
  how: { readonly seed: number; readonly transport: Transport },
  options: RunOptions = {},
): Promise<RunRecord> {
  const [{ replayFile, runSession }, { toPlay }] = await Promise.all([
    import("../simulate/index.ts"),
    import("../scenario/index.ts"),
  ]);
  const session = toPlay(scenario, how);
  switch (session.kind) {
    case "generated":
      return runSession(session.spec, options);
    case "recorded": {
      const { readTranscriptFile } = await import("./read-transcript-file.ts");
      const transcript = await readTranscriptFile(join(dirname(scenario.file), session.transcript));
      return (await replayFile(transcript, session.spec, options)).record;
    }
  }
}
