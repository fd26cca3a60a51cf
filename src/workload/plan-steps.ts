import type { Rng } from "../determinism/index.ts";
import { birthsPer100Steps, modifiedMatters, smallestWithFact } from "./assumptions.ts";
import type { FactBook, GrowingFact } from "./fact-book.ts";
import type { FileShelf } from "./file-shelf.ts";
import type { NeedPlanner } from "./need-planner.ts";
import type { FactFetch, PlanBatch, PlanGoal, PlannedCall, PlanStep } from "./plan.ts";
import type { CallPlanner } from "./plan-calls.ts";
import type { SessionProfile } from "./profiles.ts";
import { drawBatch, errorRateOf } from "./tool-draws.ts";

/** Fills turns with steps. Steps and batches are in the order in which a model that forgets nothing takes them. */
export interface StepPlanner {
  readonly steps: PlanStep[];
  readonly batches: PlanBatch[];
  nextStep(): number;
  /** Answers planned so far, and those that failing tools will add on average. */
  expectedRounds(): number;
  addWork(goal: number, turn: number, answers: number): void;
  /** The text that ends a turn. */
  addReport(goal: number, turn: number): void;
}

export interface StepPlannerOptions {
  readonly profile: SessionProfile;
  readonly book: FactBook;
  readonly shelf: FileShelf;
  readonly needs: NeedPlanner;
  readonly calls: CallPlanner;
  readonly goals: readonly (PlanGoal & { readonly steps: number[] })[];
  readonly rng: Rng;
  readonly toolErrors: boolean;
}

type BornKind = keyof typeof birthsPer100Steps;

export function createStepPlanner(options: StepPlannerOptions): StepPlanner {
  const { book, needs, shelf, calls, goals, profile } = options;
  const steps: PlanStep[] = [];
  const batches: PlanBatch[] = [];
  const owed = new Map<BornKind, number>();
  let expected = 0;
  let toRestate: number[] = [];
  const modified = new Set<number>();

  /** Facts are owed at their rate and paid at the next step that can bring one. */
  const isDue = (kind: BornKind, rng: Rng): boolean => {
    const debt = owed.get(kind) ?? 0;
    if (!needs.hasRoom(kind) || !rng.fork("due", kind).chance(Math.min(1, debt))) return false;
    owed.set(kind, debt - 1);
    return true;
  };
  const addBatch = (goal: number, turn: number, tools: readonly string[], rng: Rng): void => {
    const index = batches.length;
    const restates = toRestate;
    toRestate = [];
    const states: number[] = [];
    const own: number[] = [];
    const batch = { filesBefore: shelf.files.length, edited: new Set<string>() };
    const firstStep = steps.length;
    let failing = 1;
    for (const [i, tool] of tools.entries()) {
      const step = steps.length;
      const place = { goal, turn, step };
      const draw = rng.fork(i);
      for (const [kind, rate] of Object.entries(birthsPer100Steps)) {
        owed.set(kind as BornKind, (owed.get(kind as BornKind) ?? 0) + rate / 100);
      }
      const call = calls.plan(tool, place, batch, draw.fork("call"));
      const born = (kind: BornKind, fetch: FactFetch | null): GrowingFact => {
        const fact = book.plain(kind, place, fetch);
        needs.plant(fact, step);
        return fact;
      };
      const yields = yieldsOf(call, step, draw, born);
      for (const kind of ["decision", "reason", "rejected-approach", "pending-task"] as const)
        if (i === 0 && isDue(kind, draw)) states.push(born(kind, null).index);
      steps.push({
        index: step,
        goal,
        n: stepNumber(goal, step),
        batch: index,
        call,
        needs: needsOf(call, step, firstStep),
        yields,
      });
      own.push(step);
      failing *= 1 - (options.toolErrors ? errorRateOf(tool) : 0);
    }
    batches.push({ index, goal, turn, steps: own, states, restates, endsTurn: false });
    expected += 1 + (1 - failing);
  };
  const stepNumber = (goal: number, step: number): number => goals[goal]?.steps.push(step) ?? 1;

  const needsOf = (call: PlannedCall, step: number, firstStep: number): readonly number[] => {
    const taken = needs.take(step).filter((index) => {
      const fact = book.facts[index];
      // What is born in this very answer cannot be needed in it.
      const known = fact !== undefined && (fact.step ?? -1) < firstStep;
      if (!known) fact?.uses.pop();
      return known;
    });
    const file = call.file === null ? undefined : shelf.files[call.file];
    const pathFact = file === undefined ? undefined : book.facts[file.pathFact];
    // The first call on a file finds it by skill; later ones have to know where it is.
    if (pathFact === undefined || pathFact.step === step || (call.tool !== "Read" && call.tool !== "Edit"))
      return taken;
    pathFact.uses.push(step);
    return [...taken, pathFact.index];
  };

  const yieldsOf = (
    call: PlannedCall,
    step: number,
    rng: Rng,
    born: (kind: BornKind, fetch: FactFetch | null) => GrowingFact,
  ): readonly number[] => {
    const file = call.file === null ? undefined : shelf.files[call.file];
    const pathFact = file === undefined ? undefined : book.facts[file.pathFact];
    if (call.tool === "Read" && file !== undefined && pathFact?.step === step && isDue("exact-value", rng)) {
      const fact = born("exact-value", { kind: "read", file: file.index });
      shelf.files[file.index] = { ...file, facts: [...file.facts, fact.index] };
      return [fact.index];
    }
    if (call.tool === "Edit" && file !== undefined && !modified.has(file.index)) {
      modified.add(file.index);
      const code = book.facts[file.pathFact]?.code ?? "";
      const place = { goal: book.facts[file.pathFact]?.goal ?? 0, turn: 0, step };
      const fact = book.named("file-modified", code, `M ${file.path}`, `Changed so far: M ${file.path}`, place, {
        kind: "git",
        area: file.area,
      });
      if (needs.hasRoom("file-modified") && rng.fork("matters").chance(modifiedMatters)) needs.plant(fact, step);
      return [fact.index];
    }
    if (call.resultChars < smallestWithFact) return [];
    if (call.tool === "Bash" && call.flavour === "test" && isDue("error-fix", rng)) {
      const fact = born("error-fix", null);
      toRestate.push(fact.index);
      return [fact.index];
    }
    const givesDetail = call.tool === "Bash" || call.tool === "WebFetch" || call.tool.startsWith("mcp__");
    if (givesDetail && call.flavour !== "image" && isDue("tool-detail", rng))
      return [born("tool-detail", { kind: "rerun", step }).index];
    return [];
  };

  return {
    steps,
    batches,
    nextStep: () => steps.length,
    expectedRounds: () => expected,
    addWork: (goal, turn, answers) => {
      const drawn = Array.from({ length: Math.max(0, answers) }, (_, i) => {
        const rng = options.rng.fork("answer", turn, goal, i);
        const tools = drawBatch(profile, rng.fork("tools"));
        return { tools, rng, phase: phaseOf(tools[0] ?? "") + rng.fork("phase").next() };
      });
      for (const { tools, rng } of drawn.sort((a, b) => a.phase - b.phase)) addBatch(goal, turn, tools, rng);
    },
    addReport: (goal, turn) => {
      const step = steps.length;
      steps.push({
        index: step,
        goal,
        n: stepNumber(goal, step),
        batch: batches.length,
        call: null,
        needs: [],
        yields: [],
      });
      batches.push({
        index: batches.length,
        goal,
        turn,
        steps: [step],
        states: [],
        restates: toRestate,
        endsTurn: true,
      });
      toRestate = [];
      expected += 1;
    },
  };
}

/** Looking comes before changing, on the whole. */
function phaseOf(tool: string): number {
  if (tool === "Glob" || tool === "Grep" || tool === "WebSearch") return 0;
  if (tool === "Read" || tool === "WebFetch") return 0.2;
  if (tool === "Bash") return 0.5;
  return 0.6;
}
