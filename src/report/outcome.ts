import type { Html } from "./html.ts";
import { html } from "./html.ts";
import type { FailureInput, Outcome } from "./input.ts";

/** An outcome with its sign: told by shape and word, not by colour alone. */
export function outcomeWord(outcome: Outcome): string {
  switch (outcome) {
    case "passed":
      return "✓ Passed";
    case "failed":
      return "✗ Failed";
    case "crashed":
      return "✗ Crashed";
    case "not-deterministic":
      return "✗ Not deterministic";
  }
}

export function outcomeChip(outcome: Outcome): Html {
  return html`<span class="chip ${outcome === "passed" ? "good" : "bad"}">${outcomeWord(outcome)}</span>`;
}

/** What was not as it should be, and the command that repeats it; `heading` names the run where that is not clear. */
export function failureCard(failure: FailureInput, heading: Html | null): Html {
  const known = (name: string, value: string): Html | false => value !== "" && html`<dt>${name}</dt><dd>${value}</dd>`;
  return html`<div class="card bad failure">
${heading}<h3>${failure.what}</h3>
<dl>${known("Where", failure.where)}${known("Expected", failure.expected)}${known("Got", failure.got)}</dl>
<code class="replay">${failure.replay}</code>
</div>
`;
}

/** A figure with its name and what it is to be held against. */
export function tile(name: string, value: string, note: string): Html {
  return html`<div class="tile"><dt>${name}</dt><dd><div class="value">${value}</div>${note !== "" && html`<div class="note">${note}</div>`}</dd></div>`;
}
