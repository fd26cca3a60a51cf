import type { RunEvent } from "../simulate/index.ts";

/** An event on one line: where, what, and its own fields, long ones cut. */
export function eventLine(event: RunEvent): string {
  const { kind, seq: _, at: __, turn, round, querySource, ...own } = event;
  const fields = Object.entries(own).map(([name, value]) => `${name}=${short(value)}`);
  return `turn ${turn} round ${round} ${querySource} ${kind} ${fields.join(" ")}`.trimEnd();
}

function short(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  const line = text.replace(/\s+/g, " ");
  return line.length > 80 ? `${line.slice(0, 77)}…` : line;
}

/** `at turn 4, round 57`; "" where a failure has no place. */
export function placeText({ turn, round }: { readonly turn: number | null; readonly round: number | null }): string {
  return turn === null || round === null ? "" : `at turn ${turn}, round ${round}`;
}
