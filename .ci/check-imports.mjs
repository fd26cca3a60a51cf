// Runs dependency-cruiser on src/ and bench/ and refuses a pass that did not read every file: with a compiler that it
// cannot drive (TypeScript 7 alone), dependency-cruiser reads no TypeScript at all and reports success.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folders = ["src", "bench"].filter((folder) => existsSync(folder));

const typescriptFiles = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name)),
);

const run = spawnSync("node_modules/.bin/depcruise", [...folders, "--output-type", "json"], {
  encoding: "utf8",
  maxBuffer: 1 << 28,
});
if (!run.stdout.trimStart().startsWith("{")) {
  console.error(run.stderr || run.stdout || "dependency-cruiser said nothing");
  process.exit(1);
}
const { modules, summary } = JSON.parse(run.stdout);
const problems = [];

for (const violation of summary.violations.filter(({ rule }) => rule.severity === "error")) {
  const path = violation.cycle ? violation.cycle.map(({ name }) => name).join(" → ") : violation.to;
  const comment = summary.ruleSetUsed.forbidden.find(({ name }) => name === violation.rule.name)?.comment ?? "";
  problems.push(`${violation.rule.name}: ${violation.from} → ${path}\n    ${comment}`);
}

const cruised = new Map(modules.map((module) => [module.source, module]));
for (const file of typescriptFiles) {
  const module = cruised.get(file);
  if (module === undefined) {
    problems.push(`unread: ${file}\n    dependency-cruiser did not read this file, so no rule was tried on it.`);
  } else if (module.dependencies.length === 0 && /^(import|export)\s[^;]*?from\s+"/m.test(readFileSync(file, "utf8"))) {
    problems.push(`unread: ${file}\n    this file imports something, and dependency-cruiser saw no import in it.`);
  }
}

for (const problem of problems) console.error(`  ${problem}`);
const read = typescriptFiles.filter((file) => cruised.has(file)).length;
console.log(`imports: ${read} of ${typescriptFiles.length} TypeScript files read, ${problems.length} problems`);
process.exit(problems.length === 0 && read > 0 ? 0 : 1);
