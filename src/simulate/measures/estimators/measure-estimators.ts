import type { Rng } from "../../../determinism/index.ts";
import { createRng } from "../../../determinism/index.ts";
import { createMockApi } from "../../../mock-api/index.ts";
import type { ProfileName } from "../../../workload/index.ts";
import { converse, createWorkload } from "../../../workload/index.ts";
import type { Guess, HeldSession, TrueCount } from "./follow-session.ts";
import { followSession } from "./follow-session.ts";

/** One of each tokenizer generation. */
const modelOf = { old: "claude-sonnet-4-5", new: "claude-sonnet-5-5" } as const;
export type Tokenizer = keyof typeof modelOf;
const tokenizers: readonly Tokenizer[] = ["old", "new"];

/** Shares, not signed: how far a guess was from what the server counts. */
export interface ErrorOf {
  readonly p50: number;
  readonly p90: number;
}

export interface EstimatorError {
  /** A profile, or a kind of content. */
  readonly of: string;
  readonly tokenizer: Tokenizer;
  /** Guesses compared. */
  readonly samples: number;
  readonly rough: ErrorOf;
  readonly calibrated: ErrorOf;
}

export interface EstimatorReport {
  /** Of the whole input of a request. */
  readonly profiles: readonly EstimatorError[];
  /** Of single texts, by what the calibrated estimator takes them for. */
  readonly kinds: readonly EstimatorError[];
}

export interface EstimatorPlan {
  readonly profiles: readonly ProfileName[];
  readonly seeds: readonly number[];
  /** Answers of the model in each session. */
  readonly rounds: number;
}

/**
 * How far the estimators are from the server's hidden count, cold: no usage enters a figure; what the calibrated one has learned of its rates in earlier
 * rounds of the same session does (T6). The first round, in which there was nothing to learn from, is left out. Each seed has its own session and
 * its own hidden rates.
 */
export function measureEstimators(
  { profiles, seeds, rounds }: EstimatorPlan,
  onSession: (profile: ProfileName, seed: number) => void = () => {},
): EstimatorReport {
  const byProfile = new Samples();
  const byKind = new Samples();
  for (const profile of profiles) {
    for (const seed of seeds) {
      const rng = createRng(seed).fork("estimators", profile);
      const session = holdSession(profile, rounds, rng);
      for (const tokenizer of tokenizers) {
        const { requests, texts } = followSession({ ...session, tokenizer }, countBy(tokenizer, rng));
        for (const one of requests) byProfile.add(profile, tokenizer, one);
        for (const one of texts) byKind.add(one.kind, tokenizer, one);
      }
      onSession(profile, seed);
    }
  }
  return { profiles: byProfile.errors(), kinds: byKind.errors() };
}

function holdSession(profile: ProfileName, rounds: number, rng: Rng): Omit<HeldSession, "tokenizer"> {
  const workload = createWorkload({ profile, rounds, rng: rng.fork("workload") });
  const { messages } = converse(workload, { mostRounds: rounds, rng: rng.fork("dry") });
  return { messages, system: workload.system, tools: workload.tools };
}

/** The hidden truth of one seed. */
function countBy(tokenizer: Tokenizer, rng: Rng): TrueCount {
  const api = createMockApi({ model: () => ({ content: [], trace: [] }), rng: rng.fork("mock-api"), now: () => 0 });
  const model = modelOf[tokenizer];
  return (request) => {
    const tokens = api.countTrueTokens({ model, max_tokens: 8_000, ...request });
    if (tokens === undefined) throw new Error(`the mock does not know ${model}`);
    return tokens;
  };
}

class Samples {
  readonly #guesses = new Map<string, { of: string; tokenizer: Tokenizer; rough: number[]; calibrated: number[] }>();

  add(of: string, tokenizer: Tokenizer, { rough, calibrated, actual }: Guess): void {
    const key = `${of}/${tokenizer}`;
    let kept = this.#guesses.get(key);
    if (kept === undefined) {
      kept = { of, tokenizer, rough: [], calibrated: [] };
      this.#guesses.set(key, kept);
    }
    kept.rough.push(Math.abs(rough / actual - 1));
    kept.calibrated.push(Math.abs(calibrated / actual - 1));
  }

  errors(): readonly EstimatorError[] {
    return [...this.#guesses.values()].map(({ of, tokenizer, rough, calibrated }) => ({
      of,
      tokenizer,
      samples: rough.length,
      rough: errorOf(rough),
      calibrated: errorOf(calibrated),
    }));
  }
}

/** By the nearest rank. */
function errorOf(shares: readonly number[]): ErrorOf {
  const sorted = shares.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
  return { p50: at(0.5), p90: at(0.9) };
}
