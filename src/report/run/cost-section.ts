import { cacheHitChart } from "../charts/cache-hit.ts";
import { dollarsByPurpose } from "../charts/dollars-by-purpose.ts";
import { billedKinds, tokensByPurpose } from "../charts/tokens-by-purpose.ts";
import { quantile, thin } from "../counting.ts";
import type { Digest } from "../digest.ts";
import { cacheHit } from "../digest.ts";
import type { RunRecord } from "../events.ts";
import type { Figure } from "../figure.ts";
import { figure } from "../figure.ts";
import { dollars, percent, tokensShort, whole } from "../figures-of-speech.ts";
import type { Section } from "../page.ts";
import { purposeOf } from "./names.ts";
import { cachePoints, spanOf } from "./rounds.ts";

/** What was paid, for what, and how much of the input the server's cache gave. */
export async function costSection(record: RunRecord, digest: Digest): Promise<Section> {
  return {
    id: "cost",
    heading: "Cost and cache",
    lead: "",
    body: [
      await dollarsFigure(digest),
      await tokensFigure(digest, wasted(record)),
      ...(await cacheFigure(record, digest)),
    ],
  };
}

/** What the metrics say was paid for answers that the client could not use. */
function wasted({ footer }: RunRecord): string {
  const tokens = footer.metrics.find(
    (metric) => metric.name === "wasted_tokens" && Object.keys(metric.labels).length === 0,
  );
  return tokens === undefined || tokens.value === 0
    ? ""
    : ` ${tokensShort(tokens.value)} tokens were paid for answers that broke on the way.`;
}

async function dollarsFigure({ billed, billedBySource }: Pick<Digest, "billed" | "billedBySource">): Promise<Figure> {
  const bars = [...billedBySource].map(([source, { dollars: price }]) => ({
    purpose: purposeOf(source),
    dollars: price,
    label: `${dollars(price)} (${percent(billed.dollars === 0 ? 0 : price / billed.dollars)})`,
  }));
  const aside = billed.dollars - (billedBySource.get("main")?.dollars ?? 0);
  return figure({
    id: "dollars-by-purpose",
    conclusion: `${dollars(billed.dollars)} in all; ${aside === 0 ? "nothing" : dollars(aside)} of it for other things than the conversation itself.`,
    reading: "Price of every answered request from the price list, by what the request was for.",
    spec: dollarsByPurpose(bars),
    table: {
      caption: "Dollars by purpose",
      columns: [{ name: "Purpose" }, { name: "Price and share", numeric: true }],
      rows: bars.map((bar) => [bar.purpose, bar.label]),
    },
  });
}

export async function tokensFigure(
  { billed, billedBySource }: Pick<Digest, "billed" | "billedBySource">,
  note = "",
): Promise<Figure> {
  const sources = [...billedBySource];
  const bars = sources.flatMap(([source, bill]) =>
    billedKinds.map(({ value }) => ({ purpose: purposeOf(source), kind: value, tokens: bill[value] })),
  );
  const input = billed.read + billed.write + billed.uncached;
  return figure({
    id: "tokens-by-purpose",
    conclusion: `${tokensShort(input)} tokens went in, ${tokensShort(billed.output)} came out.`,
    reading: `Billed tokens by purpose and kind. A cache read costs a tenth of plain input, a cache write a quarter more.${note}`,
    spec: tokensByPurpose(
      sources.map(([source]) => purposeOf(source)),
      bars,
    ),
    legend: billedKinds,
    table: {
      caption: "Billed tokens by purpose and kind",
      columns: [{ name: "Purpose" }, ...billedKinds.map((kind) => ({ name: kind.label, numeric: true as const }))],
      rows: sources.map(([source, bill]) => [purposeOf(source), ...billedKinds.map((kind) => whole(bill[kind.value]))]),
    },
  });
}

async function cacheFigure({ events }: RunRecord, { billedBySource }: Digest): Promise<Figure[]> {
  const all = cachePoints(events);
  const main = billedBySource.get("main");
  const rate = main === undefined ? null : cacheHit(main);
  const median = quantile(
    all.map((point) => point.share),
    0.5,
  );
  if (rate === null || median === null) return [];
  const cold = all.filter((point) => point.share < 0.5).length;
  return [
    await figure({
      id: "cache-hit",
      conclusion: `${percent(rate)} of the conversation's input came from the prompt cache.`,
      reading: `By tokens; ${percent(median)} at the median request, under half in ${cold} of ${all.length}. Each compaction and each long pause makes the next request cold: a fall here is what it costs.`,
      spec: cacheHitChart(
        spanOf(events),
        thin(all, 500, (point) => 1 - point.share),
      ),
      zoomGroup: "rounds",
      table: {
        caption: "Input from cache by round, tokens",
        columns: ["Round", "From cache", "Read", "Written", "Neither"].map((name) => ({ name, numeric: true })),
        rows: all.map((p) => [p.round, percent(p.share), whole(p.read), whole(p.write), whole(p.uncached)]),
      },
    }),
  ];
}
