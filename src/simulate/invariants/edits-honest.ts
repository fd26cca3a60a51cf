import { roughTokenSum } from "../../tokens/index.ts";
import type { Invariant } from "./invariant.ts";

/** The cached path deletes on the server only (MC3). */
export const cachedPathLocal: Invariant = {
  name: "cached-path-local",
  says: "an answer that only edits the server's cache leaves the local messages untouched",
  watch: (report) => ({
    edited: ({ answer, before, after }) => {
      if (answer.edits.length === 0 || answer.edits.some((edit) => edit.kind !== "cache-edit")) return;
      if (before.length !== after.length || before.some((message, i) => after[i] !== message)) {
        report("local messages changed with a cache edit");
      }
    },
  }),
};

/** What a clearing says it freed is what the same estimator finds (MC5, O4). */
export const freedHonest: Invariant = {
  name: "freed-honest",
  says: "the tokens that a time-based clearing says it freed are the difference of the estimates before and after",
  watch: (report) => {
    let claimed: number | null = null;
    return {
      event: (event) => {
        if (event.kind === "microcompact" && event.path === "time") claimed = event.tokensFreed;
      },
      edited: ({ answer, before, after }) => {
        if (claimed === null || answer.edits.length === 0 || answer.edits.some((edit) => edit.kind !== "clear")) {
          claimed = null;
          return;
        }
        const freed = roughTokenSum(before) - roughTokenSum(after);
        if (Math.abs(freed - claimed) >= 1) report(`claimed ${claimed} tokens, the estimates differ by ${freed}`);
        claimed = null;
      },
    };
  },
};
