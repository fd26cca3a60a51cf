import type { Rng } from "../determinism/index.ts";
import type { FactKind } from "./trace.ts";
import { approaches, areas, nouns, packages, problems, reasons, settings, styles } from "./vocabulary.ts";

/** How a fact of each kind is worded: a token that looks natural where it stands, around its code, and a sentence around the token (W2). */
export interface WordedFact {
  readonly token: string;
  readonly sentence: string;
}

/** Kinds that are worded by their code alone. Goals and files are worded by what they are. */
export type PlainKind = Exclude<FactKind, "goal" | "current-step" | "file-read" | "file-modified">;

export function wordFact(kind: PlainKind, code: string, rng: Rng): WordedFact {
  const draft = wording[kind](code, rng);
  return { token: draft[0], sentence: draft[1] };
}

const wording: Readonly<Record<PlainKind, (code: string, rng: Rng) => readonly [string, string]>> = {
  constraint: (code, rng) => {
    const token = `${rng.pick(packages)}-${code}`;
    return [token, `Never use \`${token}\` anywhere in this work.`];
  },
  preference: (code, rng) => {
    const token = `${rng.pick(styles)}-${code}`;
    return [token, `For new code the style \`${token}\` is preferred.`];
  },
  decision: (code, rng) => {
    const token = `${rng.pick(approaches)}-${code}`;
    return [token, `Decided: the ${rng.pick(areas)} part goes by the \`${token}\` design.`];
  },
  reason: (code, rng) => {
    const token = `ADR-${code}`;
    return [token, `The reason, noted as ${token}: ${rng.pick(reasons)}.`];
  },
  "rejected-approach": (code, rng) => {
    const token = `${rng.pick(approaches)}-${code}`;
    return [token, `Tried and rejected: \`${token}\`, since ${rng.pick(problems)}.`];
  },
  "pending-task": (code, rng) => {
    const token = `followup-${code}`;
    return [token, `Still to be done later, as ${token}: bring the notes on the ${rng.pick(nouns)} up to date.`];
  },
  "error-fix": (code, rng) => {
    const token = `ERR_${code.toUpperCase()}`;
    return [
      token,
      `${token} means that ${rng.pick(problems)}; it goes away when the ${rng.pick(nouns)} is closed first.`,
    ];
  },
  "exact-value": (code, rng) => {
    const token = `${rng.pick(areas).toUpperCase()}_${rng.pick(settings)}=${code}`;
    return [token, `The value that counts is ${token}.`];
  },
  "tool-detail": (code, rng) => {
    const token = `build-${code}`;
    return [token, `The run was recorded as ${token}, with ${rng.integer(2, 90)} ${rng.pick(nouns)}s.`];
  },
};
