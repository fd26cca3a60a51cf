import type { Rng } from "../determinism/index.ts";
import { turnsPerGoal } from "./assumptions.ts";
import { calibration } from "./calibration.ts";
import { createFactBook } from "./fact-book.ts";
import { createFileShelf } from "./file-shelf.ts";
import { createNeedPlanner } from "./need-planner.ts";
import type { Plan, PlanGoal, PlanTurn } from "./plan.ts";
import { createCallPlanner } from "./plan-calls.ts";
import { createStepPlanner } from "./plan-steps.ts";
import type { SessionProfile } from "./profiles.ts";
import { valueAt } from "./quantiles.ts";
import { plantUserFacts } from "./user-facts.ts";
import { problems } from "./vocabulary.ts";

export interface PlanOptions {
  readonly profile: SessionProfile;
  readonly rounds: number;
  readonly rng: Rng;
  readonly toolErrors: boolean;
  readonly resultScale: number;
}

/** Plans a whole session: turns, goals, steps, facts and where they are needed. About `rounds` answers when nothing is forgotten. */
export function createPlan(options: PlanOptions): Plan {
  const { profile, rng } = options;
  const book = createFactBook(rng);
  const shelf = createFileShelf(book, profile, rng.fork("files"));
  const needs = createNeedPlanner(book.facts, rng.fork("needs"));
  const calls = createCallPlanner(shelf, profile, options.resultScale);
  const projectCode = book.newCode();
  const goals: (PlanGoal & { readonly steps: number[] })[] = [];
  const turns: PlanTurn[] = [];
  const planner = createStepPlanner({
    profile,
    book,
    shelf,
    needs,
    calls,
    goals,
    rng: rng.fork("steps"),
    toolErrors: options.toolErrors,
  });

  const addGoal = (turn: number): number => {
    const index = goals.length;
    const code = book.newCode();
    const title = rng.fork("goal", index).pick(problems);
    const token = `TASK-${code}`;
    const place = { goal: index, turn, step: null };
    const fact = book.named("goal", code, token, `${token}: ${title}.`, place, null);
    goals.push({ index, id: `g${index + 1}`, code, token, title, fact: fact.index, steps: [] });
    return index;
  };

  let goal = -1;
  let turnsLeft = 0;
  while (planner.expectedRounds() < options.rounds - 0.5) {
    const index = turns.length;
    const draw = rng.fork("turn", index);
    const left = Math.max(1, Math.round(options.rounds - planner.expectedRounds()));
    const { shape } = profile;
    const given: number[] = [];
    let rounds: number;
    if (shape.kind === "autonomous") {
      rounds = Math.min(left, draw.integer(shape.turn[0], shape.turn[1]));
      const parts = splitRounds(rounds, shape.goal, draw.fork("goals"));
      for (const _ of parts) given.push(addGoal(index));
      goal = given.at(-1) ?? goal;
      const says = plantUserFacts({
        book,
        needs,
        profile,
        place: { goal, turn: index, step: null },
        now: planner.nextStep(),
        rounds,
        brief: "long",
        rng: draw,
      });
      turns.push({ index, goals: given, says, goal });
      for (const [i, part] of parts.entries()) {
        planner.addWork(given[i] ?? goal, index, i === parts.length - 1 ? part - 1 : part);
      }
    } else {
      const isNew = turnsLeft === 0;
      if (isNew) {
        goal = addGoal(index);
        given.push(goal);
        turnsLeft = draw.fork("turns").weighted(turnsPerGoal);
      }
      turnsLeft--;
      rounds = Math.min(
        left,
        Math.max(1, Math.round(valueAt(calibration.roundsPerUserTurn, draw.fork("rounds").next()) * shape.rounds)),
      );
      const says = plantUserFacts({
        book,
        needs,
        profile,
        place: { goal, turn: index, step: null },
        now: planner.nextStep(),
        rounds,
        brief: isNew ? "goal" : "follow-up",
        rng: draw,
      });
      turns.push({ index, goals: given, says, goal });
      planner.addWork(goal, index, rounds - 1);
    }
    planner.addReport(goal, index);
  }
  const root = `/work/${rng.fork("project").pick(["harbor", "meadow", "lantern", "quarry", "orchard"])}-${projectCode}`;
  return {
    projectCode,
    root,
    goals,
    steps: planner.steps,
    batches: planner.batches,
    turns,
    facts: book.facts,
    files: shelf.files,
  };
}

function splitRounds(rounds: number, [low, high]: readonly [number, number], rng: Rng): readonly number[] {
  const parts: number[] = [];
  for (let left = rounds; left > 0; ) {
    const drawn = rng.integer(low, high);
    const part = left - drawn < low / 2 ? left : drawn;
    parts.push(part);
    left -= part;
  }
  return parts;
}
