// Breaks the library on purpose and lists what no test noticed: `npm run mutate -- [ROOM or path under src/ …] [options]`.
// Without a room: the three rooms of the library. What was found is kept in .stryker-tmp/, so only what changed is tried again.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Stryker } from "@stryker-mutator/core";

/** What is mutated, which tests judge it (folders), which of those are left out (paths), and the share of mutants that must fall. */
const rooms = {
  // The test of purity reads the source text, which is another one here; the others run long histories, or against the clock.
  compaction: {
    mutate: ["src/compaction"],
    tests: ["src/compaction"],
    without: ["purity", "compaction-laws", "session-memory/session-memory-speed"].map(
      (name) => `src/compaction/${name}.test.ts`,
    ),
    atLeast: 85,
  },
  transcript: { mutate: ["src/transcript"], tests: ["src/transcript"], without: [], atLeast: 85 },
  tokens: { mutate: ["src/tokens"], tests: ["src/tokens"], without: [], atLeast: 85 },
  // Without the tests that run whole sessions under every strategy: they take longer than all others together.
  agent: {
    mutate: ["src/agent"],
    tests: ["src/agent"],
    without: ["kill-and-resume", "mid-flight", "strategy/strategies"].map((name) => `src/agent/${name}.test.ts`),
    atLeast: 75,
  },
  mock: {
    mutate: ["src/mock-api/validate", "src/mock-api/cache"],
    tests: ["src/mock-api"],
    // Without those that take seconds: a hundred thousand messages or requests say nothing that a row of the tables does not.
    without: ["transports", "sdk-types", "memory", "fuzz", "validate/most-messages", "facts/continuation"].map(
      (test) => `src/mock-api/${test}`,
    ),
    atLeast: 80,
  },
};
const library = ["compaction", "transcript", "tokens"];

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    score: { type: "boolean", default: false },
    anew: { type: "boolean", default: false },
    static: { type: "boolean", default: false },
    runner: { type: "string", default: "warm" },
    concurrency: { type: "string", default: "1" },
    cases: { type: "string", default: "40" },
    tests: { type: "string" },
    mutate: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

if (given.help) {
  console.log(`npm run mutate -- [ROOM or path …]   rooms: ${Object.keys(rooms).join(", ")} (none named: ${library.join(", ")})
  --score          only print what earlier runs found
  --anew           try every mutant again
  --static         also mutants of code that runs when a module is loaded
  --runner vitest  start vitest anew for every mutant: fifty times slower, nothing shared between mutants
  --cases N        cases of each property (40)
  --tests PATHS    only these tests, comma-separated: quicker, and what they let pass is what they do not know
  --concurrency N  processes (1)
  --mutate GLOBS   what to mutate, comma-separated, within the room named`);
  process.exit(0);
}

const roomOf = (path) =>
  Object.keys(rooms).find((name) => rooms[name].mutate.some((folder) => path.startsWith(folder)));
/** Room name → paths to mutate in it; null for all of it. */
const wanted = new Map();
for (const one of positionals.length > 0 ? positionals : given.mutate ? given.mutate.split(",").slice(0, 1) : library) {
  const name = one in rooms ? one : roomOf(one.replace(/^\.\//, ""));
  if (name === undefined) {
    console.error(
      `mutate: no room for "${one}". Rooms: ${Object.keys(rooms).join(", ")}; or a path inside one of them.`,
    );
    process.exit(2);
  }
  wanted.set(name, one in rooms ? null : [...(wanted.get(name) ?? []), one]);
}

mkdirSync(".stryker-tmp", { recursive: true });
const kept = (name) => `.stryker-tmp/${given.runner}-${name}.json`;

for (const [name, paths] of given.score ? [] : wanted) {
  const { mutate, without } = rooms[name];
  const tests = given.tests?.split(",") ?? rooms[name].tests;
  const globs = (paths ?? mutate).map((path) => (path.endsWith(".ts") ? path : `${path.replace(/\/$/, "")}/**/*.ts`));
  process.env.LONGHAUL_CASES = given.cases;
  process.env.LONGHAUL_FUZZ = given.cases;
  const isVitest = given.runner === "vitest";
  await new Stryker({
    mutate: [...(given.mutate?.split(",") ?? globs), "!src/**/*.test.ts", "!src/**/index.ts"],
    testRunner: given.runner,
    plugins: [isVitest ? "@stryker-mutator/vitest-runner" : "./.ci/mutation/warm-runner.mjs"],
    ...(isVitest ? { vitest: { dir: tests[0], related: false } } : { warm: { tests, without } }),
    coverageAnalysis: "perTest",
    ignoreStatic: !given.static,
    ignorePatterns: ["/dist", "/reports", "/coverage"],
    concurrency: Number(given.concurrency),
    timeoutMS: 5_000,
    incremental: true,
    incrementalFile: kept(name),
    force: given.anew,
    reporters: ["progress-append-only"],
    warnings: { unknownOptions: false },
  })
    .runMutationTest()
    .catch(({ message }) => {
      console.error(`mutate: ${name}: ${message} Are its tests green? npx vitest run ${tests.join(" ")}`);
      process.exit(1);
    });
}

let short = false;
const total = {};
for (const [name, paths] of wanted) {
  if (!existsSync(kept(name))) {
    console.log(`${name}: not tried yet`);
    short = true;
    continue;
  }
  const { files } = JSON.parse(readFileSync(kept(name), "utf8"));
  const counts = {};
  for (const [file, { mutants, source }] of Object.entries(files)) {
    if (paths && !given.mutate && !paths.some((path) => file.startsWith(path))) continue;
    for (const mutant of mutants) {
      counts[mutant.status] = (counts[mutant.status] ?? 0) + 1;
      total[mutant.status] = (total[mutant.status] ?? 0) + 1;
      if (mutant.status === "Survived" || mutant.status === "NoCoverage") console.log(survivor(file, mutant, source));
    }
  }
  console.log(`${name.padEnd(10)} ${inWords(counts)}\n`);
  if (!paths && score(counts) < rooms[name].atLeast) short = true;
}
if (wanted.size > 1) console.log(`${"together".padEnd(10)} ${inWords(total)}`);
process.exitCode = short ? 1 : 0;

function survivor(file, { location, mutatorName, replacement, status }, source) {
  const { start, end } = location;
  const lines = source.split("\n").slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1);
  const was = lines.join("\n").slice(start.column - 1);
  const short = (text) => (text.length > 90 ? `${text.slice(0, 60)} … ${text.slice(-25)}` : text).replace(/\s+/g, " ");
  const note = status === "NoCoverage" ? " (no test comes here)" : "";
  return `${file}:${start.line}:${start.column} ${mutatorName}${note}: ${short(was)}  =>  ${short(replacement ?? "")}`;
}

function score({ Killed = 0, Timeout = 0, Survived = 0, NoCoverage = 0 }) {
  return (100 * (Killed + Timeout)) / Math.max(1, Killed + Timeout + Survived + NoCoverage);
}

function inWords(counts) {
  const { Killed = 0, Timeout = 0, Survived = 0, NoCoverage = 0, Ignored = 0, ...rest } = counts;
  const odd = Object.entries(rest).map(([status, count]) => `, ${count} ${status}`);
  return (
    `${score(counts).toFixed(2)} % of ${Killed + Timeout + Survived + NoCoverage} mutants: ${Killed} killed, ${Timeout} timed out, ` +
    `${Survived} survived, ${NoCoverage} without a test; ${Ignored} ignored${odd.join("")}`
  );
}
