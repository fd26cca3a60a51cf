/**
 * One expectation of a scenario, parsed (Y3). The forms:
 *
 *     violations{kind:constraint} == 0
 *     p(99):request_tokens < 200000
 *     compactions{layer:full} between 1 and 3
 *     event(breaker_opened) at_most 1
 *     event(microcompact{path:time}) at_least 1
 *     ends == completed
 *
 * and ` or none` after any of them, for what need not occur at all.
 */
export interface Expectation {
  readonly text: string;
  readonly subject:
    | { readonly kind: "metric"; readonly name: string; readonly labels: Labels; readonly percentile: number | null }
    | { readonly kind: "event"; readonly name: string; readonly labels: Labels }
    | { readonly kind: "ends" };
  readonly test: Test;
  readonly orNone: boolean;
}

export type Labels = Readonly<Record<string, string>>;

export type Test =
  | { readonly kind: "compare"; readonly operator: Operator; readonly value: number }
  | { readonly kind: "between"; readonly low: number; readonly high: number }
  | { readonly kind: "is"; readonly equal: boolean; readonly word: string };

const operators = ["==", "!=", "<=", ">=", "<", ">"] as const;
export type Operator = (typeof operators)[number];

/** What is wrong with an expectation's text, in one sentence that says what is allowed. */
export class ExpectationError extends Error {
  constructor(text: string, why: string) {
    super(`"${text}": ${why}`);
    this.name = "ExpectationError";
  }
}

const shape =
  /^(?:p\((?<percentile>\d+(?:\.\d+)?)\):)?(?<event>event\()?(?<name>[a-z_]+)(?:\{(?<labels>[^}]*)\})?(?<close>\))?\s+(?<test>.+?)(?<orNone>\s+or none)?$/;

/** Reads one expectation. Whether its names exist is checked where the metrics are known. Throws `ExpectationError`. */
export function parseExpectation(text: string): Expectation {
  const groups = shape.exec(text.trim())?.groups;
  if (groups === undefined || (groups.event === undefined) !== (groups.close === undefined)) {
    throw new ExpectationError(
      text,
      "expected `METRIC{label:value} == N`, `event(KIND) at_least N` or `ends == completed`",
    );
  }
  const name = groups.name ?? "";
  const labels = parseLabels(text, groups.labels ?? "");
  const test = groups.test ?? "";
  const base = { text: text.trim(), orNone: groups.orNone !== undefined };
  if (groups.event !== undefined)
    return { ...base, subject: { kind: "event", name, labels }, test: valueTest(text, test) };
  if (name === "ends") return { ...base, subject: { kind: "ends" }, test: wordTest(text, test) };
  const percentile = groups.percentile === undefined ? null : Number(groups.percentile);
  if (percentile !== null && percentile > 100) throw new ExpectationError(text, "a percentile lies between 0 and 100");
  return { ...base, subject: { kind: "metric", name, labels, percentile }, test: valueTest(text, test) };
}

function parseLabels(text: string, inner: string): Labels {
  const labels: Record<string, string> = {};
  for (const pair of inner.split(",").map((part) => part.trim())) {
    if (pair === "") continue;
    const match = /^([a-zA-Z_]+)\s*:\s*(.+)$/.exec(pair);
    if (match?.[1] === undefined || match[2] === undefined)
      throw new ExpectationError(text, `"${pair}" is no label:value`);
    labels[match[1]] = match[2];
  }
  return labels;
}

/** Words for a count; they and the signs may stand for each other. */
const words: Readonly<Record<string, Operator>> = { at_least: ">=", at_most: "<=", exactly: "==" };

function valueTest(text: string, test: string): Test {
  const between = /^between\s+(\S+)\s+and\s+(\S+)$/.exec(test);
  if (between !== null) {
    const [low, high] = [numberIn(text, between[1]), numberIn(text, between[2])];
    if (low > high) throw new ExpectationError(text, `between ${low} and ${high} holds for nothing`);
    return { kind: "between", low, high };
  }
  const [, word = "", value] = /^(\S+)\s+(\S+)$/.exec(test) ?? [];
  const operator = operators.find((known) => known === word) ?? words[word];
  if (operator === undefined) {
    const known = [...Object.keys(words), ...operators].join(" ");
    throw new ExpectationError(text, `expected one of ${known} and a number, or \`between A and B\``);
  }
  return { kind: "compare", operator, value: numberIn(text, value) };
}

function wordTest(text: string, test: string): Test {
  const match = /^(==|!=)\s+(completed|stuck|failed)$/.exec(test);
  if (match?.[2] === undefined) throw new ExpectationError(text, "a run ends == completed, stuck or failed");
  return { kind: "is", equal: match[1] === "==", word: match[2] };
}

function numberIn(text: string, word: string | undefined): number {
  if (word === undefined || !/^-?\d[\d_]*(\.\d+)?$/.test(word))
    throw new ExpectationError(text, `"${word ?? ""}" is not a number`);
  return Number(word.replaceAll("_", ""));
}

/** Whether a value passes. Words and numbers never pass each other's test. */
export function passes(test: Test, value: number | string): boolean {
  switch (test.kind) {
    case "is":
      return (value === test.word) === test.equal;
    case "between":
      return typeof value === "number" && value >= test.low && value <= test.high;
    case "compare":
      return typeof value === "number" && compare(test.operator, value, test.value);
  }
}

function compare(operator: Operator, a: number, b: number): boolean {
  switch (operator) {
    case "==":
      return a === b;
    case "!=":
      return a !== b;
    case "<":
      return a < b;
    case "<=":
      return a <= b;
    case ">":
      return a > b;
    case ">=":
      return a >= b;
  }
}
