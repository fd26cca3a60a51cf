import type { Digest } from "../digest.ts";
import { digestRecord } from "../digest.ts";
import { slug } from "../html.ts";
import type { FailureInput, Outcome, RunInput, SuiteInput } from "../input.ts";

/** A run as the suite's sections read it. */
export interface JudgedRun {
  readonly scenario: string;
  readonly seed: string;
  readonly why: string;
  readonly outcome: Outcome;
  readonly failures: readonly FailureInput[];
  readonly href: string;
  readonly header: RunInput["record"]["header"];
  readonly figures: Digest;
  /** The anchor of its row. */
  readonly id: string;
}

/** The runs, failed ones first, otherwise in the order given. */
export function judgedRuns({ runs }: SuiteInput): JudgedRun[] {
  const judged = runs.map((run): JudgedRun => {
    const { header, figures } = "record" in run ? digestRecord(run.record) : run.digested;
    const { scenario, seed, why, verdict, failures, href } = run;
    return {
      scenario,
      seed,
      why,
      outcome: verdict,
      failures,
      href,
      header,
      figures,
      id: `run-${slug(`${scenario}-${seed}`)}`,
    };
  });
  return [...judged.filter((run) => run.outcome !== "passed"), ...judged.filter((run) => run.outcome === "passed")];
}
