import { groupBy, sum } from "../counting.ts";
import { addBills, cacheHit, layerNames } from "../digest.ts";
import { count, dollars, duration, list, percent, tokensShort } from "../figures-of-speech.ts";
import type { Html } from "../html.ts";
import { html } from "../html.ts";
import type { SuiteInput } from "../input.ts";
import { tile } from "../outcome.ts";
import type { JudgedRun } from "./judged-run.ts";

/** The verdict on the suite, what it drove, and its figures. */
export function suiteVerdict(input: SuiteInput, runs: readonly JudgedRun[]): Html {
  const crashed = input.crashed ?? [];
  const failed = [...crashed, ...runs.filter((run) => run.outcome !== "passed")];
  const missed = input.sometimes.filter((branch) => branch.hits === 0);
  const survivors = (input.mutants ?? []).filter((mutant) => mutant.caughtBy.length === 0);
  const passed = runs.filter((run) => run.outcome === "passed").length;
  const good = runs.length > 0 && failed.length === 0 && missed.length === 0 && survivors.length === 0;
  const names = [...groupBy(failed, (run) => run.scenario).keys()];
  const also = [
    missed.length > 0 && `${count(missed.length, "rare branch", "rare branches")} never taken`,
    survivors.length > 0 && `${count(survivors.length, "mutant")} not caught`,
  ].filter((part) => part !== false);
  return html`<div class="verdict${!good && " bad"}" role="status">
<div class="word">${good ? "✓" : "✗"} ${passed} passed, ${failed.length} failed${also.length > 0 && `; ${list(also)}`}</div>
<p>${runs.length === 0 ? "No run was made, so nothing is proved." : names.length === 0 ? "Every expectation was met and every invariant held, in every run." : `Failed: ${names.length > 6 ? `${names.slice(0, 6).join(", ")} and ${names.length - 6} more` : list(names)}.`}</p>
</div>
<p class="summary">${summary(runs)}</p>
<dl class="tiles">${tiles(input, runs)}</dl>`;
}

function summary(runs: readonly JudgedRun[]): string {
  const total = (value: (run: JudgedRun) => number): number => sum(runs, value);
  const acted = layerNames
    .map((name) => [name, total((run) => run.figures.layers[name])] as const)
    .filter(([, times]) => times > 0)
    .map(([name, times]) => `${times}\u00a0×\u00a0${name}`);
  const faults = total((run) => sum([...run.figures.faults.values()], (times) => times));
  return `${count(groupBy(runs, (run) => run.scenario).size, "scenario")} drove an agent through ${count(
    total((run) => run.figures.rounds),
    "round",
  )} and ${duration(total((run) => run.figures.virtualMs))} of virtual time. ${acted.length === 0 ? "Compaction never acted" : `Compaction acted: ${list(acted)}`}; ${count(faults, "fault")} ${faults === 1 ? "was" : "were"} injected.`;
}

function tiles(input: SuiteInput, runs: readonly JudgedRun[]): Html[] {
  const bill = addBills(runs.map((run) => run.figures.billed));
  const hit = cacheHit(bill);
  const taken = input.sometimes.filter((branch) => branch.hits > 0).length;
  const kinds = new Set(runs.flatMap((run) => [...run.figures.faults.keys()]));
  const violations = sum(runs, (run) => run.figures.violations);
  const broken = runs.filter((run) => run.figures.broken.length > 0).length;
  const expected = runs.filter((run) => run.figures.broken.length > 0 && run.outcome === "passed").length;
  return [
    tile(
      "Runs passed",
      `${runs.filter((run) => run.outcome === "passed").length} of ${runs.length + (input.crashed ?? []).length}`,
      count(groupBy(runs, (run) => run.scenario).size, "scenario"),
    ),
    tile(
      "Broke an invariant",
      `${broken}`,
      broken === 0
        ? "all held in every run"
        : expected === broken
          ? "meant to, to prove that it shows"
          : `${broken - expected} unexpectedly`,
    ),
    tile("Rare branches taken", `${taken} of ${input.sometimes.length}`, `${count(kinds.size, "kind")} of faults`),
    tile(
      "Forgot and went wrong",
      `${violations}`,
      `in ${count(runs.filter((run) => run.figures.violations > 0).length, "run")}`,
    ),
    tile(
      "Cost",
      dollars(bill.dollars),
      `${tokensShort(bill.read + bill.write + bill.uncached)} tokens in, ${tokensShort(bill.output)} out`,
    ),
    tile("From prompt cache", hit === null ? "none" : percent(hit), "of all input tokens"),
  ];
}
