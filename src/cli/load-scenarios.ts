import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Scenario } from "../scenario/index.ts";
import { nearest, parseScenarios } from "../scenario/index.ts";
import { fileName } from "./report-files.ts";
import { UsageError } from "./usage-error.ts";

/** The scenarios of the named files and folders; of the suite's folder where none is named. Throws before anything has run (Y7). */
export function loadScenarios(paths: readonly string[]): Scenario[] {
  const files = (paths.length === 0 ? [suiteFolder()] : paths).flatMap(scenarioFilesAt);
  const scenarios = files.flatMap((file) => parseScenarios(file, readText(file)));
  refuseTwins(scenarios);
  for (const scenario of scenarios) refuseMissingTranscript(scenario);
  return scenarios;
}

/** `scenarios/` here, or else the one that came with the program. */
export function suiteFolder(): string {
  if (existsSync("scenarios")) return "scenarios";
  const own = fileURLToPath(new URL("../../scenarios", import.meta.url));
  return relative(process.cwd(), own) || own;
}

function scenarioFilesAt(path: string): string[] {
  if (!existsSync(path)) throw new UsageError(`${path}: there is no such file${meant(path)}`);
  if (!statSync(path).isDirectory()) return [path];
  const files = readdirSync(path)
    .filter((name) => isScenarioName(name))
    .sort()
    .map((name) => join(path, name));
  if (files.length === 0) throw new UsageError(`${path}: there is no scenario (*.yaml) in this folder`);
  return files;
}

function isScenarioName(name: string): boolean {
  return /\.(ya?ml|json)$/.test(name) && !name.endsWith(".schema.json");
}

function meant(path: string): string {
  const folder = suiteFolder();
  if (!existsSync(folder)) return "";
  const known = readdirSync(folder).filter(isScenarioName);
  const word = basename(path).replace(/\.(ya?ml|json)$/, "");
  const near = nearest(
    word,
    known.map((name) => name.replace(/\.(ya?ml|json)$/, "")),
  );
  const file = known.find((name) => name.replace(/\.(ya?ml|json)$/, "") === near);
  return file === undefined
    ? "; `longhaul list scenarios` shows those there are"
    : `; did you mean ${join(folder, file)}?`;
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`${file}: cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown error"})`);
  }
}

function refuseMissingTranscript({ file, session }: Scenario): void {
  if (session.transcript === undefined || existsSync(join(dirname(file), session.transcript))) return;
  throw new UsageError(
    `${file}: session.transcript "${session.transcript}": there is no such file (it is looked for from the scenario's folder)`,
  );
}

/** Two runs must not write one file. */
function refuseTwins(scenarios: readonly Scenario[]): void {
  const files = new Map<string, string>();
  for (const { name, file } of scenarios) {
    const key = fileName({ scenario: name, seed: 0 }).toLowerCase();
    const other = files.get(key);
    if (other !== undefined) {
      throw new UsageError(
        `${file}: the scenario "${name}" has the same name as one in ${other}; rename one of the files`,
      );
    }
    files.set(key, file);
  }
}
