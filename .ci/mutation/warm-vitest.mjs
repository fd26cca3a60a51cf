// What the tests get for `vitest` in the warm runner: the real `expect`, and a `test` that only remembers what it was given.
import { format } from "node:util";
import fc from "fast-check";

export { assert, assertType, chai, expect, expectTypeOf, vi } from "vitest";

// One seed, so that a mutant's fate does not hang on luck; a failure is enough, the smallest is not asked for.
fc.configureGlobal({ seed: 20261201, endOnFailure: true, numRuns: Number(process.env.LONGHAUL_CASES) });

/** The test files as they were loaded: { path, tests: [{ id, name, run }], beforeEach, afterEach, beforeAll, afterAll }. */
export const suite = { files: [] };
let path = [];

export function beginFile(file) {
  suite.files.push({ path: file, tests: [], beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] });
}

function add(name, run) {
  const file = suite.files.at(-1);
  const full = [...path, name].join(" ");
  const before = file.tests.filter((test) => test.title === full).length;
  const unique = before === 0 ? full : `${full} (${before + 1})`;
  file.tests.push({ title: full, name: unique, id: `${file.path}#${unique}`, run });
}

const bodyOf = (given) => given.find((one) => typeof one === "function");

function titled(title, args, index) {
  const named = title
    .replace(/%#/g, String(index))
    .replace(/\$(\w+)/g, (whole, key) => (args[0] && key in args[0] ? String(args[0][key]) : whole));
  return format(named, ...args.slice(0, (named.match(/%[sdifjoO]/g) ?? []).length));
}

export function test(name, ...given) {
  add(name, bodyOf(given));
}
test.each =
  (rows) =>
  (title, ...given) =>
    rows.forEach((row, index) => {
      const args = Array.isArray(row) ? row : [row];
      add(titled(title, args, index), () => bodyOf(given)(...args));
    });

export function describe(name, ...given) {
  path.push(name);
  bodyOf(given)();
  path = path.slice(0, -1);
}

const hook = (kind) => (run) => suite.files.at(-1)[kind].push(run);
export const beforeAll = hook("beforeAll");
export const afterAll = hook("afterAll");
export const beforeEach = hook("beforeEach");
export const afterEach = hook("afterEach");
