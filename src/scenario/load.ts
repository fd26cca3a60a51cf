import * as v from "valibot";
import { LineCounter, parseDocument } from "yaml";
import type { Expectation } from "./expectation.ts";
import { ExpectationError, parseExpectation } from "./expectation.ts";
import { explainFirst } from "./explain-issue.ts";
import { lineAt } from "./locate.ts";
import { expandMatrix } from "./matrix.ts";
import type { ScenarioFile, ScenarioInput } from "./scenario-file.ts";
import { matrixSchema, scenarioSchema } from "./schema.ts";
import { parseSeeds, SeedError } from "./seeds.ts";
import { misnomerIn, unknownNameIn } from "./vocabulary.ts";

/** A checked scenario: the file's content with its name, seeds and expectations read. Plain data: it can be sent to another process. */
export interface Scenario extends Omit<ScenarioFile, "$schema" | "seeds" | "matrix" | "expect" | "sometimes"> {
  /** The file's name without its ending, and the combination of its matrix in brackets. */
  readonly name: string;
  /** As the user typed it: what a replay line names. */
  readonly file: string;
  /** Combination of the file's matrix; "" where it has none. */
  readonly variant: string;
  readonly seeds: readonly number[];
  readonly expect: readonly Expectation[];
  readonly sometimes: readonly Expectation[];
}

/** A mistake in a scenario file: one line that names the file, the place, and what is allowed (Y7). */
export class ScenarioError extends Error {
  constructor(file: string, line: number | null, what: string) {
    super(`${file}${line === null ? "" : `:${line}`}: ${what}`);
    this.name = "ScenarioError";
  }
}

/** Reads a scenario file, YAML or JSON: one scenario, or one for each combination of its matrix. Throws `ScenarioError` for the first thing that is wrong. */
export function parseScenarios(file: string, text: string): Scenario[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  const syntax = document.errors[0];
  if (syntax !== undefined) {
    const line = lines.linePos(syntax.pos[0]).line;
    throw new ScenarioError(
      file,
      line,
      `not YAML: ${(syntax.message.split("\n")[0] ?? "").replace(/ at line .*$/, "")}`,
    );
  }
  return readAll(file, document.toJS(), (path) => lineAt(document, lines, path));
}

/** The same from an object: what a file of that name and content would give (Y1). Throws `ScenarioError`. */
export function defineScenario(name: string, input: ScenarioInput): Scenario[] {
  return readAll(name, input, () => null);
}

type LineOf = (path: readonly unknown[]) => number | null;

function readAll(file: string, content: unknown, lineOf: LineOf): Scenario[] {
  const what = content === null || content === undefined ? "is empty" : Array.isArray(content) ? "is a list" : null;
  if (what !== null) {
    throw new ScenarioError(file, null, `the file ${what} (expected a map with at least why, session and expect)`);
  }
  const matrix = v.safeParse(matrixSchema, typeof content !== "object" ? {} : content);
  if (!matrix.success) {
    const { path, text } = explainFirst(matrix.issues);
    throw new ScenarioError(file, lineOf(path), text);
  }
  return expandMatrix(content).map((variant) => readOne(file, variant.name, variant.content, lineOf));
}

function readOne(file: string, variant: string, content: unknown, lineOf: LineOf): Scenario {
  const fail = (path: readonly unknown[], what: string): never => {
    throw new ScenarioError(file, lineOf(path), variant === "" ? what : `${what} (matrix: ${variant})`);
  };
  const result = v.safeParse(scenarioSchema, content);
  if (!result.success) {
    const { path, text } = explainFirst(result.issues);
    return fail(path, text);
  }
  const { $schema: _, seeds, matrix: __, ...rest } = result.output;
  const misnomer = misnomerIn(result.output);
  if (misnomer !== null) return fail(misnomer.path, misnomer.text);
  const read = (key: "expect" | "sometimes"): Expectation[] =>
    result.output[key].map((entry, i) => readExpectation(entry, (what) => fail([key, i], what)));
  const name = file.replace(/^.*\//, "").replace(/\.(ya?ml|json)$/, "");
  return {
    ...rest,
    name: variant === "" ? name : `${name}[${variant}]`,
    file,
    variant,
    seeds: readSeeds(seeds, (what) => fail(["seeds"], what)),
    expect: read("expect"),
    sometimes: read("sometimes"),
  };
}

function readSeeds(seeds: ScenarioFile["seeds"], fail: (what: string) => never): readonly number[] {
  if (typeof seeds === "number") return [seeds];
  if (typeof seeds !== "string") return [...new Set(seeds)];
  try {
    return parseSeeds(seeds);
  } catch (error) {
    if (error instanceof SeedError) return fail(`seeds: ${error.message}`);
    throw error;
  }
}

function readExpectation(text: string, fail: (what: string) => never): Expectation {
  try {
    const expectation = parseExpectation(text);
    const unknown = unknownNameIn(expectation);
    if (unknown !== null) throw new ExpectationError(text, unknown);
    return expectation;
  } catch (error) {
    if (error instanceof ExpectationError) return fail(error.message);
    throw error;
  }
}
