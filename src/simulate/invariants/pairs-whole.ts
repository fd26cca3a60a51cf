import type { Invariant } from "./invariant.ts";

/** No edit tears apart what belongs together (ST3). What an abort or a cut stream left open is the loop's to repair, and is no break. */
export const pairsWhole: Invariant = {
  name: "pairs-whole",
  says: "no edit splits a tool call from its result or the parts of one response",
  watch: (report) => ({
    event: (event) => {
      if (event.kind === "contract_broken") report(event.what);
    },
  }),
};
