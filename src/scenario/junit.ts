import { eventLine, placeText } from "./event-line.ts";
import type { Failure } from "./judge.ts";
import type { RunResult, SuiteResult } from "./suite.ts";

/** The suite as JUnit XML, which every CI system reads: one test case for each run, one for each rare branch that the suite must hit. */
export function junitXml(result: SuiteResult): string {
  const rare = result.whole ? result.sometimes : [];
  const crashed = result.runs.filter((run) => run.verdict.kind === "crashed").length;
  const failed = result.runs.filter((run) => run.verdict.kind !== "passed").length - crashed;
  const missed = rare.filter((branch) => branch.hits === 0);
  const cases = [
    ...result.runs.map(runCase),
    ...rare.map((branch) =>
      testCase("sometimes", branch.text, 0, branch.hits > 0 ? "" : `<failure message="never hit in the suite"/>`),
    ),
  ];
  const counts = `tests="${cases.length}" failures="${failed + missed.length}" errors="${crashed}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="longhaul" ${counts}>\n<testsuite name="longhaul" ${counts}>\n${cases.join("\n")}\n</testsuite>\n</testsuites>\n`;
}

function runCase(run: RunResult): string {
  const tag = run.verdict.kind === "crashed" ? "error" : "failure";
  const failures = run.verdict.failures.map(
    (failure) =>
      `<${tag} type="${run.verdict.kind}" message="${xml(failure.what)}">${xml(failureText(failure))}</${tag}>`,
  );
  return testCase(run.scenario, `seed ${run.seed}`, run.summary?.virtualSeconds ?? 0, failures.join("\n"));
}

/** `time` is virtual seconds: what the session would have taken. */
function testCase(className: string, name: string, time: number, inner: string): string {
  const head = `<testcase classname="${xml(className)}" name="${xml(name)}" time="${time.toFixed(3)}"`;
  return inner === "" ? `${head}/>` : `${head}>\n${inner}\n</testcase>`;
}

function failureText(failure: Failure): string {
  return [
    `${failure.what} ${placeText(failure)}`.trimEnd(),
    `expected: ${failure.expected}`,
    `got: ${failure.got}`,
    ...failure.before.map((event) => `before: ${eventLine(event)}`),
    `replay: ${failure.replay}`,
  ].join("\n");
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escaped, and without the characters that XML 1.0 cannot hold at all. */
function xml(text: string): string {
  return text
    .replace(/[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replace(/[&<>"]/g, (c) => entities[c] ?? c);
}
