import type { RunOptions, RunRecord } from "../simulate/index.ts";
import { playScenario } from "./play-scenario.ts";
import { readRecordFile } from "./read-record-file.ts";
import type { SessionTask, WorkerMessage } from "./session-task.ts";
import { writeFileWhole } from "./write-file.ts";

/** Does tasks that come over IPC, one after another, until the program goes away. */
export function serveTasks(): void {
  // Ctrl-C reaches every process of a terminal: the program decides what it means.
  process.on("SIGINT", () => {});
  process.on("disconnect", () => process.exit(0));
  process.on("message", (task: SessionTask) => {
    perform(task).then(
      (value) => say({ kind: "answer", value }),
      (error: unknown) => say(described(error)),
    );
  });
  say({ kind: "ready" });
}

function say(message: WorkerMessage): void {
  process.send?.(message);
}

function described(error: unknown): WorkerMessage {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  return { kind: "error", name, message, stack: stack ?? "" };
}

async function perform(task: SessionTask): Promise<unknown> {
  switch (task.kind) {
    case "run": {
      const { judge, summarise } = await import("../scenario/index.ts");
      const record = await play(task);
      await keep(task.record, record);
      return { verdict: judge(task.scenario, record), summary: summarise(record) };
    }
    case "run-again": {
      const { firstDifference } = await import("../scenario/index.ts");
      return firstDifference(await recordAt(task.record), await play(task));
    }
    case "run-page": {
      const { writeRunPage } = await import("./pages.ts");
      await writeRunPage(task.run, task.out, task.alone, recordAt);
      return null;
    }
    case "suite-page": {
      const { writeSuitePage } = await import("./pages.ts");
      await writeSuitePage(task.suite, task.out, recordAt);
      return null;
    }
  }
}

type PlayTask = Extract<SessionTask, { kind: "run" | "run-again" }>;

function play(task: PlayTask): Promise<RunRecord> {
  return playScenario(task.scenario, task, { onProgress: tellProgress() });
}

/** Ten times a second is enough for an eye. */
function tellProgress(): NonNullable<RunOptions["onProgress"]> {
  let told = 0;
  return ({ round, rounds }) => {
    if (Date.now() - told < 100) return;
    told = Date.now();
    say({ kind: "progress", round, rounds });
  };
}

/** The record last written or read, so that its page need not read it again. */
let latest: { readonly path: string; readonly record: RunRecord } | null = null;

async function keep(path: string, record: RunRecord): Promise<void> {
  const { writeRecord } = await import("../simulate/index.ts");
  latest = { path, record };
  writeFileWhole(path, writeRecord(record));
}

async function recordAt(path: string): Promise<RunRecord> {
  if (latest?.path !== path) latest = { path, record: await readRecordFile(path) };
  return latest.record;
}
