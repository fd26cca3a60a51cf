import { createRng } from "../determinism/index.ts";
import { createWorkload } from "../workload/index.ts";
import type { RunOptions } from "./play-session.ts";
import { playSession } from "./play-session.ts";
import type { RunRecord } from "./record.ts";
import type { RunSpec } from "./run-spec.ts";

/** Generates the session that the spec names and plays it: equal specs give equal records (D1). Throws as `playSession` does. */
export async function runSession(spec: RunSpec, options: RunOptions = {}): Promise<RunRecord> {
  const { profile, rounds, summariser, noteTaker } = spec.session;
  const rng = createRng(spec.seed).fork("run", "workload");
  const workload = createWorkload({ profile, rounds, rng, summariser, noteTaker });
  return playSession({ ...spec, profile, rounds }, workload, options);
}
