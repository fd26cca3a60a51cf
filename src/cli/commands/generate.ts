import type { Command } from "commander";
import { Argument, Option } from "commander";
import { writeClaudeCode } from "../../replay/index.ts";
import { longhaulVersion, runSession } from "../../simulate/index.ts";
import type { Message } from "../../transcript/index.ts";
import type { ProfileName } from "../../workload/index.ts";
import { profileNames } from "../../workload/index.ts";
import { seedOption, wholeOption } from "../number-options.ts";
import { writeFileWhole } from "../write-file.ts";

interface GenerateOptions {
  readonly seed: number[];
  readonly rounds: number;
  readonly out?: string;
}

export function addGenerateCommand(program: Command): void {
  program
    .command("generate")
    .summary("write a synthetic session as a Claude Code session file")
    .description(
      "Plays a session of the simulated world without compaction and without limit of the window, and writes what was said and done\n" +
        "as a Claude Code session file (JSONL), which `longhaul replay` and other tools read. The same seed gives the same file.",
    )
    .addArgument(new Argument("<PROFILE>", "kind of session").choices([...profileNames]))
    .addOption(new Option("--seed <N>", "seed").argParser(seedOption).default([1], "1"))
    .addOption(new Option("--rounds <N>", "length in API rounds, about").argParser(wholeOption(1, 10_000)).default(200))
    .option("--out <FILE>", "write here instead of to the terminal")
    .addHelpText("after", "\nExample:\n  longhaul generate bugfix --seed 7 --rounds 300 > session.jsonl")
    .action(generate);
}

async function generate(profile: ProfileName, { seed: [seed = 1], rounds, out }: GenerateOptions): Promise<void> {
  let log: readonly Message[] = [];
  await runSession(
    {
      scenario: `generate-${profile}`,
      seed: String(seed),
      session: { profile, rounds, summariser: "perfect", noteTaker: "perfect" },
      model: { id: "claude-sonnet-4-5", fallback: null, provider: "anthropic", window: "unlimited", trueWindow: null },
      strategy: { name: "none", config: {}, env: {} },
      faults: [],
      toolFaults: [],
      user: [],
      transport: "direct",
    },
    { onLog: (all) => (log = all) },
  );
  const text = writeClaudeCode(log, {
    sessionId: sessionIdOf(seed),
    cwd: "/work/project",
    version: `longhaul-${longhaulVersion}`,
  });
  if (out === undefined) process.stdout.write(text);
  else writeFileWhole(out, text);
}

/** A UUID by form, the same for the same seed. */
function sessionIdOf(seed: number): string {
  return `00000000-0000-4000-8000-${String(seed).padStart(12, "0").slice(-12)}`;
}
