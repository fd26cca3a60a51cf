import type { FailureInput, MetricMeaning, Outcome, RunInput } from "../report/index.ts";
import { renderRunPage, renderSuitePage } from "../report/index.ts";
import type { Failure, RunResult, SuiteResult } from "../scenario/index.ts";
import { placeText } from "../scenario/index.ts";
import type { RunRecord } from "../simulate/index.ts";
import { longhaulVersion, metricDefinitions } from "../simulate/index.ts";
import { thisEnvironment } from "./environment.ts";
import { reportFiles } from "./report-files.ts";
import { writeFileWhole } from "./write-file.ts";

type RecordAt = (path: string) => Promise<RunRecord>;

/** Writes the page of one run into the folder of reports; it leads back to the suite's page unless the run was alone. */
export async function writeRunPage(run: RunResult, out: string, alone: boolean, recordAt: RecordAt): Promise<void> {
  const files = reportFiles(out);
  const page = await renderRunPage({
    run: await runInput(run, out, recordAt),
    environment: thisEnvironment(),
    ...(alone ? {} : { suiteHref: "index.html" }),
    metricMeanings: meanings,
  });
  writeFileWhole(files.page(run), page);
}

/** Writes the page of a suite into the folder of reports. */
export async function writeSuitePage(suite: SuiteResult, out: string, recordAt: RecordAt): Promise<void> {
  const runs: RunInput[] = [];
  for (const run of suite.runs) runs.push(await runInput(run, out, recordAt));
  const page = await renderSuitePage({
    title: "longhaul: scenario suite",
    runs,
    sometimes: suite.sometimes.map(({ text, hits }) => ({ name: text, hits })),
    environment: thisEnvironment(),
  });
  writeFileWhole(reportFiles(out).index, page);
}

async function runInput(run: RunResult, out: string, recordAt: RecordAt): Promise<RunInput> {
  const files = reportFiles(out);
  return {
    scenario: run.scenario,
    seed: String(run.seed),
    why: run.why,
    verdict: outcomeOf(run),
    failures: run.verdict.failures.map(failureInput),
    record: run.summary === null ? emptyRecord(run) : await recordAt(files.record(run)),
    href: files.href(run),
  };
}

/** What a run leaves that crashed: nothing but its name. */
function emptyRecord({ scenario, seed }: RunResult): RunRecord {
  const lines = { window: 0, effectiveWindow: 0, warning: 0, autoCompact: 0, blocking: 0 };
  const told = { profile: "", rounds: 0, model: "", strategy: "", transport: "", config: null, lines };
  return {
    header: { kind: "header", schema: 1, longhaul: longhaulVersion, scenario, seed: String(seed), ...told },
    events: [],
    footer: { kind: "footer", events: 0, hash: "", metrics: [], broken: [] },
  };
}

function outcomeOf({ verdict }: RunResult): Outcome {
  switch (verdict.kind) {
    case "passed":
    case "crashed":
    case "not-deterministic":
      return verdict.kind;
    case "invariant-broken":
    case "expectation-not-met":
      return "failed";
  }
}

function failureInput(failure: Failure): FailureInput {
  const { what, expected, got, replay } = failure;
  return { what, where: placeText(failure), expected, got, replay };
}

const meanings: readonly MetricMeaning[] = [...metricDefinitions.values()].map(({ name, unit, formula }) => ({
  name,
  unit,
  formula,
}));
