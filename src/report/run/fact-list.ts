import { groupBy } from "../counting.ts";
import { eventsOf } from "../digest.ts";
import type { RunEvent } from "../events.ts";
import type { Html } from "../html.ts";
import { html } from "../html.ts";
import { words } from "./names.ts";

/** Kind of each fact by its id. */
export type FactKinds = ReadonlyMap<string, string>;

export function factKindsOf(events: readonly RunEvent[]): FactKinds {
  return new Map(eventsOf(events, "fact_born").map(({ fact, factKind }) => [fact, words(factKind)]));
}

const mostFacts = 60;

/** Facts by kind; those that are gone are struck through (R4). Null where there are none. */
export function factList(name: "Lost" | "Kept", facts: readonly string[], kinds: FactKinds): Html | null {
  if (facts.length === 0) return null;
  const groups = [...groupBy(facts.slice(0, mostFacts), (fact) => kinds.get(fact) ?? "fact")];
  const shown = groups.map(([kind, ids]) => {
    const text = html`${kind} <small>${ids.join(" ")}</small>`;
    return name === "Lost" ? html`<del>${text}</del> ` : html`<span>${text}</span> `;
  });
  const more = facts.length > mostFacts ? ` and ${facts.length - mostFacts} more` : "";
  return html`<span class="facts">${name}: ${shown}${more}</span>`;
}
