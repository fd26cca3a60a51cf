import type { Message } from "../../transcript/index.ts";
import type { Invariant } from "./invariant.ts";

/** Each message is raw or covered, and raw at most once (ST6): nothing silently lost, nothing twice. */
export const rawOrCovered: Invariant = {
  name: "raw-or-covered",
  says: "each message of the log is in the projection once, or an edit took it out",
  watch: (report) => {
    const covered = new Set<string>();
    const settled = new Set<string>();
    let last: readonly Message[] = [];
    let raw = new Set<string>();
    let judged = 0;
    return {
      edited: ({ before, after }) => {
        const left = new Set(after.map((message) => message.uuid));
        for (const message of before) if (!left.has(message.uuid)) covered.add(message.uuid);
        judged = 0;
      },
      requestBuilt: ({ projection, log }) => {
        // Where it has only grown, what was judged before stands: a request costs what is new in it.
        const hasGrown = last.every((message, at) => projection[at] === message);
        if (!hasGrown) {
          raw = new Set();
          judged = 0;
        }
        for (const message of hasGrown ? projection.slice(last.length) : projection) {
          if (raw.has(message.uuid)) report(`message ${message.uuid} is in the request twice`);
          raw.add(message.uuid);
        }
        last = projection;
        for (; judged < log.length; judged++) {
          const message = log[judged] as Message;
          if (raw.has(message.uuid) || covered.has(message.uuid) || settled.has(message.uuid)) continue;
          settled.add(message.uuid);
          report(`message ${message.uuid} (${message.kind}) is neither in the request nor covered`);
        }
      },
    };
  },
};
