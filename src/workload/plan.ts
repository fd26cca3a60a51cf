import type { Language } from "./text-pools.ts";
import type { FactKind } from "./trace.ts";

/**
 * The whole session as planned from the seed (W3). It is the simulated model's skill: it may know *how* a visible goal is reached,
 * never *that* something was said, done or seen.
 * Everything refers to everything else by index.
 */
export interface Plan {
  /** Stands in the system prompt: by it the model knows its own world from a foreign one. */
  readonly projectCode: string;
  readonly root: string;
  readonly goals: readonly PlanGoal[];
  readonly steps: readonly PlanStep[];
  readonly batches: readonly PlanBatch[];
  readonly turns: readonly PlanTurn[];
  readonly facts: readonly PlanFact[];
  readonly files: readonly PlanFile[];
}

export interface PlanGoal {
  readonly index: number;
  readonly id: string;
  /** `k3f9x2`; marks of finished steps are `k3f9x2.17` and `k3f9x2.4-17`. */
  readonly code: string;
  /** `TASK-k3f9x2`. */
  readonly token: string;
  readonly title: string;
  /** Index of the goal among the facts. */
  readonly fact: number;
  /** Indices of its steps, in order. */
  readonly steps: readonly number[];
}

export interface PlanStep {
  readonly index: number;
  readonly goal: number;
  /** Number within the goal, from 1. */
  readonly n: number;
  readonly batch: number;
  /** Null: a text that ends the turn. */
  readonly call: PlannedCall | null;
  /** Facts that it needs. */
  readonly needs: readonly number[];
  /** Facts that stand in its tool result. */
  readonly yields: readonly number[];
}

/** One answer of the model: steps of one goal that are taken side by side. */
export interface PlanBatch {
  readonly index: number;
  readonly goal: number;
  readonly turn: number;
  readonly steps: readonly number[];
  /** Facts that the model itself brings up in the text of this answer. */
  readonly states: readonly number[];
  /** Facts from the last tool results that it says again, because they cannot be fetched (W2). */
  readonly restates: readonly number[];
  readonly endsTurn: boolean;
}

export interface PlanTurn {
  readonly index: number;
  /** Goals that the user's message gives. */
  readonly goals: readonly number[];
  /** Other facts in it, corrections included. */
  readonly says: readonly number[];
  /** The goal at work. */
  readonly goal: number;
}

export interface PlannedCall {
  readonly tool: string;
  /** What it is about: see `planned-input.ts`. */
  readonly flavour: string;
  readonly file: number | null;
  readonly inputChars: number;
  readonly resultChars: number;
  /** The last earlier edit of the same part of the file. */
  readonly previousEdit: number | null;
  /** For an edit: which part of the file, of eight. */
  readonly part: number;
}

export interface PlanFact {
  readonly index: number;
  readonly id: string;
  readonly kind: FactKind;
  readonly token: string;
  /** The part of the token by which a scan finds it, and where in the token it stands. */
  readonly code: string;
  /** The token with one digit changed. */
  readonly blurredToken: string;
  /** A sentence that holds the token. */
  readonly sentence: string;
  readonly goal: number;
  /** Step at which it is born; null: in the user's message. */
  readonly step: number | null;
  readonly turn: number;
  readonly fetch: FactFetch | null;
  readonly supersededBy: number | null;
  readonly supersedes: number | null;
  /** Steps that need it, ascending. */
  readonly uses: readonly number[];
}

/** The tool call that brings a fact back. */
export type FactFetch =
  | { readonly kind: "read"; readonly file: number }
  | { readonly kind: "grep"; readonly file: number }
  | { readonly kind: "git"; readonly area: string }
  | { readonly kind: "rerun"; readonly step: number };

export interface PlanFile {
  readonly index: number;
  /** Relative to the project's root. */
  readonly path: string;
  readonly area: string;
  /** Found nowhere else: searching for it finds the file. */
  readonly symbol: string;
  readonly language: Language;
  /** Size before any edit. */
  readonly chars: number;
  /** Facts that stand at its head. */
  readonly facts: readonly number[];
  readonly pathFact: number;
  /** The step that makes it, when it is not there from the start. */
  readonly writtenBy: number | null;
}
