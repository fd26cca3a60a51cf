import { existsSync } from "node:fs";
import type { BenchRow } from "../report/index.ts";
import { UsageError } from "./usage-error.ts";

type Growth = NonNullable<BenchRow["growth"]>;
type Timing = Omit<BenchRow, "change" | "verdict">;
type Comparison = Required<Pick<BenchRow, "change" | "verdict">>;

/** Medians that were committed, and where they were measured. Written and compared by `bench/`. */
export interface Baseline {
  readonly machine: string;
  readonly node: string;
  readonly noiseFloor: number;
  readonly medians: Readonly<Record<string, number>>;
}

/** What `bench/index.ts` gives. It stands outside `src/`, so it is loaded by its path and is no part of the package. */
export interface BenchDoor {
  readonly subjects: readonly { readonly name: string; readonly says: string }[];
  readonly sizes: Readonly<Record<"quick" | "full", readonly number[]>>;
  measure(
    subjects: BenchDoor["subjects"],
    options: {
      readonly sizes: readonly number[];
      readonly timeMs: number;
      readonly onProgress?: (name: string, n: number) => void;
    },
  ): Promise<Timing[]>;
  compare(timing: Timing, baseline: Baseline, here: Pick<Baseline, "machine" | "node">): Comparison | undefined;
  growsTooFast(growth: Growth): boolean;
  rowKey(timing: Pick<Timing, "name" | "n">): string;
}

const door = new URL("../../bench/index.ts", import.meta.url);

/** The benchmarks of this checkout. Throws `UsageError` in an installed package, which has none. */
export async function openBench(): Promise<BenchDoor> {
  if (!existsSync(door))
    throw new UsageError("bench: the benchmarks are run in a checkout of longhaul, not in the installed package");
  return (await import(door.href)) as BenchDoor;
}
