import type { Html } from "../html.ts";
import { html } from "../html.ts";

interface Place {
  readonly turn: number;
  readonly round: number;
}

export function turnId(turn: number): string {
  return `turn-${turn}`;
}

export function roundId({ turn, round }: Place): string {
  return `turn-${turn}-round-${round}`;
}

/** A link to where it happened: the round's entry, inside its turn. */
export function turnLink(place: Place): Html {
  return html`<a href="#${roundId(place)}">turn ${place.turn}, round ${place.round}</a>`;
}
