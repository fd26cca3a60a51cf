import type { Digest } from "../digest.ts";
import { eventsOf } from "../digest.ts";
import { count } from "../figures-of-speech.ts";
import type { Html } from "../html.ts";
import { html } from "../html.ts";
import type { RunInput } from "../input.ts";
import { failureCard } from "../outcome.ts";
import type { Section } from "../page.ts";
import { table } from "../table.ts";
import { turnLink } from "./anchors.ts";

/** What the scenario expected and did not get; what held in every request. */
export function judgementSection(run: RunInput, digest: Digest): Section {
  return {
    id: "judgement",
    heading: run.failures.length > 0 ? "What failed" : "Judgement",
    lead: "",
    body: [...run.failures.map((failure) => failureCard(failure, null)), invariants(run, digest)],
  };
}

function invariants({ record: { events } }: RunInput, { broken }: Digest): Html {
  const breaks = [...eventsOf(events, "invariant_broken"), ...eventsOf(events, "contract_broken")].sort(
    (a, b) => a.seq - b.seq,
  );
  const sins = eventsOf(events, "client_sin");
  const verdict =
    broken.length === 0
      ? html`<h3><span class="good">✓</span> Every invariant held, at every request.</h3>`
      : html`<h3 class="bad-text">✗ ${count(broken.length, "invariant")} broke: ${broken.join(", ")}.</h3>`;
  const rows = [
    ...breaks.map((e) => [
      turnLink(e),
      e.kind === "invariant_broken" ? e.invariant : "strategy contract",
      e.kind === "invariant_broken" ? e.detail : e.what,
    ]),
    ...sins.map((e) => [turnLink(e), `client: ${e.sin}`, e.detail]),
  ];
  return html`<div class="card">${verdict}
<p class="muted">Checked are among others: the request is valid; no tool pair and no message is split; what a compaction says it kept is unchanged; nothing from before a boundary comes back; the newest message of the user is there.</p>
${rows.length > 0 && table({ caption: "What broke", columns: ["Where", "Rule", "What"].map((name) => ({ name })), rows })}</div>`;
}
