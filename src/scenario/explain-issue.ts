import type * as v from "valibot";
import { nearest } from "./nearest.ts";
import { scenarioSchema } from "./schema.ts";
import type { SchemaNode } from "./schema-walk.ts";
import { keysAt, schemaAt, unwrapped } from "./schema-walk.ts";

/** One thing that is wrong with a file's content: where, and a sentence that says what is allowed. */
export interface Explained {
  readonly path: readonly unknown[];
  readonly text: string;
}

/** The issue that helps most. A misspelt key comes before the missing one that it was meant to be. */
export function explainFirst(issues: readonly v.BaseIssue<unknown>[]): Explained {
  const issue = issues.find(isUnknownKey) ?? issues[0];
  if (issue === undefined) throw new RangeError("no issue to explain");
  const path = (issue.path ?? []).map((item) => item.key);
  return { path, text: explain(issue, path) };
}

const root = scenarioSchema as SchemaNode;

function explain(issue: v.BaseIssue<unknown>, path: readonly unknown[]): string {
  const at = pathText(path);
  if (isUnknownKey(issue)) {
    const known = keysAt(root, path.slice(0, -1));
    return `unknown key "${at}"${didYouMean(String(path.at(-1)), known)} (allowed: ${known.join(", ")})`;
  }
  if (issue.received === "undefined") return `"${at}" is missing (expected ${expectedAt(path)})`;
  if (issue.kind === "validation") return `"${at}" is ${shown(issue.input)} (expected ${bound(issue)})`;
  const words = [...(issue.expected ?? "").matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? "");
  return `${at === "" ? "the file" : `"${at}"`} is ${shown(issue.input)}${didYouMean(String(issue.input), words)} (expected ${expectedAt(path)})`;
}

function isUnknownKey(issue: v.BaseIssue<unknown>): boolean {
  return issue.type === "strict_object" && issue.expected === "never";
}

/** `faults.0.kind` as a reader of the file counts: `faults[1].kind`. */
function pathText(path: readonly unknown[]): string {
  return path
    .map((key, i) => (typeof key === "number" ? `[${key + 1}]` : i === 0 ? String(key) : `.${String(key)}`))
    .join("");
}

function didYouMean(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined ? "" : `; did you mean "${near}"?`;
}

function shown(input: unknown): string {
  if (Array.isArray(input)) return "a list";
  if (typeof input === "object" && input !== null) return "a map";
  const text = JSON.stringify(input) ?? String(input);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** What the schema wants at a path, in words. */
function expectedAt(path: readonly unknown[]): string {
  const schema = schemaAt(root, path);
  return schema === undefined ? "something else" : inWords(unwrapped(schema));
}

function inWords(schema: SchemaNode): string {
  const bounds = (schema.pipe ?? []).map((action) => action.type);
  switch (schema.type) {
    case "string":
      return bounds.includes("url") ? "a URL" : "a text";
    case "number":
      return bounds.includes("integer") ? "a whole number" : "a number";
    case "boolean":
      return "true or false";
    case "array":
      return schema.item === undefined ? "a list" : `a list, each ${inWords(unwrapped(schema.item))}`;
    case "picklist":
      return `one of ${(schema.options ?? []).join(", ")}`;
    case "literal":
      return String(schema.literal);
    case "union":
      return ((schema.options ?? []) as readonly SchemaNode[]).map(inWords).join(" or ");
    case "variant":
      return `a map with ${variantKeys(schema)}`;
    case "never":
      return "nothing";
    default:
      return `a map${schema.entries === undefined ? "" : ` with ${Object.keys(schema.entries).join(", ")}`}`;
  }
}

/** What tells the alternatives apart: the words of `do`, or the keys that each must have. */
function variantKeys(schema: SchemaNode): string {
  const options = (schema.options ?? []) as readonly SchemaNode[];
  const words = options.flatMap((option) =>
    option.entries?.do === undefined ? [] : [String(option.entries.do.literal)],
  );
  if (words.length > 0) return `do: ${words.join(" | ")}`;
  const required = (option: SchemaNode): string[] =>
    Object.entries(option.entries ?? {}).flatMap(([key, entry]) => (entry.type.endsWith("optional") ? [] : [key]));
  return options.map((option) => required(option).join(", ")).join(", or with ");
}

/** A check that a value of the right type did not pass. */
function bound(issue: v.BaseIssue<unknown>): string {
  switch (issue.type) {
    case "min_value":
      return `${String(issue.requirement)} or more`;
    case "max_value":
      return `${String(issue.requirement)} or less`;
    case "min_length":
      return `at least ${String(issue.requirement)} ${Array.isArray(issue.input) ? "entries" : "characters"}`;
    case "integer":
      return "a whole number";
    case "url":
      return "a URL";
    default:
      return issue.expected ?? issue.message;
  }
}
