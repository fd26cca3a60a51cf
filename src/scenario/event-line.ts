import type { RunEvent } from "../simulate/index.ts";

/** An event on one line: where, what, and its own fields, long ones cut. */
export function eventLine(event: RunEvent): string {
  const { kind, seq: _, at: __, turn, round, querySource, ...own } = event;
  const fields = Object.entries(own).map(([name, value]) => `${name}=${short(value)}`);
  return `turn ${turn} round ${round} ${querySource} ${kind} ${fields.join(" ")}`.trimEnd();
}

function short(value: unknown): string {
  const text = inWords(value);
  const line = text.replace(/\s+/g, " ");
  return line.length > 80 ? `${line.slice(0, 77)}…` : line;
}

/** A map as `a:1,b:2`, without what is null in it: a person reads it, no parser does. */
function inWords(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === null || typeof value !== "object" || Array.isArray(value))
    return JSON.stringify(value) ?? String(value);
  const told = Object.entries(value).filter(([, own]) => own !== null);
  return `{${told.map(([key, own]) => `${key}:${inWords(own)}`).join(",")}}`;
}

/** `at turn 4, round 57`; "" where a failure has no place. */
export function placeText({ turn, round }: { readonly turn: number | null; readonly round: number | null }): string {
  return turn === null || round === null ? "" : `at turn ${turn}, round ${round}`;
}
