import type { Message } from "../../transcript/index.ts";
import type { Invariant } from "./invariant.ts";

/** Compaction never starts itself (AC5). */
export const noSelfCompaction: Invariant = {
  name: "no-self-compaction",
  says: "an agent that compacts or takes notes never compacts itself",
  watch: (report) => ({
    event: (event) => {
      if (event.kind === "compact_started" && event.querySource !== "main")
        report(`started for source ${event.querySource}`);
    },
  }),
};

/** One compaction at a time: the fallback from notes to a summary is the same one going on. */
export const oneCompaction: Invariant = {
  name: "one-compaction",
  says: "a compaction starts only when none is running",
  watch: (report) => {
    let running: string | null = null;
    return {
      event: (event) => {
        if (event.kind === "compact_started") {
          if (running === event.layer) report(`${event.layer} (${event.trigger}) started while one was running`);
          running = event.layer;
        }
        if (event.kind === "compact_succeeded" || event.kind === "compact_failed" || event.kind === "compact_aborted")
          running = null;
      },
    };
  },
};

/** A failed or aborted compaction leaves everything as it was (FC11, FC12). */
export const failedUntouched: Invariant = {
  name: "failed-untouched",
  says: "a compaction that failed or was aborted changed no message",
  watch: (report, session) => {
    let before: readonly Message[] | null = null;
    return {
      event: (event) => {
        if (event.kind === "compact_started") before = session.projection();
        if ((event.kind === "compact_failed" || event.kind === "compact_aborted") && before !== null) {
          const now = session.projection();
          const same = before.every((message, i) => now[i] === message);
          if (!same) report(`the transcript changed though the compaction ended as ${event.kind}`);
          before = null;
        }
        if (event.kind === "compact_succeeded") before = null;
      },
    };
  },
};
