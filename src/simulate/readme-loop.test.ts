import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import type { CompactionEvent } from "../compaction/index.ts";
import { createRng } from "../determinism/index.ts";
import type { MockEvent, ModelPort } from "../mock-api/index.ts";
import { createMockApi, listen } from "../mock-api/index.ts";
import type { WireMessage, WireRequest } from "../transcript/index.ts";
import { findTranscriptProblems, missingResultText } from "../transcript/index.ts";

const root = resolve(import.meta.dirname, "../..");
const project = mkdtempSync(join(tmpdir(), "longhaul-readme-"));
afterAll(() => rmSync(project, { recursive: true }));

const section = /## Use the library\n[\s\S]*?```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, "README.md"), "utf8"));
const loop = section?.[1] ?? "";

/** Somebody else's project: the loop, the SDK, and longhaul as its only packages, and files to read. */
function setUp(files: number): void {
  const packages = join(project, "node_modules");
  mkdirSync(join(packages, "longhaul"), { recursive: true });
  symlinkSync(join(root, "node_modules/@anthropic-ai"), join(packages, "@anthropic-ai"));
  const manifest = { name: "longhaul", type: "module", exports: "./index.ts" };
  writeFileSync(join(packages, "longhaul/package.json"), JSON.stringify(manifest));
  const door = pathToFileURL(join(root, "src/index.ts")).href;
  writeFileSync(join(packages, "longhaul/index.ts"), `export * from ${JSON.stringify(door)};\n`);
  writeFileSync(join(project, "package.json"), '{"type":"module"}\n');
  writeFileSync(join(project, "loop.ts"), loop);
  for (let i = 0; i < files; i++) writeFileSync(join(project, `file-${i}.ts`), sourceText(i));
}

function sourceText(seed: number): string {
  const line = (n: number): string =>
    `export const part${n} = (input: string): number => input.length + ${n * seed};\n`;
  return Array.from({ length: 450 }, (_, n) => line(n)).join("");
}

/** Runs the loop as a reader would; resolves with its output and the events that it printed. */
function run(
  url: string,
  question: string,
): Promise<{ output: string; code: number | null; events: CompactionEvent[] }> {
  const loader = pathToFileURL(join(root, "node_modules/tsx/dist/loader.mjs")).href;
  const child = spawn(process.execPath, ["--import", loader, "loop.ts", question], {
    cwd: project,
    env: {
      PATH: process.env.PATH,
      ANTHROPIC_API_KEY: "sk-ant-test",
      ANTHROPIC_BASE_URL: url,
      LONGHAUL_CONTEXT_WINDOW: "100000",
    },
  });
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk) => (output += String(chunk)));
  child.stderr.on("data", (chunk) => (errors += String(chunk)));
  return new Promise((done) => {
    child.on("close", (code) => {
      const lines = errors.split("\n").filter((line) => line !== "");
      const events = lines.map((line) => {
        if (!line.startsWith("{")) throw new Error(`the loop wrote: ${errors}`);
        return JSON.parse(line) as CompactionEvent;
      });
      done({ output, code, events });
    });
  });
}

const textOf = ({ content }: WireMessage): string => (typeof content === "string" ? content : JSON.stringify(content));

test("CF2: the README's loop, word for word, on the official SDK: it compacts more than once, and no request is refused or torn", async () => {
  expect(loop.trim().split("\n").length).toBeLessThanOrEqual(25);
  expect([...loop.matchAll(/from "(.*)"/g)].map(([, name]) => name)).toEqual([
    "node:fs/promises",
    "@anthropic-ai/sdk",
    "longhaul",
  ]);
  const rounds = 14;
  setUp(rounds);
  const requests: WireRequest[] = [];
  let reads = 0;
  let compactions = 0;
  const model: ModelPort = (request) => {
    requests.push(request);
    const asked = textOf(request.messages.at(-1) as WireMessage);
    const say = (text: string) => ({ content: [{ kind: "text" as const, text }], trace: [] });
    if (asked.includes("<summary>")) {
      compactions++;
      return say("<analysis>Let me see.</analysis>\n<summary>Files were read; none has the answer yet.</summary>");
    }
    // The note taker fails until there was a summary, so that both ways are taken.
    if (asked.includes("<notes>"))
      return say(compactions === 0 ? "" : "<notes>\n# Current State\nStill reading.\n</notes>");
    if (reads === rounds) return say("It is in file-13.ts.");
    return { content: [{ kind: "tool-call", name: "Read", input: { file_path: `file-${reads++}.ts` } }], trace: [] };
  };
  const seen: MockEvent[] = [];
  const api = createMockApi({
    model,
    rng: createRng(1),
    // An answer takes its time in the mock, too, and is in its cache only then: half a minute passes from one request to the next.
    now: () => 30_000 * requests.length,
    windowOverride: 100_000,
    observer: (event) => seen.push(event),
  });
  const server = await listen(api, { port: 0 });
  const { output, code, events } = await run(server.url, "Which file has the answer?");
  await server.close();

  expect([code, output]).toEqual([0, "It is in file-13.ts.\n"]);
  const succeeded = events.filter((event) => event.kind === "compact_succeeded");
  expect(succeeded.length).toBeGreaterThanOrEqual(2);
  expect(succeeded.map(({ layer }) => layer).slice(0, 2)).toEqual(["full", "session-memory"]);
  // The fork's prefix is the one that the loop's last request left in the server's cache.
  const [full] = succeeded;
  expect(full?.attempts).toBe(1);
  expect((full?.cacheReadTokens ?? 0) / (full?.tokensBefore ?? 0)).toBeGreaterThan(0.9);

  expect(seen.filter(({ kind }) => kind !== "served")).toEqual([]);
  expect(requests.length).toBeGreaterThan(rounds + 3);
  for (const request of requests) {
    expect(findTranscriptProblems(request.messages)).toEqual([]);
    expect(JSON.stringify(request)).not.toContain(missingResultText);
    expect(JSON.stringify(request)).toContain("Which file has the answer?");
  }
});
