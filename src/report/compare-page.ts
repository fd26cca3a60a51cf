import type { Measure } from "./compare/measures.ts";
import { changeText, changeVerdict, measures } from "./compare/measures.ts";
import type { Pair, Paired } from "./compare/paired.ts";
import { paired } from "./compare/paired.ts";
import { scenarioSection, worst } from "./compare/scenarios.ts";
import { count, list } from "./figures-of-speech.ts";
import type { Html } from "./html.ts";
import { html } from "./html.ts";
import type { CompareInput } from "./input.ts";
import { page } from "./page.ts";
import { table } from "./table.ts";

/** The page that sets two suites side by side, run by run of the same scenario and seed, as HTML bytes that depend on nothing but the input (R1, R5). */
export async function renderComparePage(input: CompareInput): Promise<string> {
  const both = paired(input);
  return page({
    title: input.title,
    crumbs: html`longhaul: ${input.before.name} against ${input.after.name}`,
    verdict: verdict(input, both),
    sections: [
      { id: "measures", heading: "Figure by figure", lead: "", body: [measureTable(input, both.pairs)] },
      ...(both.pairs.length > 0 ? [await scenarioSection(input, both.pairs)] : []),
      worst(both.pairs),
    ],
    environment: input.after.suite.environment,
  });
}

function valuesOf(measure: Measure, pairs: readonly Pair[]): [number, number] {
  return [measure.of(pairs.map((pair) => pair.before)), measure.of(pairs.map((pair) => pair.after))];
}

function verdict({ before, after }: CompareInput, { pairs, unpaired }: Paired): Html {
  const judged = measures.map((measure) => ({ measure, word: changeVerdict(measure, ...valuesOf(measure, pairs)) }));
  const names = (word: string): string[] =>
    judged.filter((one) => one.word === word).map((one) => one.measure.name.toLowerCase());
  const [better, worse] = [names("better"), names("worse")];
  const look = worse.length === 0 ? "" : better.length === 0 ? " bad" : " unsure";
  const word =
    worse.length === 0 && better.length === 0
      ? "= The same"
      : `${worse.length === 0 ? "✓" : better.length === 0 ? "✗" : "±"} ${better.length} better, ${worse.length} worse`;
  return html`<div class="verdict${look}" role="status">
<div class="word">${word}</div>
<p>${after.name} against ${before.name}, over ${count(pairs.length, "run")} of the same scenario and seed.${better.length > 0 && ` Better: ${list(better)}.`}${worse.length > 0 && ` Worse: ${list(worse)}.`}</p>
${unpaired.length > 0 && html`<p>Left out, because only one side has them: ${list(unpaired.slice(0, 12))}${unpaired.length > 12 ? ` and ${unpaired.length - 12} more` : ""}.</p>`}
</div>`;
}

function measureTable({ before, after }: CompareInput, pairs: readonly Pair[]): Html {
  return html`<div class="card">${table({
    caption: `Totals over ${count(pairs.length, "run")}`,
    columns: [
      { name: "Figure" },
      { name: before.name, numeric: true },
      { name: after.name, numeric: true },
      { name: "Change", numeric: true },
      { name: "Verdict" },
    ],
    rows: measures.map((measure) => {
      const [older, newer] = valuesOf(measure, pairs);
      return [
        measure.name,
        measure.text(older),
        measure.text(newer),
        changeText(older, newer),
        verdictChip(changeVerdict(measure, older, newer)),
      ];
    }),
  })}</div>`;
}

function verdictChip(word: ReturnType<typeof changeVerdict>): Html {
  const look = { better: "good", worse: "bad", same: "", "not comparable": "" } as const;
  return html`<span class="chip ${look[word]}">${word === "not comparable" ? "other" : word}</span>`;
}
