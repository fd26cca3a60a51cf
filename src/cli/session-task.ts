import type { Difference, RunResult, Scenario, SuiteResult } from "../scenario/index.ts";
import type { Transport } from "../simulate/index.ts";

/** What a worker process is asked to do: one thing at a time, all of it plain data. */
export type SessionTask =
  /** Runs a session, judges it, writes its record. */
  | {
      readonly kind: "run";
      readonly scenario: Scenario;
      readonly seed: number;
      readonly transport: Transport;
      readonly record: string;
    }
  /** Runs it again and compares with the record that is there. */
  | {
      readonly kind: "run-again";
      readonly scenario: Scenario;
      readonly seed: number;
      readonly transport: Transport;
      readonly record: string;
    }
  /** Makes the page of a run from its record. */
  | { readonly kind: "run-page"; readonly run: RunResult; readonly out: string; readonly alone: boolean }
  /** Makes the page of a suite from the records of its runs. */
  | { readonly kind: "suite-page"; readonly suite: SuiteResult; readonly out: string };

/** What each task answers. */
export interface SessionAnswers {
  readonly run: Pick<RunResult, "verdict" | "summary">;
  readonly "run-again": Difference | null;
  readonly "run-page": null;
  readonly "suite-page": null;
}

export interface SessionProgress {
  readonly round: number;
  readonly rounds: number;
}

/** From a worker to the program. */
export type WorkerMessage =
  | { readonly kind: "ready" }
  | ({ readonly kind: "progress" } & SessionProgress)
  | { readonly kind: "answer"; readonly value: unknown }
  | { readonly kind: "error"; readonly name: string; readonly message: string; readonly stack: string };
