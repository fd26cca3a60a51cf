import type { CachePoint } from "../charts/cache-hit.ts";
import type { ContextPoint, Fall, ThresholdLine } from "../charts/context-by-origin.ts";
import type { ErrorPoint } from "../charts/estimate-error.ts";
import type { RoundSpan } from "../charts/frame.ts";
import { most, sum } from "../counting.ts";
import { eventsOf } from "../digest.ts";
import type { EventOf, RunEvent, RunRecord } from "../events.ts";
import { tokensShort } from "../figures-of-speech.ts";

/** The first and the last round of main requests. */
export function spanOf(events: readonly RunEvent[]): RoundSpan {
  const rounds = eventsOf(events, "request_sent")
    .filter(isMain)
    .map((event) => event.round);
  return { first: rounds[0] ?? 0, last: most(rounds) };
}

/** The context of each round: of its last main request. */
export function contextPoints(events: readonly RunEvent[]): ContextPoint[] {
  const counted = new Map<number, number>();
  for (const event of events) {
    if (isMain(event) && (event.kind === "served" || event.kind === "refused"))
      counted.set(event.round, event.trueTokens);
  }
  return lastOfRound(eventsOf(events, "request_sent").filter(isMain)).map(({ round, turn, origin }) => ({
    round,
    turn,
    trueTokens: counted.get(round) ?? null,
    total: sum(Object.values(origin), (tokens) => tokens),
    ...origin,
  }));
}

export function thresholdLines({ lines }: RunRecord["header"]): ThresholdLine[] {
  const line = (name: string, tokens: number, strong: boolean): ThresholdLine => ({
    label: `${name} ${tokensShort(tokens)}`,
    tokens,
    strong,
  });
  return [
    line("window", lines.window, true),
    line("blocking", lines.blocking, false),
    line("auto", lines.autoCompact, true),
    line("warning", lines.warning, false),
  ];
}

export function falls(events: readonly RunEvent[]): Fall[] {
  return eventsOf(events, "compact_succeeded").map(({ round, turn, tokensBefore, tokensAfter, layer, trigger }) => ({
    round,
    turn,
    before: tokensBefore,
    after: tokensAfter,
    what: `${layer}, ${trigger}`,
  }));
}

/** Estimate against truth for each answered main request. */
export function errorPoints(events: readonly RunEvent[]): ErrorPoint[] {
  const points: ErrorPoint[] = [];
  let sent: EventOf<"request_sent"> | null = null;
  for (const event of events) {
    if (!isMain(event)) continue;
    if (event.kind === "request_sent") sent = event;
    if (event.kind !== "served" || sent === null || event.trueTokens <= 0) continue;
    const { estimate, round, turn } = sent;
    points.push({ round, turn, estimate, trueTokens: event.trueTokens, error: estimate / event.trueTokens - 1 });
    sent = null;
  }
  return points;
}

export function cachePoints(events: readonly RunEvent[]): CachePoint[] {
  return lastOfRound(eventsOf(events, "served").filter(isMain)).flatMap(({ round, turn, billed }) => {
    const { read, write, uncached } = billed;
    const input = read + write + uncached;
    return input === 0 ? [] : [{ round, turn, share: read / input, read, write, uncached }];
  });
}

function lastOfRound<T extends { readonly round: number }>(events: readonly T[]): T[] {
  return events.filter((event, index) => events[index + 1]?.round !== event.round);
}

function isMain(event: RunEvent): boolean {
  return event.querySource === "main";
}
