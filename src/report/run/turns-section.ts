import { groupBy, sum } from "../counting.ts";
import { eventsOf } from "../digest.ts";
import type { RunEvent, RunRecord } from "../events.ts";
import { clockTime, count, tokensShort, whole } from "../figures-of-speech.ts";
import type { Html } from "../html.ts";
import { html } from "../html.ts";
import type { Section } from "../page.ts";
import { roundId, turnId } from "./anchors.ts";
import type { EventLine } from "./event-text.ts";
import { eventLine } from "./event-text.ts";
import type { FactKinds } from "./fact-list.ts";
import { factKindsOf } from "./fact-list.ts";

/** Characters of markup past which lines are left out: with charts and code the page stays under 5 MB (R1). */
const budget = 1_400_000;

type Line = EventLine & { readonly event: RunEvent };

/** Everything that happened, turn by turn; a link `#turn-42` opens its turn. */
export function turnsSection({ events }: RunRecord): Section {
  const all = linesOf(events, factKindsOf(events));
  const shown = withinBudget(all, events);
  const left = all.length - shown.length;
  const turns = groupBy(shown, ({ event }) => String(event.turn));
  const start = events[0]?.at ?? 0;
  return {
    id: "turns",
    heading: "Turn by turn",
    lead: `${count(turns.size, "turn")}. Open one to see its requests and what was cleared, summarised or lost.${left > 0 ? ` The run is long: ${count(left, "line")} of ${whole(all.length)} are left out, routine ones first; the record holds them.` : ""}`,
    body: [...turns.values()].map((lines) => turn(lines, start)),
  };
}

function linesOf(events: readonly RunEvent[], kinds: FactKinds | null): Line[] {
  return events.flatMap((event): Line[] => {
    const line = eventLine(event, kinds);
    return line === null ? [] : [{ ...line, event }];
  });
}

/** All lines where they fit; else only rounds in which something happened; else only what happened, facts counted; else as much of that as fits. */
function withinBudget(all: readonly Line[], events: readonly RunEvent[]): readonly Line[] {
  const fits = (lines: readonly Line[]): boolean => size(lines) <= budget;
  if (fits(all)) return all;
  const lively = new Set(all.filter((line) => line.weight !== "routine").map(({ event }) => event.round));
  const inLively = all.filter(({ event }) => lively.has(event.round) || isFrame(event));
  if (fits(inLively)) return inLively;
  const happened = linesOf(events, null).filter((line) => line.weight !== "routine" || isFrame(line.event));
  let room = budget;
  return happened.filter((line) => {
    room -= size([line]);
    return room > 0;
  });
}

function size(lines: readonly Line[]): number {
  return sum(lines, (line) => line.text.text.length + 90);
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
  const sizeText = from === undefined || to === undefined ? "" : `${tokensShort(from)} → ${tokensShort(to)} tokens`;
  return html`<details class="turn" id="${turnId(number)}">
<summary><strong>Turn ${number}</strong><span class="muted">${clockTime(first.event.at - start)}, ${count(rounds.size, "round")}${sizeText !== "" && `, ${sizeText}`}</span><span>${chips(lines)}</span></summary>
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
