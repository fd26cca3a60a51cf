import type { WireBlock, WireMessage, WireRequest } from "../transcript/index.ts";
import type { FactIndex } from "./fact-index.ts";
import type { Plan } from "./plan.ts";
import type { Sighting } from "./sighting.ts";
import { createSighting, extendSighting } from "./sighting.ts";

/** All that the simulated model knows: what one request shows (M1). */
export interface RequestView {
  /** The request names the project of this world, or one of its goals. */
  readonly isOwn: boolean;
  readonly sees: (fact: number) => boolean;
  readonly seesBlurred: (fact: number) => boolean;
  /** Facts seen, in order of their index. */
  readonly visible: () => readonly number[];
  /** Whether the item is seen to be finished: a text says so, or its call stands there with a result that is no error. */
  readonly isDone: (step: number) => boolean;
  /** All steps seen to be finished, ascending. */
  readonly finished: () => readonly number[];
  /** Failed attempts at the step that stand in the request. */
  readonly failures: (step: number) => number;
  /** Steps whose results are the newest thing in the request. */
  readonly justDone: readonly number[];
  /** Facts that the newest answer of the assistant looked up again, and how often that has failed in a row. */
  readonly lookedUp: ReadonlyMap<string, { readonly failedInARow: number; readonly answered: boolean }>;
}

/** Reads requests. `until`: only the messages before that index are read (a note taker that lags). */
export type RequestReader = (request: WireRequest, until?: number) => RequestView;

/** Messages at the end of a request that the next one may show otherwise: breakpoints of the cache move there. */
const unsettled = 6;

/**
 * A reader that remembers what the start of the last request showed, and reads on from there when the next one starts with the very same
 * messages, so that a long session costs what is new in each request. What it gives depends on the request alone.
 */
export function createRequestReader(plan: Plan, index: FactIndex): RequestReader {
  let settled: readonly WireMessage[] = [];
  let start = createSighting(plan, index);
  return (request, until = request.messages.length) => {
    const messages = until < request.messages.length ? request.messages.slice(0, until) : request.messages;
    const system = createSighting(plan, index);
    system.readSystem(blocksOf(request.system));
    const target = Math.max(0, messages.length - unsettled);
    if (!startsWith(messages, settled)) {
      settled = [];
      start = createSighting(plan, index);
    }
    for (let at = settled.length; at < target; at++) start.readMessage(messages[at] as WireMessage);
    if (target > settled.length) settled = messages.slice(0, target);
    const whole = extendSighting(start, system);
    for (let at = settled.length; at < messages.length; at++) whole.readMessage(messages[at] as WireMessage);
    return viewOf(plan, whole);
  };
}

function startsWith(messages: readonly WireMessage[], start: readonly WireMessage[]): boolean {
  if (start.length > messages.length) return false;
  for (let at = start.length - 1; at >= 0; at--) if (messages[at] !== start[at]) return false;
  return true;
}

function viewOf(plan: Plan, sighting: Sighting): RequestView {
  const { seen, blurred, done } = sighting;
  return {
    isOwn: sighting.namesProject() || plan.goals.some((goal) => seen[goal.fact] === 1),
    sees: (fact) => seen[fact] === 1,
    seesBlurred: (fact) => blurred[fact] === 1,
    visible: () => marked(seen),
    isDone: (step) => done[step] === 1,
    finished: () => marked(done),
    failures: (step) => sighting.failures(step),
    justDone: sighting
      .newestAttempts()
      .flatMap(({ step, result }) => (step !== undefined && result === "ok" ? [step] : [])),
    lookedUp: lookUps(sighting),
  };
}

function marked(marks: Uint8Array): readonly number[] {
  const found: number[] = [];
  for (let at = 0; at < marks.length; at++) if (marks[at] === 1) found.push(at);
  return found;
}

function lookUps(sighting: Sighting): RequestView["lookedUp"] {
  const found = new Map<string, { failedInARow: number; answered: boolean }>();
  for (const { again } of sighting.newestAttempts()) {
    if (again === undefined || found.has(again)) continue;
    const tries = [...sighting.tries(again)].reverse();
    let failedInARow = 0;
    while (tries[failedInARow]?.result === "error") failedInARow++;
    found.set(again, { failedInARow, answered: tries[0]?.result === "ok" });
  }
  return found;
}

export function blocksOf(content: string | readonly WireBlock[] | undefined): readonly WireBlock[] {
  if (content === undefined) return [];
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}
