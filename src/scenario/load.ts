import * as v from "valibot";
import { isMap, isScalar, LineCounter, parseDocument } from "yaml";
import type { Expectation } from "./expectation.ts";
import { ExpectationError, parseExpectation } from "./expectation.ts";
import { nearest } from "./nearest.ts";
import type { ScenarioFile } from "./schema.ts";
import { scenarioSchema } from "./schema.ts";
import { unknownNameIn } from "./vocabulary.ts";

/** A checked scenario: the file's content, its name (the file's), and its expectations parsed. */
export interface Scenario extends Omit<ScenarioFile, "expect" | "sometimes"> {
  readonly name: string;
  /** As the user typed it: what a replay line names. */
  readonly file: string;
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

/** Reads a scenario from YAML or JSON text. Throws `ScenarioError` for the first thing that is wrong. */
export function parseScenario(file: string, text: string): Scenario {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  const syntax = document.errors[0];
  if (syntax !== undefined) {
    const where = lines.linePos(syntax.pos[0]).line;
    throw new ScenarioError(file, where, `not YAML: ${syntax.message.split("\n")[0]}`);
  }
  const lineOf = (path: readonly unknown[]): number | null => lineAt(document.contents, path, lines);
  const result = v.safeParse(scenarioSchema, document.toJS());
  if (!result.success) {
    const issue = result.issues[0];
    const path = (issue.path ?? []).map((item) => item.key);
    throw new ScenarioError(file, lineOf(path), explain(issue, path));
  }
  const read = (key: "expect" | "sometimes"): Expectation[] =>
    result.output[key].map((entry, i) => {
      try {
        const expectation = parseExpectation(entry);
        const unknown = unknownNameIn(expectation);
        if (unknown !== null) throw new ExpectationError(entry, unknown);
        return expectation;
      } catch (error) {
        if (error instanceof ExpectationError) throw new ScenarioError(file, lineOf([key, i]), error.message);
        throw error;
      }
    });
  const name = file.replace(/^.*\//, "").replace(/\.(ya?ml|json)$/, "");
  return { ...result.output, name, file, expect: read("expect"), sometimes: read("sometimes") };
}

function explain(issue: v.BaseIssue<unknown>, path: readonly unknown[]): string {
  const at = path.join(".");
  if (issue.type === "strict_object" && issue.expected === "never") {
    const key = String(path.at(-1));
    const near = nearest(key, knownKeys(path.slice(0, -1)));
    return `unknown key "${at}"${near === undefined ? "" : `; did you mean "${near}"?`} (allowed: ${knownKeys(path.slice(0, -1)).join(", ")})`;
  }
  if (issue.received === "undefined") return `"${at}" is missing (expected ${issue.expected})`;
  const near = issue.type === "picklist" ? nearest(String(issue.input), optionsOf(issue.expected)) : undefined;
  return `"${at}" is ${issue.received}${near === undefined ? "" : `; did you mean "${near}"?`} (expected ${expected(issue)})`;
}

function expected(issue: v.BaseIssue<unknown>): string {
  return issue.expected?.replaceAll('"', "").replaceAll(" | ", ", ") ?? issue.message;
}

function optionsOf(expectedText: string | null): string[] {
  return [...(expectedText ?? "").matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? "");
}

/** The keys that the schema allows at a path. */
function knownKeys(path: readonly unknown[]): string[] {
  let schema: unknown = scenarioSchema;
  for (const key of path) schema = childOf(unwrap(schema), key);
  const { entries, options } = unwrap(schema) as { entries?: object; options?: readonly { entries: object }[] };
  if (entries !== undefined) return Object.keys(entries);
  return [...new Set((options ?? []).flatMap((option) => Object.keys(option.entries)))];
}

function childOf(schema: unknown, key: unknown): unknown {
  const { entries, item } = schema as { entries?: Record<string, unknown>; item?: unknown };
  return typeof key === "number" ? item : entries?.[String(key)];
}

function unwrap(schema: unknown): unknown {
  const inner = (schema as { wrapped?: unknown } | undefined)?.wrapped;
  return inner === undefined ? (schema ?? {}) : unwrap(inner);
}

/** The line of the nearest node on the way to `path` that the file has. */
function lineAt(root: unknown, path: readonly unknown[], lines: LineCounter): number | null {
  let node = root as { get?: (key: unknown, keep: true) => unknown; range?: readonly number[] } | null;
  let offset = node?.range?.[0];
  for (const key of path) {
    if (node === null || typeof node?.get !== "function") break;
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && item.key.value === key);
      const keyRange = isScalar(pair?.key) ? pair.key.range : undefined;
      offset = keyRange?.[0] ?? offset;
    }
    node = (node.get(key, true) ?? null) as typeof node;
    if (typeof key === "number") offset = node?.range?.[0] ?? offset;
  }
  return offset === undefined ? null : lines.linePos(offset).line;
}
