import type { Rng } from "../determinism/index.ts";
import {
  birthsPer100AutonomousRounds,
  birthsPerGoalMessage,
  correctionChance,
  followUpShare,
  usesByKind,
} from "./assumptions.ts";
import type { FactBook, FactPlace } from "./fact-book.ts";
import type { NeedPlanner } from "./need-planner.ts";
import type { SessionProfile } from "./profiles.ts";

export interface UserFactOptions {
  readonly book: FactBook;
  readonly needs: NeedPlanner;
  readonly profile: SessionProfile;
  readonly place: FactPlace;
  /** Index of the next step. */
  readonly now: number;
  readonly rounds: number;
  readonly brief: "long" | "goal" | "follow-up";
  readonly rng: Rng;
}

const kinds = ["constraint", "preference", "exact-value", "pending-task"] as const;

/** The facts that a message of the user brings beside its goals: rules, wishes, values, tasks for later, and corrections (W2). Returns their indices. */
export function plantUserFacts(options: UserFactOptions): readonly number[] {
  const { book, needs, place, rng } = options;
  const said: number[] = [];
  for (const kind of kinds) {
    const expected =
      options.brief === "long"
        ? (birthsPer100AutonomousRounds[kind] * options.rounds) / 100
        : birthsPerGoalMessage[kind] * (options.brief === "goal" ? 1 : followUpShare);
    const draw = rng.fork("says", kind);
    const births = Math.floor(expected) + (draw.chance(expected - Math.floor(expected)) ? 1 : 0);
    for (let i = 0; i < births && needs.hasRoom(kind); i++) {
      const fact = book.plain(kind, place, null);
      // What is said once for hundreds of rounds is needed all through them.
      const uses =
        options.brief === "long" && kind !== "pending-task"
          ? Math.ceil(options.rounds / usesByKind[kind].gap)
          : undefined;
      needs.plant(fact, options.now, uses);
      said.push(fact.index);
    }
  }
  if (options.brief !== "goal" && rng.fork("corrects").chance(correctionChance)) {
    const open = needs.alive("exact-value").filter((fact) => !said.includes(fact.index) && fact.turn < place.turn);
    const wrong = open.length === 0 ? undefined : rng.fork("corrected").pick(open);
    if (wrong !== undefined) said.push(book.correction(wrong, place).index);
  }
  return said;
}
