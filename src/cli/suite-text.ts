import type { Failure, RunResult, SuiteResult } from "../scenario/index.ts";
import { eventLine, placeText } from "../scenario/index.ts";
import { dollarsText, tokensShort } from "./figures.ts";
import { ink } from "./ink.ts";
import type { Column } from "./text-table.ts";
import { left, right, textTable } from "./text-table.ts";

const columns: readonly Column[] = [
  left("scenario"),
  right("seed"),
  left("verdict"),
  right("rounds"),
  right("micro"),
  right("auto"),
  right("memory"),
  right("full"),
  right("retries"),
  right("faults"),
  right("tokens"),
  right("dollars"),
];
const verdictColumn = 2;

/** The suite for a person at a terminal: every run, then what failed and how to see it again, then the count. */
export function suiteText(suite: SuiteResult): string {
  const failed = suite.runs.filter((run) => run.verdict.kind !== "passed");
  const table = textTable(columns, suite.runs.map(cells), (padded, row, column) => {
    if (row === -1) return ink.strong(padded);
    if (column !== verdictColumn) return padded;
    return suite.runs[row]?.verdict.kind === "passed" ? ink.good(padded) : ink.bad(padded);
  });
  const failures = failed.flatMap((run) => run.verdict.failures.map((failure) => failureText(run, failure)));
  const rare = suite.whole ? suite.sometimes.filter((branch) => branch.hits === 0) : [];
  const missed = rare.map(
    ({ text, scenarios }) =>
      `${ink.bad("NEVER HIT")} ${text}\n  wanted by ${scenarios.join(", ")}; no run of the suite took this branch`,
  );
  return [table.join("\n"), ...failures, ...missed, closing(suite, failed.length, missed.length)].join("\n\n");
}

function closing(suite: SuiteResult, failed: number, missed: number): string {
  const parts = [`${suite.runs.length - failed} passed`, `${failed} failed`];
  if (missed > 0) parts.push(`${missed} rare branches never hit`);
  if (suite.unfinished > 0) parts.push(`${suite.unfinished} not run`);
  return (failed + missed > 0 ? ink.bad : ink.good)(parts.join(", "));
}

function cells({ scenario, seed, verdict, summary }: RunResult): string[] {
  const head = [scenario, String(seed), verdict.kind === "passed" ? "passed" : verdict.kind.replaceAll("-", " ")];
  if (summary === null) return head;
  const { micro, auto, sessionMemory, full, retries } = summary.layers;
  const counts = [summary.rounds, micro, auto, sessionMemory, full, retries, summary.faults].map(String);
  return [...head, ...counts, tokensShort(summary.tokens), dollarsText(summary.dollars)];
}

export function failureText(run: RunResult, failure: Failure): string {
  return [
    `${ink.bad("FAILED")} ${ink.strong(`${run.scenario}, seed ${run.seed}`)}: ${failure.what}`,
    `  expected  ${failure.expected}`,
    `  got       ${failure.got}`,
    ...(placeText(failure) === "" ? [] : [`  where     ${placeText(failure)}`]),
    ...failure.before.map((event) => `  ${ink.quiet(`event     ${eventLine(event)}`)}`),
    `  replay:   ${failure.replay}`,
  ].join("\n");
}
