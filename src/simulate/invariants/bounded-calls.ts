import type { Invariant } from "./invariant.ts";

/** Requests in a turn that are allowed for each complete answer, and those on top: retries, summaries, notes and their own retries. */
const PER_ROUND = 4;
const PER_TURN = 80;

/** No turn costs without end (RC6). */
export const boundedCalls: Invariant = {
  name: "bounded-calls",
  says: `a turn makes at most ${PER_TURN} requests and ${PER_ROUND} for each complete answer`,
  watch: (report) => {
    let sent = 0;
    let answered = 0;
    let told = false;
    return {
      event: (event) => {
        if (event.kind === "turn_started") [sent, answered, told] = [0, 0, false];
        if (event.kind === "response_received") answered++;
        if (event.kind !== "request_sent") return;
        sent++;
        if (sent <= PER_TURN + PER_ROUND * answered || told) return;
        told = true;
        report(`${sent} requests for ${answered} answers in turn ${event.turn}`);
      },
    };
  },
};
