import type { Rng } from "../determinism/index.ts";
import type { MemoryProfile } from "./assumptions.ts";
import {
  finishedGoalsNamed,
  focusedSurvival,
  supersededSurvival,
  survivalInNotes,
  typicalSurvival,
} from "./assumptions.ts";
import type { Plan, PlanFact, PlanGoal } from "./plan.ts";
import type { RequestView } from "./request-view.ts";
import { markRanges } from "./step-marks.ts";
import type { FactKind } from "./trace.ts";

/** What a summary or notes will say: chosen from what the request shows, by the survival of each kind (M4, M5). */
export interface Digest {
  /** Newest first. A line stands for one fact. */
  readonly lines: readonly DigestLine[];
  readonly shown: readonly string[];
  readonly invented: number;
}

export interface DigestLine {
  readonly kind: FactKind | "finished-goal";
  readonly text: string;
  readonly fact: string | null;
  readonly blurred: boolean;
}

export interface DigestOptions {
  readonly plan: Plan;
  readonly view: RequestView;
  readonly profile: MemoryProfile;
  /** Keeps exactly what the plan will need again, and nothing else. */
  readonly perfect: boolean;
  /** Kinds that the request asks for by name. */
  readonly focus: ReadonlySet<FactKind>;
  /** Facts that stand in the notes that are edited. */
  readonly inNotes: (fact: number) => boolean;
  /** Of this request. */
  readonly rng: Rng;
  /** What decides whether a fact is noticed at all. Notes are edited often: with a stream of its own for each request, everything would get into them in the end. */
  readonly salience: Rng;
}

export function digest(options: DigestOptions): Digest {
  const { plan, view, profile, rng } = options;
  const forgetful = rng.fork("bad-pass").chance(profile.badPass);
  const survives = (kind: FactKind, id: string, factor: number, inNotes: boolean): boolean => {
    const typical = typicalSurvival[kind];
    const base = inNotes
      ? Math.max(survivalInNotes, profile.survival(typical))
      : profile.survival(forgetful ? typical * typical * typical : typical);
    const focused = options.focus.has(kind) ? Math.max(base, focusedSurvival) : base;
    // The work in hand is looked at anew each time; else what was missed once could never be finished.
    const draw = inNotes || kind === "goal" || kind === "current-step" ? rng : options.salience;
    return draw.fork("survives", id).chance(focused * factor);
  };
  const lines: DigestLine[] = [];
  const shown: string[] = [];
  let invented = 0;
  const goalByFact = new Map(plan.goals.map((goal) => [goal.fact, goal]));
  const finished = plan.goals.filter(({ fact, steps }) => view.sees(fact) && steps.every(view.isDone));
  const named = new Set(finished.slice(-finishedGoalsNamed));
  const isWorthIt = (fact: PlanFact, outdated: boolean): boolean => {
    const goal = goalByFact.get(fact.index);
    if (goal !== undefined) return named.has(goal) || !finished.includes(goal);
    return !outdated && fact.uses.some((step) => mayStillCome(plan, view, step));
  };
  for (const index of [...view.visible()].reverse()) {
    const fact = plan.facts[index];
    if (fact === undefined) continue;
    shown.push(fact.id);
    const outdated = supersededIn(view, plan, fact);
    if (options.perfect && !isWorthIt(fact, outdated)) continue;
    if (!survives(fact.kind, fact.id, outdated ? supersededSurvival : 1, options.inNotes(index))) continue;
    const goal = goalByFact.get(index);
    if (goal !== undefined) {
      lines.push(...goalLines(options, fact, goal, survives));
      continue;
    }
    const blurred = canBlur(fact.kind) && !options.inNotes(index) && rng.fork("blurs", fact.id).chance(profile.blur);
    const text = blurred ? fact.sentence.replaceAll(fact.token, fact.blurredToken) : fact.sentence;
    lines.push({ kind: fact.kind, text, fact: fact.id, blurred });
    if (rng.fork("invents", fact.id).chance(profile.invention)) {
      invented++;
      const code = fact.code.length === 5 ? String(rng.fork("false", fact.id).integer(10_000, 99_999)) : "x0x0x0";
      lines.push({ kind: fact.kind, text: fact.sentence.replaceAll(fact.code, code), fact: null, blurred: false });
    }
  }
  return { lines, shown, invented };
}

/** The goal, and how far it has come. Finished goals are one line, which is there as a whole or not at all: else they would be done again. */
function goalLines(
  { plan, view, rng, profile }: DigestOptions,
  fact: PlanFact,
  goal: PlanGoal,
  survives: (kind: FactKind, id: string, factor: number, inNotes: boolean) => boolean,
): readonly DigestLine[] {
  const done = goal.steps.flatMap((step, i) => (view.isDone(step) ? [i + 1] : []));
  if (done.length === goal.steps.length) {
    return [
      {
        kind: "finished-goal",
        text: `${fact.token} is finished (${markRanges(goal.code, done)}).`,
        fact: fact.id,
        blurred: false,
      },
    ];
  }
  const request: DigestLine = { kind: "goal", text: fact.sentence, fact: fact.id, blurred: false };
  if (done.length === 0) return [request];
  if (survives("current-step", `${goal.id}.at`, 1, false)) {
    const blurred = rng.fork("blurs", goal.id).chance(profile.blur);
    const known = blurred ? done.slice(0, -1) : done;
    const text = `Of ${goal.title}: finished ${markRanges(goal.code, known) || "nothing"}; item ${(done.at(-1) ?? 0) + 1} of ${goal.steps.length} is next.`;
    return [request, { kind: "current-step", text, fact: null, blurred }];
  }
  // Where the work stood is forgotten: only changed files still tell of single items.
  const remembered = done.filter(
    (n) => changesFile(plan, goal, n) && survives("file-modified", `${goal.id}.${n}`, 1, false),
  );
  if (remembered.length === 0) return [request];
  return [
    request,
    {
      kind: "file-modified",
      text: `Files were changed by ${markRanges(goal.code, remembered)}.`,
      fact: null,
      blurred: false,
    },
  ];
}

function changesFile(plan: Plan, goal: PlanGoal, n: number): boolean {
  const tool = plan.steps[goal.steps[n - 1] ?? -1]?.call?.tool;
  return tool === "Edit" || tool === "Write";
}

/** A step is past when it is seen to be done, or when a later step is: finished goals drop out of sight. */
function mayStillCome(plan: Plan, view: RequestView, step: number): boolean {
  if (view.isDone(step)) return false;
  const goal = plan.steps[step]?.goal ?? 0;
  const goalFact = plan.goals[goal]?.fact ?? 0;
  if (view.sees(goalFact)) return true;
  const later = plan.goals.some(({ index, fact }) => index > goal && view.sees(fact));
  return !later;
}

function supersededIn(view: RequestView, plan: Plan, fact: PlanFact): boolean {
  for (let next = fact.supersededBy; next !== null; next = plan.facts[next]?.supersededBy ?? null)
    if (view.sees(next)) return true;
  return false;
}

/** Numbers and paths can be changed by a slip; words are not. */
function canBlur(kind: FactKind): boolean {
  return (
    kind === "exact-value" ||
    kind === "file-read" ||
    kind === "file-modified" ||
    kind === "error-fix" ||
    kind === "tool-detail"
  );
}
