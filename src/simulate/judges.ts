import type { AgentObserver } from "../agent/index.ts";
import { invariants } from "./invariants/all.ts";
import type { WatchedSession } from "./invariants/invariant.ts";
import type { Place } from "./place.ts";
import type { Recorder } from "./recorder.ts";

/** Puts every invariant on the watch; a break becomes an event of the record. */
export function watchInvariants(recorder: Recorder, session: WatchedSession, place: () => Place): AgentObserver {
  const watchers = invariants.map((invariant) =>
    invariant.watch(
      (detail) => recorder.add({ kind: "invariant_broken", ...place(), invariant: invariant.name, detail }),
      session,
    ),
  );
  recorder.onEvent((event) => {
    for (const watcher of watchers) watcher.event?.(event);
  });
  return {
    requestBuilt: (sent) => {
      for (const watcher of watchers) watcher.requestBuilt?.(sent);
    },
    edited: (change) => {
      for (const watcher of watchers) watcher.edited?.(change);
    },
  };
}
