import type { Rng } from "../determinism/index.ts";
import { createFactCodes } from "./fact-codes.ts";
import type { PlainKind } from "./fact-sentences.ts";
import { wordFact } from "./fact-sentences.ts";
import type { FactFetch, PlanFact } from "./plan.ts";
import type { FactKind } from "./trace.ts";

/** A fact while the plan grows: its uses and its correction come later. */
export type GrowingFact = Omit<PlanFact, "uses" | "supersededBy"> & {
  readonly uses: number[];
  supersededBy: number | null;
};

export interface FactPlace {
  readonly goal: number;
  readonly turn: number;
  /** Null: the user's message. */
  readonly step: number | null;
}

/** Makes the facts of a session: each with a token of its own. */
export interface FactBook {
  readonly facts: GrowingFact[];
  newCode(): string;
  plain(kind: PlainKind, place: FactPlace, fetch: FactFetch | null): GrowingFact;
  /** A fact whose token is given by what it names: a goal, a file. */
  named(
    kind: FactKind,
    code: string,
    token: string,
    sentence: string,
    place: FactPlace,
    fetch: FactFetch | null,
  ): GrowingFact;
  /** Another value for the same setting (W2: "no, port 8081"). */
  correction(of: GrowingFact, place: FactPlace): GrowingFact;
}

export function createFactBook(rng: Rng): FactBook {
  const codes = createFactCodes(rng.fork("codes"));
  const facts: GrowingFact[] = [];
  const add = (
    kind: FactKind,
    code: string,
    token: string,
    sentence: string,
    place: FactPlace,
    fetch: FactFetch | null,
    supersedes: number | null,
  ): GrowingFact => {
    const fact: GrowingFact = {
      index: facts.length,
      id: `f${facts.length + 1}`,
      kind,
      token,
      code,
      blurredToken: token.replace(code, codes.blur(code)),
      sentence,
      goal: place.goal,
      step: place.step,
      turn: place.turn,
      fetch,
      supersededBy: null,
      supersedes,
      uses: [],
    };
    facts.push(fact);
    return fact;
  };
  return {
    facts,
    newCode: codes.word,
    plain: (kind, place, fetch) => {
      const code = kind === "exact-value" ? codes.number() : codes.word();
      const { token, sentence } = wordFact(kind, code, rng.fork("wording", facts.length));
      return add(kind, kind === "error-fix" ? code.toUpperCase() : code, token, sentence, place, fetch, null);
    },
    named: (kind, code, token, sentence, place, fetch) => add(kind, code, token, sentence, place, fetch, null),
    correction: (old, place) => {
      const code = codes.number();
      const token = old.token.replace(old.code, code);
      const fact = add(
        "exact-value",
        code,
        token,
        `No, not that: it has to be ${token} from now on.`,
        place,
        null,
        old.index,
      );
      old.supersededBy = fact.index;
      return fact;
    },
  };
}
