import { workerArgument } from "./session-pool.ts";

// Acts when it is imported: bin.mjs starts it, and the program starts itself as a worker.
if (process.argv[2] === workerArgument) {
  const { serveTasks } = await import("./session-worker.ts");
  serveTasks();
} else {
  // `longhaul list | head` is no failure.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
  const { runProgram } = await import("./program.ts");
  await runProgram(process.argv.slice(2));
  // All is said and done: a request that a session left unanswered must not keep the process for the length of its time-out.
  process.stdout.write("", () => process.exit());
}
