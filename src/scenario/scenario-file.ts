import type { Fault } from "../mock-api/index.ts";
import type { RunSpec, ToolFault, UserStep } from "../simulate/index.ts";

/** A scenario as its file says it, defaults filled in. What each key means stands in the schema, where editors show it. */
export interface ScenarioFile {
  readonly $schema?: string;
  readonly why: string;
  readonly seen: readonly string[];
  readonly seeds: number | string | readonly number[];
  readonly session: SessionInFile;
  readonly model: RunSpec["model"];
  readonly strategy: RunSpec["strategy"] & { readonly config: Readonly<Record<string, unknown>> };
  readonly faults: readonly Fault[];
  readonly toolFaults: readonly ToolFault[];
  readonly user: readonly UserStep[];
  readonly matrix: Readonly<Record<string, readonly unknown[]>>;
  readonly expect: readonly string[];
  readonly sometimes: readonly string[];
  readonly breaks: readonly string[];
}

/** Of the simulated world, or recorded: then only the compaction is new. */
export type SessionInFile = (RunSpec["session"] & { readonly transcript?: never }) | { readonly transcript: string };

/** A scenario as it may be written: what has a default may be left out. */
export type ScenarioInput = Pick<ScenarioFile, "why" | "expect"> &
  Partial<Pick<ScenarioFile, "seen" | "seeds" | "matrix" | "sometimes" | "breaks">> & {
    readonly session:
      | (Pick<RunSpec["session"], "profile" | "rounds"> & Partial<RunSpec["session"]>)
      | { readonly transcript: string };
    readonly model?: Partial<ScenarioFile["model"]>;
    readonly strategy?: Partial<ScenarioFile["strategy"]>;
    readonly faults?: readonly Loose<Fault, "match">[];
    readonly toolFaults?: readonly Loose<ToolFault, "match">[];
    readonly user?: readonly UserStepInput[];
  };

type Loose<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>;
type UserStepInput = UserStep extends infer Step
  ? Step extends UserStep
    ? Loose<Step, Extract<keyof Step, "focus" | "when">>
    : never
  : never;
