import type { ChildProcess } from "node:child_process";
import { fork } from "node:child_process";
import type { SessionAnswers, SessionProgress, SessionTask, WorkerMessage } from "./session-task.ts";

/** The argument that makes this program a worker. */
export const workerArgument = "__session";

/** A task that the user stopped before it was done. */
export class Stopped extends Error {
  override readonly name = "Stopped";
}

/** Processes that do tasks. Contract: runs start in the order given, and what follows a run goes before the next; a process that dies fails its own task only; results do not depend on the number of processes. */
export interface SessionPool {
  do<T extends SessionTask>(
    task: T,
    onProgress?: (progress: SessionProgress) => void,
  ): Promise<SessionAnswers[T["kind"]]>;
  /** Drops what waits and ends what runs: those tasks reject with `Stopped`. Later tasks are done as ever. */
  stop(): void;
  /** Ends the processes, which must be idle. */
  close(): void;
}

interface Waiting {
  readonly task: SessionTask;
  readonly onProgress: ((progress: SessionProgress) => void) | undefined;
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

interface Worker {
  readonly process: ChildProcess;
  current: Waiting | null;
  /** The last that it said on stderr: what a crash leaves behind. */
  lastWords: string;
}

export function createSessionPool(size: number): SessionPool {
  const queue: Waiting[] = [];
  const workers = new Set<Worker>();

  const next = (): void => {
    while (queue.length > 0) {
      const idle = [...workers].find((worker) => worker.current === null) ?? (workers.size < size ? hire() : null);
      if (idle === null) return;
      const waiting = queue.shift();
      if (waiting === undefined) return;
      idle.current = waiting;
      idle.process.send(waiting.task);
    }
  };

  const settle = (worker: Worker, finish: (waiting: Waiting) => void): void => {
    const waiting = worker.current;
    worker.current = null;
    if (waiting !== null) finish(waiting);
    // What follows from this task is asked for first, and this process still has its record at hand.
    setImmediate(next);
  };

  const hire = (): Worker => {
    const worker: Worker = { process: startWorker(), current: null, lastWords: "" };
    workers.add(worker);
    worker.process.stderr?.setEncoding("utf8").on("data", (text: string) => {
      worker.lastWords = (worker.lastWords + text).slice(-4_000);
    });
    worker.process.on("message", (message: WorkerMessage) => {
      switch (message.kind) {
        case "ready":
          return;
        case "progress":
          return worker.current?.onProgress?.(message);
        case "answer":
          return settle(worker, ({ resolve }) => resolve(message.value as never));
        case "error":
          return settle(worker, ({ reject }) => reject(revive(message)));
      }
    });
    worker.process.on("exit", (code, signal) => {
      workers.delete(worker);
      settle(worker, ({ reject }) => reject(new Error(lastMessage(worker, code, signal))));
    });
    return worker;
  };

  return {
    do: (task, onProgress) =>
      new Promise((resolve, reject) => {
        const waiting = { task, onProgress, resolve: resolve as (value: never) => void, reject };
        if (task.kind === "run") queue.push(waiting);
        else queue.unshift(waiting);
        next();
      }),
    stop: () => {
      for (const { reject } of queue.splice(0)) reject(new Stopped("stopped before it began"));
      for (const worker of workers) {
        worker.current?.reject(new Stopped("stopped while it ran"));
        worker.current = null;
        workers.delete(worker);
        worker.process.kill("SIGKILL");
      }
    },
    close: () => {
      for (const { process: child } of workers) child.disconnect();
    },
  };
}

/** This very program, as a worker: from source in a checkout, from the build in a package. */
function startWorker(): ChildProcess {
  const program = process.argv[1];
  if (program === undefined) throw new Error("this process does not know what program it runs");
  return fork(program, [workerArgument], { serialization: "advanced", stdio: ["ignore", "ignore", "pipe", "ipc"] });
}

function revive({ name, message, stack }: Extract<WorkerMessage, { kind: "error" }>): Error {
  const error = new Error(message);
  return Object.assign(error, { name, stack });
}

function lastMessage({ lastWords }: Worker, code: number | null, signal: string | null): string {
  const lines = lastWords.split("\n").filter((line) => line.trim() !== "");
  const word = lines.find((line) => /error/i.test(line)) ?? lines.at(-1);
  const how = signal === null ? `code ${code}` : `signal ${signal}`;
  return `the process of the session ended with ${how}${word === undefined ? "" : `: ${word.trim().slice(0, 300)}`}`;
}
