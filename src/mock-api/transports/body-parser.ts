import { malformedJson } from "../call.ts";
import { isObject } from "../form/shape.ts";
import type { MessagesPlace } from "./messages-place.ts";
import { endsFrom, placeOfMessages } from "./messages-place.ts";

/** A body as the core takes it. */
export interface ParsedBody {
  /** What `JSON.parse` gives for the text, or `malformedJson`. */
  readonly body: unknown;
  /** Members may be the very objects of an earlier body, and will be of a later one: it pays to remember them. */
  readonly isShared: boolean;
}

/**
 * Parses the bodies of one server. A client sends its whole conversation with every request, so most of a body stands, letter for letter, at the
 * beginning of an earlier one: only what comes after is parsed, and the messages before are the same objects as then.
 */
export type BodyParser = (text: string) => ParsedBody;

interface Known {
  readonly text: string;
  readonly place: MessagesPlace;
  readonly body: Readonly<Record<string, unknown>> & { readonly messages: readonly unknown[] };
}

/** Conversations at a time: the main thread and what is asked beside it. */
const remembered = 6;
/** Characters: a shorter body is parsed sooner than it is looked up. */
const worthwhile = 2_000;
/** And a longer one is not kept. */
const mostRemembered = 8_000_000;

export function createBodyParser(): BodyParser {
  let known: readonly Known[] = [];
  return (text) => {
    if (text.length < worthwhile || text.length > mostRemembered) return { body: parsed(text), isShared: false };
    const base = longestStart(known, text);
    const next = (base === undefined ? undefined : continued(base.known, base.count, text)) ?? anew(text);
    if (next === undefined) return { body: parsed(text), isShared: false };
    known = [next, ...known.filter((one) => one !== base?.known)].slice(0, remembered);
    return { body: next.body, isShared: true };
  };
}

/** The earlier body that shares most messages with the text, and how many. */
function longestStart(
  known: readonly Known[],
  text: string,
): { readonly known: Known; readonly count: number } | undefined {
  let best: { readonly known: Known; readonly count: number } | undefined;
  for (const one of known) {
    const { start } = one.place;
    if (text.slice(0, start) !== one.text.slice(0, start)) continue;
    const count = commonMessages(one, text);
    if (count > (best?.count ?? 0)) best = { known: one, count };
  }
  return best;
}

/** Messages with which both texts begin. By halving: two slices are compared at the speed of memory. */
function commonMessages({ text: before, place: { start, ends } }: Known, text: string): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const [from, to] = [low === 0 ? start : (ends[low - 1] as number), ends[middle - 1] as number];
    if (before.slice(from, to) === text.slice(from, to)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Parses what comes after the first `count` messages. Undefined where the text does not go on in the plain way that serializers write. */
function continued({ place, body: before }: Known, count: number, text: string): Known | undefined {
  const end = place.ends[count - 1] as number;
  const from = text[end] === "," && text[end + 1] === "{" ? end + 1 : text[end] === "]" ? end : undefined;
  if (from === undefined) return undefined;
  const rest = endsFrom(text, from, place.namesBefore);
  if (rest === undefined) return undefined;
  const tail = parsed(text.slice(0, place.start) + text.slice(from));
  if (!isObject(tail) || !Array.isArray(tail.messages)) return undefined;
  const messages = [...before.messages.slice(0, count), ...(tail.messages as readonly unknown[])];
  const body: Record<string, unknown> = { ...tail, messages };
  // What stands before the messages is the same text, and so the same objects.
  for (const name of place.namesBefore) body[name] = before[name];
  const ends = [...place.ends.slice(0, count), ...rest];
  return { text, place: { ...place, ends }, body: body as Known["body"] };
}

function anew(text: string): Known | undefined {
  const body = parsed(text);
  if (!isObject(body) || !Array.isArray(body.messages)) return undefined;
  const place = placeOfMessages(text);
  return place === undefined ? undefined : { text, place, body: body as Known["body"] };
}

function parsed(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return malformedJson;
  }
}
