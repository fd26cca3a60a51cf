import type { Invariant } from "./invariant.ts";

/** Each message is raw or covered, and raw at most once (ST6): nothing silently lost, nothing twice. */
export const rawOrCovered: Invariant = {
  name: "raw-or-covered",
  says: "each message of the log is in the projection once, or an edit took it out",
  watch: (report) => {
    const covered = new Set<string>();
    const settled = new Set<string>();
    return {
      edited: ({ before, after }) => {
        const left = new Set(after.map((message) => message.uuid));
        for (const message of before) if (!left.has(message.uuid)) covered.add(message.uuid);
      },
      requestBuilt: ({ projection, log }) => {
        const raw = new Set<string>();
        for (const message of projection) {
          if (raw.has(message.uuid)) report(`message ${message.uuid} is in the request twice`);
          raw.add(message.uuid);
        }
        for (const message of log) {
          if (raw.has(message.uuid) || covered.has(message.uuid) || settled.has(message.uuid)) continue;
          settled.add(message.uuid);
          report(`message ${message.uuid} (${message.kind}) is neither in the request nor covered`);
        }
      },
    };
  },
};
