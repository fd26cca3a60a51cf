import { groupBy } from "../counting.ts";
import { eventsOf } from "../digest.ts";
import { clockTime, count, tokensShort } from "../figures-of-speech.ts";
import type { Html } from "../html.ts";
import { html } from "../html.ts";
import type { RunEvent, RunRecord } from "../input.ts";
import type { Section } from "../page.ts";
import { roundId, turnId } from "./anchors.ts";
import type { EventLine } from "./event-text.ts";
import { eventLine } from "./event-text.ts";

/** Lines past which routine ones are left out: about 1.5 MB. */
const mostLines = 9_000;

type Line = EventLine & { readonly event: RunEvent };

/** Everything that happened, turn by turn; a link `#turn-42` opens its turn. */
export function turnsSection({ events }: RunRecord): Section {
  const all = events.flatMap((event): Line[] => {
    const line = eventLine(event);
    return line === null ? [] : [{ ...line, event }];
  });
  const shown = all.length <= mostLines ? all : withoutRoutine(all);
  const left = all.length - shown.length;
  const turns = groupBy(shown, ({ event }) => String(event.turn));
  const start = events[0]?.at ?? 0;
  return {
    id: "turns",
    heading: "Turn by turn",
    lead: `${count(turns.size, "turn")}. Open one to see its requests and what was cleared, summarised or lost.${left > 0 ? ` The run is long: ${count(left, "line")} of routine rounds are left out, the record holds them.` : ""}`,
    body: [...turns.values()].map((lines) => turn(lines, start)),
  };
}

/** Rounds in which something happened, whole, the first lines of the run, and what else is not routine, up to the limit. */
function withoutRoutine(lines: readonly Line[]): Line[] {
  const lively = new Set(lines.filter((line) => line.weight !== "routine").map(({ event }) => event.round));
  const kept = lines.filter((line, index) => index < 500 || lively.has(line.event.round) || isFrame(line.event));
  return kept.length <= mostLines
    ? kept
    : kept.filter((line) => line.weight !== "routine" || isFrame(line.event)).slice(0, mostLines);
}

function isFrame({ kind }: RunEvent): boolean {
  return kind === "user_said" || kind === "turn_ended" || kind === "run_ended";
}

function turn(lines: readonly Line[], start: number): Html {
  const first = lines[0] as Line;
  const number = first.event.turn;
  const rounds = groupBy(lines, ({ event }) => String(event.round));
  const sizes = eventsOf(
    lines.map((line) => line.event),
    "request_sent",
  ).filter((e) => e.querySource === "main");
  const [from, to] = [sizes[0]?.estimate, sizes.at(-1)?.estimate];
  const size = from === undefined || to === undefined ? "" : `${tokensShort(from)} → ${tokensShort(to)} tokens`;
  return html`<details class="turn" id="${turnId(number)}">
<summary><strong>Turn ${number}</strong><span class="muted">${clockTime(first.event.at - start)}, ${count(rounds.size, "round")}${size !== "" && `, ${size}`}</span><span>${chips(lines)}</span></summary>
<ul class="events">${[...rounds.values()].map((inRound) => roundEntry(inRound, start))}</ul>
</details>
`;
}

function roundEntry(lines: readonly Line[], start: number): Html {
  const first = lines[0] as Line;
  return html`<li class="round" id="${roundId(first.event)}"><div class="name">Round ${first.event.round}</div><ul class="events">${lines.map(
    ({ event, weight, text }) =>
      html`<li${weight !== "routine" && html` class="${weight}"`}><span class="time">${clockTime(event.at - start)}</span><span>${text}</span></li>\n`,
  )}</ul></li>`;
}

/** What stands out in a turn, each with how often. */
function chips(lines: readonly Line[]): Html[] {
  const events = lines.map((line) => line.event);
  const times = (...kinds: RunEvent["kind"][]): number => events.filter((event) => kinds.includes(event.kind)).length;
  const chip = (amount: number, name: string, look: string): Html | null =>
    amount === 0 ? null : html`<span class="chip ${look}">${amount > 1 ? `${amount} × ` : ""}${name}</span>`;
  return [
    chip(times("microcompact"), "microcompact", "good"),
    chip(times("compact_succeeded"), "compacted", "good"),
    chip(times("rounds_dropped", "collapse_committed"), "collapsed or dropped", "warn"),
    chip(times("compact_failed", "compact_aborted"), "compaction failed", "bad"),
    chip(times("fault_injected"), "fault", "warn"),
    chip(times("request_failed"), "failed request", "warn"),
    chip(times("breaker_opened"), "breaker opened", "bad"),
    chip(times("violation", "stale_value", "lost_goal"), "went wrong", "bad"),
    chip(times("refetch", "duplicate_work"), "did again", "warn"),
    chip(times("invariant_broken", "contract_broken"), "invariant broken", "bad"),
  ].filter((found) => found !== null);
}
