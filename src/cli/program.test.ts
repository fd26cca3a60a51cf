import { existsSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { runProgram } from "./program.ts";

const said: string[] = [];
let folder = "";

beforeEach(() => {
  said.length = 0;
  folder = mkdtempSync(join(tmpdir(), "longhaul-cli-"));
  vi.spyOn(console, "error").mockImplementation((line: string) => void said.push(line));
  vi.spyOn(console, "log").mockImplementation((line: string) => void said.push(line));
});

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

const scenario = `why: A scenario with room for mistakes.
session:
  profile: bugfix
  rounds: 10
expect:
  - ends == completed
`;

function fileWith(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

test.each([
  [["run", "nosuch.yaml"], "nosuch.yaml: there is no such file"],
  [["run", "a.yaml", "--seed", "abc"], '"abc": a seed is a whole number from 0 to 9007199254740991'],
  [["run", "a.yaml", "--seed", "-1"], '"-1": a seed is a whole number'],
  [["run", "a.yaml", "--seeds", "5-1"], "the range 5-1 is empty; write 1-5"],
  [["run", "a.yaml", "--seed", "1", "--seeds", "1-2"], "'--seeds <LIST>' cannot be used with option '--seed <N>'"],
  [["run", "--workers", "0"], "Allowed is a whole number from 1 to 256"],
  [["run", "--transport", "carrier-pigeon"], "Allowed choices are msw, fetch, direct, loopback"],
  [["run", "--sed", "7"], "unknown option '--sed' (Did you mean --seed?)"],
  [["rnu"], "unknown command 'rnu' (Did you mean run?)"],
  [["measure", "lopp"], "unknown command 'lopp' (Did you mean loop?)"],
  [["swarm", "libary"], "unknown command 'libary' (Did you mean library?)"],
  [["list", "scenaros"], "Allowed choices are scenarios, strategies"],
  [["replay"], "missing required argument 'FILE'"],
  [["replay", "nosuch.jsonl"], "nosuch.jsonl: there is no such file"],
  [["generate", "bugfx"], "Allowed choices are bugfix"],
  [["serve", "--port", "70000"], "Allowed is a whole number from 0 to 65535"],
  [["report", "--out", "nosuch"], "nosuch/records/suite.json: no runs are saved here; type: longhaul run"],
])("Y7: longhaul %j is one clear line and exit 2", async (words, message) => {
  await runProgram(words);
  expect(said).toHaveLength(1);
  expect(said[0]).toContain(message);
  expect(said[0]).not.toMatch(/\n|at .*\.ts/);
  expect(process.exitCode).toBe(2);
});

test("Y7: a transcript that is not there is told with the file that names it", async () => {
  const file = fileWith(
    "recorded.yaml",
    scenario.replace(/session:[\s\S]*?(?=expect)/, "session: { transcript: gone.jsonl }\n"),
  );
  await runProgram(["run", file, "--out", join(folder, "none")]);
  expect(said.join()).toContain('recorded.yaml: session.transcript "gone.jsonl": there is no such file');
  expect(process.exitCode).toBe(2);
});

test.each([
  ["a misspelt key", scenario.replace("rounds", "ronds"), ':4: unknown key "session.ronds"; did you mean "rounds"?'],
  ["broken YAML", scenario.replace("bugfix", "[bugfix"), ":4: not YAML: "],
  [
    "an unknown metric",
    scenario.replace("ends == completed", "costs < 3"),
    ':6: "costs < 3": there is no metric "costs"',
  ],
  [
    "a config that the library refuses",
    `${scenario}strategy:\n  config:\n    micro: {marker: 3}\n`,
    ":9: Compaction config: micro.marker is 3",
  ],
])("Y7: %s in a file is told with file and line, and nothing is written", async (_, text, message) => {
  const file = fileWith("bad.yaml", text);
  const out = join(folder, "reports");
  await runProgram(["run", file, "--out", out]);
  expect(said).toHaveLength(1);
  expect(said[0]).toContain(`longhaul: ${file}${message}`);
  expect(process.exitCode).toBe(2);
  expect(existsSync(out)).toBe(false);
});

test("Y7: two scenarios of one name are refused, since they would write one file", async () => {
  const first = fileWith("same.yaml", scenario);
  const second = fileWith(
    "same.json",
    JSON.stringify({ why: "The same name.", session: { transcript: "x" }, expect: ["rounds > 1"] }),
  );
  await runProgram(["run", first, second]);
  expect(said[0]).toContain('the scenario "same" has the same name as one in');
  expect(process.exitCode).toBe(2);
});

test("Y7: a file that is nearly named like a scenario is told its name", async () => {
  const [known = ""] = readdirSync("scenarios").filter((name) => name.endsWith(".yaml"));
  await runProgram(["run", `scenarios/${known.replace(".yaml", "x.yaml")}`]);
  expect(said[0]).toContain(`did you mean ${join("scenarios", known)}?`);
});

test("every command has help with an example, and asking for it is no failure", async () => {
  const written: string[] = [];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  for (const command of ["run", "list", "replay", "generate", "report", "serve", "bench"]) {
    written.length = 0;
    await runProgram([command, "--help"]);
    expect(written.join("")).toMatch(/Examples?:\n {2}longhaul /);
    expect(process.exitCode ?? 0).toBe(0);
  }
});

test("list shows the words that a scenario file may use", async () => {
  await runProgram(["list", "metrics", "--json"]);
  const { metrics } = JSON.parse(said.join(""));
  expect(metrics).toContainEqual(expect.objectContaining({ name: "compactions{layer,trigger}" }));
});
