import type { Stretch, TimeLane } from "../charts/time-line.ts";
import { timeLine } from "../charts/time-line.ts";
import { groupBy, sum } from "../counting.ts";
import type { Digest } from "../digest.ts";
import type { RunEvent, RunRecord } from "../events.ts";
import { figure } from "../figure.ts";
import { duration } from "../figures-of-speech.ts";
import type { Section } from "../page.ts";

const lanes = [
  { name: "User away", color: "var(--c-idle)" },
  { name: "Model answers", color: "var(--c-assistant)" },
  { name: "Tools run", color: "var(--c-results)" },
  { name: "Compaction", color: "var(--c-summaries)" },
  { name: "Wait to retry", color: "var(--c-alarm)" },
] as const satisfies readonly TimeLane[];

interface Span {
  readonly lane: (typeof lanes)[number]["name"];
  readonly from: number;
  readonly ms: number;
  readonly turn: number;
  readonly round: number;
}

/** Where the virtual time went. */
export async function timeSection({ events }: RunRecord, digest: Digest): Promise<Section> {
  const start = events[0]?.at ?? 0;
  const unit = digest.virtualMs > 3 * 3_600_000 ? { name: "hours", ms: 3_600_000 } : { name: "minutes", ms: 60_000 };
  const spans = events.flatMap(spanOf).map((span) => ({ ...span, from: Math.max(0, span.from - start) }));
  const byLane = groupBy(spans, (span) => span.lane);
  const used = lanes.filter((lane) => byLane.has(lane.name));
  const stretches = used.flatMap((lane) => joined(byLane.get(lane.name) ?? [], digest.virtualMs / 1_000, unit.ms));
  const totals = used.map((lane) => [lane.name, sum(byLane.get(lane.name) ?? [], (span) => span.ms)] as const);
  const waiting = digest.compactingMs === 0 ? "none" : duration(digest.compactingMs);
  return {
    id: "time",
    heading: "Time",
    lead: "",
    body: [
      await figure({
        id: "time-line",
        conclusion: `${duration(digest.virtualMs)} of virtual time; ${waiting} of it went into compaction.`,
        reading:
          "Each bar is a stretch of time; what lies closer than a thousandth of the whole is drawn as one. Virtual time costs no real time.",
        spec: timeLine(used, stretches, { length: Math.max(digest.virtualMs, 1) / unit.ms, unit: unit.name }),
        table: {
          caption: "Virtual time by what it went into",
          columns: [{ name: "What" }, { name: "Time", numeric: true }, { name: "How often", numeric: true }],
          rows: totals.map(([name, ms]) => [name, duration(ms), byLane.get(name)?.length ?? 0]),
        },
      }),
    ],
  };
}

function spanOf(event: RunEvent): Span[] {
  const { at, turn, round } = event;
  const ended = (lane: Span["lane"], ms: number): Span[] => [{ lane, from: at - ms, ms, turn, round }];
  const begins = (lane: Span["lane"], ms: number): Span[] => [{ lane, from: at, ms, turn, round }];
  switch (event.kind) {
    case "user_waited":
      return begins("User away", event.ms);
    case "response_received":
      return event.querySource === "main" ? ended("Model answers", event.durationMs) : [];
    case "tool_finished":
      return ended("Tools run", event.durationMs);
    case "compact_succeeded":
    case "compact_failed":
      return ended("Compaction", event.durationMs);
    case "request_failed":
      return event.retryInMs === null ? [] : begins("Wait to retry", event.retryInMs);
    default:
      return [];
  }
}

/** Bars of one lane; those with less than `gapMs` between them become one. */
function joined(spans: readonly Span[], gapMs: number, unitMs: number): Stretch[] {
  const sorted = [...spans].sort((a, b) => a.from - b.from);
  const runs: { span: Span; to: number; ms: number }[] = [];
  for (const span of sorted) {
    const open = runs.at(-1);
    if (open !== undefined && span.from - open.to < gapMs) {
      open.to = Math.max(open.to, span.from + span.ms);
      open.ms += span.ms;
    } else runs.push({ span, to: span.from + span.ms, ms: span.ms });
  }
  return runs.map(({ span, to, ms }) => ({
    lane: span.lane,
    from: round(span.from / unitMs),
    to: round(to / unitMs),
    turn: span.turn,
    round: span.round,
    took: duration(ms),
  }));
}

/** To a ten-thousandth: finer than a pixel of the chart. */
function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
