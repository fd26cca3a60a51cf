/**
 * Which test names which rule (`npm run rules`). `rules.json` has the rules by page. A test names its rules at the start of its title ("M5: …",
 * "FC3, M7: …", "RC2-RC6: …"), a row of a table also by `rule: "V4"`. Tests of every room count, except where two pages have the same rule:
 * there `rooms` says whose tests speak of which page.
 * Exit 1 when a rule of a page that is `complete` has no test, or a test names a rule that no page has. `--quiet` prints only those.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";

const root = resolve(import.meta.dirname, "..");
const pages = Object.entries(JSON.parse(readFileSync(join(root, ".ci/rules.json"), "utf8")));

/** The title of a test or of a table of tests: the first text of a call. */
const TITLE = /(?:\btest(?:\.\w+)*|[\])`])\(\s*(["'`])((?:(?!\1)[^\\]|\\.)*)\1/gs;
const ROW = /\brule: "([A-Z]{1,2}\d+)"(?:,\s*\w+:\s*(["'`])((?:(?!\2)[^\\]|\\.)*)\2)?/gs;
const RULES = /^([A-Z]{1,2}\d+(?:(?:, | and |-)[A-Z]{1,2}\d+)*): /;

const testsOf = new Map();
const strangers = [];
let titles = 0;
for (const file of testFiles()) {
  const path = relative(root, file).split(sep).join("/");
  const text = readFileSync(file, "utf8");
  for (const [, , title] of text.matchAll(TITLE)) {
    titles++;
    for (const id of rulesOf(title)) note(id, title, path);
  }
  for (const [, id, , says] of text.matchAll(ROW)) note(id, `${id}: ${says ?? "a row of a table"}`, path);
}

const say = process.argv.includes("--quiet") ? () => {} : console.log;
let missing = 0;
for (const [page, { about, complete, rules }] of pages) {
  const ids = Object.keys(rules);
  const without = ids.filter((id) => !testsOf.has(`${page} ${id}`));
  const standing = complete ? "complete" : "not claimed complete";
  say(`\n${page} (${standing}): ${about}. ${ids.length - without.length} of ${ids.length} rules have a test.\n`);
  for (const id of ids) {
    const named = testsOf.get(`${page} ${id}`) ?? [];
    const example = named.length === 0 ? "—" : `${named[0].title} (${named[0].path})`;
    say(`  ${id.padEnd(4)} ${String(named.length).padStart(3)}  ${rules[id].padEnd(66)}  ${example}`);
  }
  if (complete) missing += without.length;
  if (complete && without.length > 0)
    console.error(`${page} is claimed complete, but no test names ${without.join(", ")}`);
}
for (const { id, path, title } of strangers)
  console.error(`${path}: “${title}” names ${id}, which .ci/rules.json does not have`);
say(
  `\n${titles} titles read. Without a test on complete pages: ${missing}. Titles that name an unknown rule: ${strangers.length}.`,
);
process.exitCode = missing + strangers.length > 0 ? 1 : 0;

function note(id, title, path) {
  const [top, inner] = path.split("/");
  const page = pageOf(id, top === "src" ? inner : top);
  if (page === undefined) strangers.push({ id, path, title });
  else testsOf.set(`${page} ${id}`, [...(testsOf.get(`${page} ${id}`) ?? []), { title, path }]);
}

function pageOf(id, room) {
  const having = pages.filter(([, { rules }]) => rules[id] !== undefined);
  const letters = id.replace(/\d+$/, "");
  const [page] = having.length === 1 ? having : having.filter(([, { rooms }]) => rooms?.[letters]?.includes(room));
  return page?.[0];
}

/** "RC2-RC4" is RC2, RC3 and RC4. */
function rulesOf(title) {
  const parts = RULES.exec(title)?.[1].split(/, | and /) ?? [];
  return parts.flatMap((part) => {
    const [from, to = from] = part.split("-");
    const letters = from.replace(/\d+$/, "");
    const [first, last] = [from, to].map((id) => Number(id.slice(letters.length)));
    return Array.from({ length: last - first + 1 }, (_, i) => `${letters}${first + i}`);
  });
}

function testFiles() {
  const names = ["src", "bench"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => join(root, folder, name)),
  );
  return names.filter((name) => name.endsWith(".test.ts")).sort();
}
