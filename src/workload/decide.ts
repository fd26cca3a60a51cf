import { mostAttempts } from "./assumptions.ts";
import type { Plan, PlanBatch, PlanFact, PlanStep } from "./plan.ts";
import type { RequestView } from "./request-view.ts";
import type { ModelTrace } from "./trace.ts";

/** What the simulated model does next (M1, M2), decided from what it sees alone. */
export type Decision =
  | {
      readonly kind: "work";
      readonly batch: PlanBatch;
      readonly steps: readonly StepInHand[];
      /** Steps that it gives up after too many failures, or because their tool is gone. */
      readonly givenUp: readonly PlanStep[];
      readonly trace: readonly ModelTrace[];
    }
  /** Needed facts are gone and can be fetched: it looks them up first. */
  | {
      readonly kind: "look-up";
      readonly batch: PlanBatch;
      readonly facts: readonly PlanFact[];
      readonly trace: readonly ModelTrace[];
    }
  /** No unfinished goal is visible: it asks the user. */
  | { readonly kind: "ask"; readonly goal: string | null };

export interface StepInHand {
  readonly step: PlanStep;
  readonly attempt: number;
  /** The facts that it believes in, for each that it needs: the right one, an outdated one, or one with a wrong digit. */
  readonly beliefs: readonly Belief[];
}

export interface Belief {
  readonly fact: PlanFact;
  readonly found: "visible" | "stale" | "blurred" | "missing";
  /** What it would write: null where it knows nothing. */
  readonly token: string | null;
}

export function decide(plan: Plan, view: RequestView, offersTool: (name: string) => boolean): Decision {
  const isImpossible = ({ call, index }: PlanStep): boolean =>
    view.failures(index) >= mostAttempts || (call !== null && !offersTool(call.tool));
  const visibleGoals = plan.goals.filter(({ fact }) => view.sees(fact));
  const undone = visibleGoals.flatMap((goal) =>
    goal.steps.flatMap((step) => (view.isDone(step) ? [] : (plan.steps[step] ?? []))),
  );
  // Goals are taken in the order in which they were given, and what cannot be done does not stop the rest.
  const first = undone.find((step) => !isImpossible(step)) ?? undone[0];
  const batch = plan.batches[first?.batch ?? -1];
  if (first === undefined || batch === undefined) {
    const workedOn = plan.goals.find(
      ({ fact, steps }) => !view.sees(fact) && steps.some(view.isDone) && !steps.every(view.isDone),
    );
    return { kind: "ask", goal: workedOn?.id ?? null };
  }
  const givenUp = undone.filter((step) => step.index <= first.index + batch.steps.length && isImpossible(step));
  const steps = undone
    .filter((step) => step.batch === batch.index && !isImpossible(step))
    .map((step) => takeInHand(plan, view, step));
  const missing = new Map<number, PlanFact>();
  for (const { beliefs, attempt } of steps) {
    for (const { fact, found } of beliefs)
      if (canLookUp(view, fact, found, attempt) && offersTool(lookUpTool(plan, fact))) missing.set(fact.index, fact);
  }
  if (missing.size > 0) {
    const facts = [...missing.values()];
    return { kind: "look-up", batch, facts, trace: facts.flatMap((fact) => lookUpTrace(plan, fact)) };
  }
  return { kind: "work", batch, steps, givenUp, trace: steps.flatMap((step) => needTrace(view, step)) };
}

function takeInHand(plan: Plan, view: RequestView, step: PlanStep): StepInHand {
  const attempt = view.failures(step.index);
  return { step, attempt, beliefs: step.needs.flatMap((need) => believe(plan, view, plan.facts[need])) };
}

function believe(plan: Plan, view: RequestView, fact: PlanFact | undefined): readonly Belief[] {
  if (fact === undefined) return [];
  // A correction that is visible counts, even where the plan expected it later.
  for (
    let newer = plan.facts[fact.supersededBy ?? -1];
    newer !== undefined;
    newer = plan.facts[newer.supersededBy ?? -1]
  ) {
    if (view.sees(newer.index)) return believe(plan, view, newer);
  }
  if (view.sees(fact.index)) return [{ fact, found: "visible", token: fact.token }];
  if (view.seesBlurred(fact.index)) return [{ fact, found: "blurred", token: fact.blurredToken }];
  for (let older = fact.supersedes; older !== null; ) {
    const old: PlanFact | undefined = plan.facts[older];
    if (old === undefined) break;
    if (view.sees(old.index)) return [{ fact, found: "stale", token: old.token }];
    older = old.supersedes;
  }
  return [{ fact, found: "missing", token: null }];
}

/** A lookup that has just been answered without showing the fact is not repeated; one that failed is, a few times. */
function canLookUp(view: RequestView, fact: PlanFact, found: Belief["found"], attempt: number): boolean {
  if (fact.fetch === null) return false;
  // A wrong path is noticed only when the call on it has failed.
  if (found !== "missing" && !(found === "blurred" && fact.kind === "file-read" && attempt > 0)) return false;
  const tried = view.lookedUp.get(fact.id);
  return tried === undefined || (!tried.answered && tried.failedInARow < mostAttempts);
}

function lookUpTool(plan: Plan, { fetch }: PlanFact): string {
  switch (fetch?.kind) {
    case "read":
      return "Read";
    case "grep":
      return "Grep";
    case "rerun":
      return plan.steps[fetch.step]?.call?.tool ?? "Bash";
    default:
      return "Bash";
  }
}

function lookUpTrace(plan: Plan, fact: PlanFact): readonly ModelTrace[] {
  return [
    { kind: "fact_needed", fact: fact.id, factKind: fact.kind, found: "missing" },
    { kind: "refetch", fact: fact.id, factKind: fact.kind, path: fetchPath(plan, fact) },
  ];
}

function fetchPath(plan: Plan, fact: PlanFact): string {
  switch (fact.fetch?.kind) {
    case "read":
    case "grep":
      return plan.files[fact.fetch.file]?.path ?? "";
    case "git":
      return fact.fetch.area;
    case "rerun":
      return `step ${fact.fetch.step}`;
    default:
      return "";
  }
}

function needTrace(view: RequestView, { attempt, beliefs }: StepInHand): readonly ModelTrace[] {
  if (attempt > 0) return [];
  return beliefs.flatMap(({ fact, found }): readonly ModelTrace[] => {
    const { id, kind: factKind } = fact;
    if (found === "visible" && view.lookedUp.has(id)) return [];
    const needed: ModelTrace = { kind: "fact_needed", fact: id, factKind, found };
    if (found === "visible") return [needed];
    if (found === "stale") return [needed, { kind: "stale_value", fact: id, factKind }];
    // A wrong path is put right when the call on it fails: no harm but the lost call.
    if (found === "blurred" && factKind === "file-read") return [needed];
    return [needed, { kind: "violation", fact: id, factKind }];
  });
}
