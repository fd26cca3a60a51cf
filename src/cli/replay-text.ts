import type { ReadTranscript } from "../replay/index.ts";
import type { RunResult } from "../scenario/index.ts";
import { summarise } from "../scenario/index.ts";
import type { Replay, RunRecord } from "../simulate/index.ts";
import { dollarsText, tokensShort } from "./figures.ts";
import { ink } from "./ink.ts";
import { failureText } from "./suite-text.ts";
import { left, right, textTable } from "./text-table.ts";

/** One replayed file: what was in it, what it came to. */
export interface Replayed {
  readonly path: string;
  readonly transcript: ReadTranscript;
  readonly run: RunResult;
  readonly replay: Replay;
}

/** A replayed session for a person: what the file is, what each layer did, what it cost with and without. */
export function replayText({ path, transcript, run, replay }: Replayed, page: string): string {
  const kind = transcript.format === "claude-code" ? "Claude Code session" : "Anthropic messages";
  const odd = Object.entries(transcript.irregularities).filter(([, count]) => count > 0);
  return [
    `${ink.strong(path)}: ${kind}, ${transcript.messages.length} messages`,
    odd.length === 0
      ? "nothing irregular in it"
      : `irregular: ${odd.map(([name, count]) => `${name} ${count}`).join(", ")}`,
    "",
    ...figures(replay.record, replay.without),
    "",
    `cleared before rounds    ${roundsOf(replay.record, "microcompact")}`,
    `compacted before rounds  ${roundsOf(replay.record, "compact_succeeded")}`,
    `the file's own           ${listed(replay.compactedInFile)}`,
    ...run.verdict.failures.map((failure) => `\n${failureText(run, failure)}`),
    "",
    run.verdict.kind === "passed" ? ink.good("all invariants held") : ink.bad(run.verdict.kind.replaceAll("-", " ")),
    `run hash: ${replay.record.footer.hash}`,
    `report:   ${page}`,
  ].join("\n");
}

function figures(record: RunRecord, other: RunRecord): string[] {
  const [a, b] = [summarise(record), summarise(other)];
  const row = (name: string, value: (summary: typeof a) => string): string[] => [name, value(a), value(b)];
  return textTable(
    [left(""), right(`with ${record.header.strategy}`), right("without")],
    [
      row("rounds", ({ rounds }) => String(rounds)),
      row("requests", ({ requests }) => String(requests)),
      row("cleared by rule", ({ layers }) => String(layers.micro)),
      row("compactions from notes", ({ layers }) => String(layers.sessionMemory)),
      row("full compactions", ({ layers }) => String(layers.full)),
      row("peak context, tokens", ({ peakContext }) => tokensShort(peakContext)),
      row("tokens", ({ tokens }) => tokensShort(tokens)),
      row("cache hit", ({ cacheHitRate }) => `${(cacheHitRate * 100).toFixed(1)} %`),
      row("dollars", ({ dollars }) => dollarsText(dollars)),
    ],
  );
}

function roundsOf({ events }: RunRecord, kind: "microcompact" | "compact_succeeded"): string {
  return listed(events.filter((event) => event.kind === kind).map((event) => event.round));
}

function listed(rounds: readonly number[]): string {
  return rounds.length === 0 ? "none" : rounds.join(", ");
}
