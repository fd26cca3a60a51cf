import { eventLine, placeText } from "./event-line.ts";
import type { Failure } from "./judge.ts";
import type { RunResult, SuiteResult } from "./suite.ts";

/** The suite as Markdown for GitHub's step summary ($GITHUB_STEP_SUMMARY): the verdict, the failures, then all runs. */
export function githubSummary(result: SuiteResult): string {
  const failed = result.runs.filter((run) => run.verdict.kind !== "passed");
  const missed = missedBranches(result);
  const head = `## longhaul: ${result.runs.length - failed.length} passed, ${failed.length} failed\n`;
  const rows = result.runs.map(
    ({ scenario, seed, verdict, summary }) =>
      `| ${cell(scenario)} | ${seed} | ${verdict.kind} | ${summary === null ? "| | | | |" : figures(summary)} |`,
  );
  return [
    head,
    ...failed.flatMap((run) => run.verdict.failures.map((failure) => failureMarkdown(run, failure))),
    ...missed.map((text) => `- **never hit in the suite:** \`${text}\`\n`),
    "| scenario | seed | verdict | rounds | micro | memory | full | tokens | dollars |\n|---|---|---|--:|--:|--:|--:|--:|--:|",
    ...rows,
    "",
  ].join("\n");
}

/** Most annotations that GitHub shows of one step is ten; one is left for the tool that runs it (R8). */
const mostAnnotations = 9;

/** Workflow commands that GitHub shows beside the code: one for each failure, at most nine. */
export function githubAnnotations(result: SuiteResult): string[] {
  const failures = result.runs.flatMap((run) =>
    run.verdict.failures.map((failure) => ({
      title: `${run.scenario} seed ${run.seed}: ${failure.what}`,
      file: run.file,
      text: `got ${failure.got} ${placeText(failure)}\nreplay: ${failure.replay}`,
    })),
  );
  const rare = missedBranches(result).map((text) => ({ title: "never hit in the suite", file: "scenarios", text }));
  return [...failures, ...rare]
    .slice(0, mostAnnotations)
    .map(({ title, file, text }) => `::error file=${property(file)},title=${property(title)}::${message(text)}`);
}

function missedBranches({ whole, sometimes }: SuiteResult): string[] {
  return whole ? sometimes.filter((branch) => branch.hits === 0).map((branch) => branch.text) : [];
}

function figures({ rounds, layers, tokens, dollars }: NonNullable<RunResult["summary"]>): string {
  const { micro, sessionMemory, full } = layers;
  return [rounds, micro, sessionMemory, full, Math.round(tokens), dollars.toFixed(2)].join(" | ");
}

function failureMarkdown(run: RunResult, failure: Failure): string {
  return [
    `### ${run.scenario}, seed ${run.seed}: ${failure.what}`,
    `expected \`${failure.expected}\`, got \`${failure.got.replaceAll("`", "'")}\` ${placeText(failure)}`,
    "```",
    ...failure.before.map(eventLine),
    failure.replay,
    "```\n",
  ].join("\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

function message(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return message(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
