import { sum } from "../counting.ts";
import type { Digest } from "../digest.ts";
import { cacheHit, layerNames } from "../digest.ts";
import { count, dollars, duration, list, percent, times, tokensShort } from "../figures-of-speech.ts";
import type { Html } from "../html.ts";
import { html } from "../html.ts";
import type { RunInput } from "../input.ts";
import { outcomeWord, tile } from "../outcome.ts";
import { words } from "./names.ts";

/** The verdict and the run in three sentences, then its figures: what a reader needs in ten seconds. */
export function verdictOf(run: RunInput, digest: Digest): Html {
  return html`<div class="verdict${run.verdict !== "passed" && " bad"}" role="status">
<div class="word">${outcomeWord(run.verdict)}${run.failures.length > 0 ? `: ${count(run.failures.length, "thing")} not as expected` : ""}</div>
<p>${run.why}</p>
</div>
<p class="summary">${summary(run, digest)}</p>
<dl class="tiles">${tiles(run, digest)}</dl>`;
}

function summary({ record }: RunInput, digest: Digest): string {
  const acted = layerNames
    .filter((name) => digest.layers[name] > 0)
    .map((name) => `${digest.layers[name]}\u00a0×\u00a0${name}`);
  const faults = [...digest.faults].map(([kind, times]) => `${times}\u00a0×\u00a0${words(kind)}`);
  return [
    `The agent worked for ${count(digest.rounds, "round")} in ${count(digest.turns, "turn")}, ${duration(digest.virtualMs)} of virtual time, on ${record.header.model}.`,
    acted.length === 0
      ? "No layer of compaction had to act."
      : `The context was cut back ${times(sum(layerNames, (name) => digest.layers[name]))} (${list(acted)}).`,
    faults.length === 0 ? "No fault was injected." : `Injected faults: ${list(faults)}.`,
    ending(digest),
  ].join(" ");
}

function ending({ ended, violations }: Digest): string {
  const how = {
    completed: "The task was completed",
    stuck: "The agent got stuck",
    failed: "The session failed",
  } as const;
  const wrong =
    violations === 0
      ? "nothing that mattered was forgotten"
      : `it went wrong ${times(violations)} for something forgotten`;
  return ended === null ? `The record does not say how it ended; ${wrong}.` : `${how[ended.how]}; ${wrong}.`;
}

function tiles({ record: { header } }: RunInput, digest: Digest): Html[] {
  const { window } = header.lines;
  const hit = cacheHit(digest.billed);
  const acted = sum(layerNames, (name) => digest.layers[name]);
  const forgotten = [
    digest.refetches > 0 && count(digest.refetches, "read again", "read again"),
    digest.duplicateSteps > 0 && count(digest.duplicateSteps, "step redone", "steps redone"),
    digest.lostGoals > 0 && count(digest.lostGoals, "lost goal"),
    digest.staleValues > 0 && count(digest.staleValues, "stale value"),
  ].filter((part) => part !== false);
  return [
    tile(
      "Largest context",
      `${percent(digest.peakTokens / window)}`,
      `${tokensShort(digest.peakTokens)} of ${tokensShort(window)} tokens`,
    ),
    tile("Cut back", `${acted} ×`, `${tokensShort(digest.tokensFreed)} tokens freed`),
    tile(
      "Forgotten and needed",
      `${digest.violations}`,
      forgotten.length === 0 ? "nothing read again or redone" : forgotten.join(", "),
    ),
    tile("Cost", dollars(digest.billed.dollars), `${count(digest.requests, "request")}`),
    tile("From prompt cache", hit === null ? "none" : percent(hit), "of all input tokens"),
    tile(
      "Failed requests",
      `${digest.failedRequests}`,
      `${count(digest.retries, "retry", "retries")}, breaker opened ${digest.breakerTrips} ×`,
    ),
  ];
}
