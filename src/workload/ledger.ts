import type { FactIndex } from "./fact-index.ts";
import type { Plan, PlanFact } from "./plan.ts";
import type { RequestView } from "./request-view.ts";
import { factKinds } from "./trace.ts";
import type { FactCensus } from "./workload.ts";

/**
 * What has really happened: facts that were ever shown, steps that were ever seen to be done. It judges; the model never reads it (M1).
 * It learns from the requests of the main thread, so facts are born when a request first shows them.
 */
export interface Ledger {
  observe(view: RequestView): void;
  finish(step: number): void;
  isBorn(fact: number): boolean;
  isDone(step: number): boolean;
  /** Goals that the user has given and that are not reached. */
  openGoals(): readonly number[];
  drainBirths(): readonly PlanFact[];
  census(texts: Iterable<string>): FactCensus;
}

export function createLedger(plan: Plan, index: FactIndex): Ledger {
  const born = new Uint8Array(plan.facts.length);
  const done = new Uint8Array(plan.steps.length);
  let births: PlanFact[] = [];
  const isOpen = (goal: number): boolean => {
    const planned = plan.goals[goal];
    return planned !== undefined && born[planned.fact] === 1 && planned.steps.some((step) => done[step] !== 1);
  };
  const isAlive = (fact: PlanFact): boolean => {
    if (born[fact.index] !== 1) return false;
    if (fact.kind === "goal") return plan.goals.some((goal) => goal.fact === fact.index && isOpen(goal.index));
    if (fact.supersededBy !== null && born[fact.supersededBy] === 1) return false;
    return fact.uses.some((step) => done[step] !== 1);
  };
  return {
    observe: (view) => {
      for (const fact of view.visible()) {
        if (born[fact] === 1) continue;
        born[fact] = 1;
        births.push(plan.facts[fact] as PlanFact);
      }
      for (const step of view.finished()) done[step] = 1;
    },
    finish: (step) => {
      done[step] = 1;
    },
    isBorn: (fact) => born[fact] === 1,
    isDone: (step) => done[step] === 1,
    openGoals: () => plan.goals.flatMap((goal) => (isOpen(goal.index) ? [goal.index] : [])),
    drainBirths: () => {
      const drained = births;
      births = [];
      return drained;
    },
    census: (texts) => {
      const visible = new Set<number>();
      const marked = new Set<number>();
      for (const text of texts) {
        const found = index(text);
        for (const fact of found.visible) visible.add(fact);
        for (const [goal, first, last] of found.marks) {
          for (const step of plan.goals[goal]?.steps.slice(first - 1, last) ?? []) marked.add(step);
        }
      }
      const counts = new Map<string, { alive: number; visible: number; fetchable: number }>();
      const count = (kind: string, isVisible: boolean, isFetchable: boolean): void => {
        const entry = counts.get(kind) ?? { alive: 0, visible: 0, fetchable: 0 };
        counts.set(kind, entry);
        entry.alive++;
        if (isVisible) entry.visible++;
        else if (isFetchable) entry.fetchable++;
      };
      const lost: string[] = [];
      for (const fact of plan.facts) {
        if (!isAlive(fact)) continue;
        count(fact.kind, visible.has(fact.index), fact.fetch !== null);
        if (!visible.has(fact.index) && fact.fetch === null) lost.push(fact.id);
      }
      for (const goal of plan.goals) {
        const finished = goal.steps.filter((step) => done[step] === 1);
        if (finished.length > 0 && isOpen(goal.index))
          count(
            "current-step",
            finished.every((step) => marked.has(step)),
            false,
          );
      }
      const known = factKinds.filter((kind) => counts.has(kind));
      return {
        byKind: Object.fromEntries(
          known.map((kind) => [kind, counts.get(kind) ?? { alive: 0, visible: 0, fetchable: 0 }]),
        ),
        lost,
      };
    },
  };
}
