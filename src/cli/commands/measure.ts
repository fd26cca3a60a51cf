import type { Command } from "commander";
import { addCorpusCommand } from "./measure-corpus.ts";
import { addDeterminismCommand } from "./measure-determinism.ts";
import { addEffectsCommand } from "./measure-effects.ts";
import { addEstimatorsCommand } from "./measure-estimators.ts";
import { addLoopCommand } from "./measure-loop.ts";
import { addThroughputCommand } from "./measure-throughput.ts";
import { addTransportsCommand } from "./measure-transports.ts";

/** Measurements of the tool itself, each a table that a reader can hold against what is claimed. */
export function addMeasureCommand(program: Command): void {
  const measure = program
    .command("measure")
    .summary("measure the tool itself: its corpus, its estimators, the effects that others have published")
    .description("Measures the tool itself, and prints what came out beside what it is held against.");
  addEstimatorsCommand(measure);
  addThroughputCommand(measure);
  addTransportsCommand(measure);
  addCorpusCommand(measure);
  addLoopCommand(measure);
  addEffectsCommand(measure);
  addDeterminismCommand(measure);
}
