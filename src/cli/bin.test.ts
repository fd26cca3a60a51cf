import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The program as a user starts it. `onStderr` sees what it says while it runs. */
function longhaul(
  words: readonly string[],
  stopAfter?: (files: () => string[]) => boolean,
  out = "",
): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ["src/cli/bin.mjs", ...words], {
      env: { ...process.env, NO_COLOR: "1", CI: "1" },
    });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (text) => (stdout += text));
    child.stderr.on("data", (text) => (stderr += text));
    const poll = setInterval(() => {
      if (stopAfter?.(() => filesIn(join(out, "records")))) {
        clearInterval(poll);
        child.kill("SIGINT");
      }
    }, 50);
    child.on("close", (code) => {
      clearInterval(poll);
      resolve({ code, stdout, stderr });
    });
  });
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const folder = mkdtempSync(join(tmpdir(), "longhaul-bin-"));
const write = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const small = "why: A short session of a test.\nsession: {profile: bugfix, rounds: 8}\n";
/** Each start of the program loads all of it, twice. */
const slow = 240_000;

test("Y5: a run that holds exits 0, gives the same hash again and another for another seed, and leaves record and pages", {
  timeout: slow,
}, async () => {
  const file = write("good.yaml", `${small}expect: ["ends == completed"]\n`);
  const run = (out: string, ...more: string[]): Promise<Outcome> =>
    longhaul(["run", file, "--transport", "fetch", "--out", join(folder, out), ...more]);
  const first = await run("one", "--seed", "7");
  expect(first).toMatchObject({ code: 0, stderr: "" });
  const hash = /run hash: (\S+)/.exec(first.stdout)?.[1];
  const [again, other] = JSON.parse((await run("two", "--seeds", "7,8", "--check-determinism", "--json")).stdout).runs;
  expect(again.summary.hash).toBe(hash);
  expect(other.summary.hash).not.toBe(hash);
  expect(filesIn(join(folder, "one"))).toEqual(["good-7.html", "records"]);
  expect(filesIn(join(folder, "one", "records"))).toEqual(["good-7.ndjson"]);
  expect(readFileSync(join(folder, "one", "records", "good-7.ndjson"), "utf8")).toBe(
    readFileSync(join(folder, "two", "records", "good-7.ndjson"), "utf8"),
  );
});

test("Y5, Y6: an expectation that is not met exits 4, whatever the number of workers, with the replay line", {
  timeout: slow,
}, async () => {
  const file = write("bad.yaml", `${small}seeds: 1-2\nexpect: ["event(breaker_opened) at_least 1"]\n`);
  const one = await longhaul(["run", file, "--workers", "1", "--out", join(folder, "workers")]);
  const two = await longhaul(["run", file, "--workers", "2", "--out", join(folder, "workers")]);
  expect(one.code).toBe(4);
  expect(one.stdout).toContain(`replay:   npx longhaul run ${file} --seed 2`);
  expect(one.stdout).toContain("0 passed, 2 failed");
  expect(two).toEqual(one);
});

test("Y5: Ctrl-C exits 130 and keeps what is finished", { timeout: slow }, async () => {
  const file = write("long.yaml", `${small}seeds: 1-40\nexpect: ["ends == completed"]\n`);
  const out = join(folder, "stopped");
  const stopped = await longhaul(
    ["run", file, "--workers", "1", "--transport", "fetch", "--json", "--out", out],
    (files) => files().some((name) => name.endsWith(".ndjson")),
    out,
  );
  expect(stopped.code).toBe(130);
  const { runs, unfinished } = JSON.parse(stopped.stdout);
  expect(runs.length + unfinished).toBe(40);
  expect(unfinished).toBeGreaterThan(0);
  expect(filesIn(join(out, "records")).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});
