import type { AgentObserver } from "../agent/index.ts";
import type { Place } from "./place.ts";
import type { PlayedSession } from "./played-session.ts";
import type { Recorder } from "./recorder.ts";
import { textsOf } from "./texts-of.ts";

/** Tells the record what the world knows and the agent does not: facts born, and after each compaction which of them are still in sight (O2). */
export function watchWorld(played: PlayedSession, recorder: Recorder, place: () => Place): AgentObserver {
  const tellBirths = (): void => {
    for (const fact of played.drainBirths()) {
      recorder.add({ kind: "fact_born", ...place(), fact: fact.id, factKind: fact.kind, fetchable: fact.fetchable });
    }
  };
  return {
    requestBuilt: tellBirths,
    edited: ({ before, after }) => {
      const old = new Set(before);
      if (!after.some((message) => message.kind === "boundary" && !old.has(message))) return;
      tellBirths();
      const { byKind, lost } = played.census(textsOf(after));
      recorder.add({ kind: "fact_census", ...place(), byKind, lost });
    },
  };
}
