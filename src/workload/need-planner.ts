import type { Rng } from "../determinism/index.ts";
import { gapSigma, mostAlive, mostAliveOfOneKind, mostNeedsOfOneStep, soonestNeed, usesByKind } from "./assumptions.ts";
import type { GrowingFact } from "./fact-book.ts";
import type { FactKind } from "./trace.ts";

/** Decides at which steps a fact is needed, and keeps the number of facts alive within bounds (W2). */
export interface NeedPlanner {
  /** Whether another fact of the kind may be born now. */
  hasRoom(kind: FactKind): boolean;
  /** From step `now` on the fact is known; `uses` instead of a drawn number of needs. */
  plant(fact: GrowingFact, now: number, uses?: number): void;
  /** Facts due at the step, newest corrections in the place of what they correct. */
  take(step: number): readonly number[];
  /** The facts of a kind that will be needed again, oldest first. */
  alive(kind: FactKind): readonly GrowingFact[];
}

export function createNeedPlanner(facts: readonly GrowingFact[], rng: Rng): NeedPlanner {
  const left = new Map<number, number>();
  const aliveByKind = new Map<FactKind, number>();
  const due: { at: number; fact: number }[] = [];
  const count = (kind: FactKind, by: number): void => {
    aliveByKind.set(kind, (aliveByKind.get(kind) ?? 0) + by);
  };
  const schedule = (fact: GrowingFact, now: number, nth: number): void => {
    const figures = usesByKind[fact.kind as keyof typeof usesByKind];
    const gap = Math.round(figures.gap * rng.fork("gap", fact.id, nth).lognormal(0, gapSigma));
    const entry = { at: now + Math.max(soonestNeed, gap), fact: fact.index };
    let place = due.length;
    while (place > 0 && (due[place - 1]?.at ?? 0) > entry.at) place--;
    due.splice(place, 0, entry);
  };
  const newest = (fact: GrowingFact): GrowingFact => {
    const next = fact.supersededBy === null ? undefined : facts[fact.supersededBy];
    return next === undefined ? fact : newest(next);
  };
  return {
    hasRoom: (kind) => left.size < mostAlive && (aliveByKind.get(kind) ?? 0) < mostAliveOfOneKind,
    plant: (fact, now, uses) => {
      left.set(
        fact.index,
        uses ?? drawUses(usesByKind[fact.kind as keyof typeof usesByKind].uses, rng.fork("uses", fact.id)),
      );
      count(fact.kind, 1);
      schedule(fact, now, 0);
    },
    take: (step) => {
      const taken: number[] = [];
      while (taken.length < mostNeedsOfOneStep && (due[0]?.at ?? Infinity) <= step) {
        const entry = due.shift();
        const planted = entry === undefined ? undefined : facts[entry.fact];
        if (planted === undefined) break;
        const fact = newest(planted);
        const rest = (left.get(planted.index) ?? 1) - 1;
        left.set(planted.index, rest);
        if (rest > 0) schedule(planted, step, rest);
        else {
          left.delete(planted.index);
          count(planted.kind, -1);
        }
        if (taken.includes(fact.index)) continue;
        taken.push(fact.index);
        fact.uses.push(step);
      }
      return taken;
    },
    alive: (kind) =>
      [...left.keys()]
        .flatMap((index) => facts[index] ?? [])
        .filter((fact) => fact.kind === kind)
        .map(newest),
  };
}

/** Geometric with this mean, at least 1. */
function drawUses(mean: number, rng: Rng): number {
  let uses = 1;
  while (uses < 12 && rng.chance(1 - 1 / mean)) uses++;
  return uses;
}
