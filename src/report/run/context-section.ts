import { contextByOrigin, trueColor } from "../charts/context-by-origin.ts";
import { estimateError } from "../charts/estimate-error.ts";
import { eventLanes } from "../charts/event-lanes.ts";
import { groupBy, quantile, sum, thin } from "../counting.ts";
import type { Digest } from "../digest.ts";
import type { RunRecord } from "../events.ts";
import type { Figure } from "../figure.ts";
import { figure } from "../figure.ts";
import { count, list, percent, times, tokensShort, trim, whole } from "../figures-of-speech.ts";
import { html } from "../html.ts";
import { origins } from "../origins.ts";
import type { Section } from "../page.ts";
import { marksOf } from "./marks.ts";
import { contextPoints, errorPoints, falls, spanOf, thresholdLines } from "./rounds.ts";

const mostPoints = 400;
/** In one lane. */
const mostMarks = 200;
const handling = html` <span class="mouse-only">A click opens the turn. Shift and wheel zoom, a drag moves, a double click goes back.</span>`;

/** How large the context was, from what it was made, what acted on it, and how well its size was known. */
export async function contextSection(record: RunRecord, digest: Digest): Promise<Section> {
  return {
    id: "context",
    heading: "Context",
    lead: "",
    body: [await contextFigure(record, digest), ...(await lanesFigure(record, digest)), ...(await errorFigure(record))],
  };
}

async function contextFigure({ header, events }: RunRecord, digest: Digest): Promise<Figure> {
  const all = contextPoints(events);
  const points = thin(all, mostPoints, (point) => point.total);
  const lines = thresholdLines(header);
  const cut = falls(events);
  const share = percent(digest.peakTokens / header.lines.window);
  const verb = cut.length === 0 ? "never compacted" : `compacted ${times(cut.length)}`;
  const thinned = points.length < all.length ? ` Drawn are ${points.length} of ${all.length} rounds, peaks kept.` : "";
  return figure({
    id: "context-by-origin",
    conclusion: `The context peaked at ${tokensShort(digest.peakTokens)} of ${tokensShort(header.lines.window)} tokens (${share}) and was ${verb}.`,
    reading: html`Estimated tokens of the main request in each round, by where they come from; the line is what the server counts, a triangle with its line a compaction, from before to after.${thinned}${handling}`,
    spec: contextByOrigin({ span: spanOf(events), points, lines, falls: cut }),
    legend: origins,
    keys: [{ label: "True count of the server", color: trueColor }],
    zoomGroup: "rounds",
    table: {
      caption: "Tokens of the main request by round and origin",
      columns: ["Round", "Turn", "True", "Estimated", ...origins.map((o) => o.label)].map((name) => ({
        name,
        numeric: true,
      })),
      rows: all.map((p) => [
        p.round,
        p.turn,
        p.trueTokens === null ? "–" : whole(p.trueTokens),
        whole(p.total),
        ...origins.map((o) => whole(p[o.value])),
      ]),
    },
  });
}

async function lanesFigure({ events }: RunRecord, digest: Digest): Promise<Figure[]> {
  const { lanes, marks } = marksOf(events);
  if (marks.length === 0) return [];
  const drawn = [...groupBy(marks, (mark) => mark.lane).values()].flatMap((lane) =>
    thin(lane, mostMarks, (mark) => (mark.shape === "failed" ? 1 : 0)),
  );
  const thinned = drawn.length < marks.length ? ` Drawn are ${drawn.length} of ${marks.length}, failures first.` : "";
  return [
    await figure({
      id: "event-lanes",
      conclusion: marksConclusion(digest),
      reading: `The same rounds as above. A dot: it acted. A cross: it failed or did harm.${thinned}`,
      spec: eventLanes(spanOf(events), lanes, drawn),
      zoomGroup: "rounds",
      table: {
        caption: "Actions, faults and consequences by round",
        columns: [
          { name: "Round", numeric: true },
          { name: "Turn", numeric: true },
          { name: "Kind" },
          { name: "What" },
        ],
        rows: marks.map((mark) => [mark.round, mark.turn, mark.lane, mark.what]),
      },
    }),
  ];
}

function marksConclusion({ layers, failedCompactions, faults, failedRequests, ...after }: Digest): string {
  const acted = sum(Object.values(layers), (times) => times);
  const injected = sum([...faults.values()], (times) => times);
  const harm = after.violations + after.staleValues + after.lostGoals + after.refetches + after.duplicateSteps;
  const parts = [
    `compaction acted ${times(acted)}`,
    failedCompactions > 0 && `failed ${times(failedCompactions)}`,
    injected > 0 && `${count(injected, "fault")} ${injected === 1 ? "was" : "were"} injected`,
    failedRequests > 0 && `${count(failedRequests, "request")} failed`,
    harm === 0 ? "nothing was redone or went wrong" : `${times(harm)} something forgotten was missed`,
  ].filter((part) => part !== false);
  const sentence = list(parts);
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

async function errorFigure({ events }: RunRecord): Promise<Figure[]> {
  const all = errorPoints(events);
  const errors = all.map((point) => point.error);
  const [low, middle, high] = [quantile(errors, 0.05), quantile(errors, 0.5), quantile(errors, 0.95)];
  if (low === null || middle === null || high === null) return [];
  const signed = (share: number): string => `${share > 0 ? "+" : ""}${trim(share * 100, 1)}\u00a0%`;
  const points = thin(all, mostPoints, (point) => Math.abs(point.error));
  return [
    await figure({
      id: "estimate-error",
      conclusion: `The client's token estimate was off by ${signed(middle)} at the median; nine of ten lie between ${signed(low)} and ${signed(high)}.`,
      reading: `Estimate against the server's own count, ${count(all.length, "request")}; above zero it overestimates. The band holds nine of ten. An estimate that is too low compacts too late.`,
      spec: estimateError(spanOf(events), points, [low, high]),
      zoomGroup: "rounds",
      table: {
        caption: "Estimated and true tokens by round",
        columns: ["Round", "Estimate, tokens", "True, tokens", "Error"].map((name) => ({ name, numeric: true })),
        rows: all.map((p) => [p.round, whole(p.estimate), whole(p.trueTokens), signed(p.error)]),
      },
    }),
  ];
}
