import type { Difference } from "./compare-records.ts";
import { eventLine } from "./event-line.ts";
import type { Verdict } from "./judge.ts";
import type { Scenario } from "./load.ts";
import { replayCommand } from "./replay-command.ts";

/** The verdict of a run whose second playing was another: it takes the place of what the first was judged to be, and keeps its failures (D1). */
export function notDeterministic(scenario: Scenario, seed: number, verdict: Verdict, difference: Difference): Verdict {
  const { index, first, second, fields } = difference;
  const failure = {
    what: `event ${index} differs between two runs${fields.length === 0 ? "" : ` in ${fields.join(", ")}`}`,
    expected: first === null ? "the run has ended" : eventLine(first),
    got: second === null ? "the run has ended" : eventLine(second),
    turn: first?.turn ?? second?.turn ?? null,
    round: first?.round ?? second?.round ?? null,
    before: [],
    replay: `${replayCommand(scenario, seed)} --check-determinism`,
  };
  return { ...verdict, kind: "not-deterministic", failures: [failure, ...verdict.failures] };
}
