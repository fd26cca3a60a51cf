import type { Command } from "commander";
import { Option } from "commander";
import type { Rng } from "../../determinism/index.ts";
import { createRng } from "../../determinism/index.ts";
import type { Loopback, MockEvent, ModelPort } from "../../mock-api/index.ts";
import { createMockApi, createToolLoop, listen } from "../../mock-api/index.ts";
import type { Scenario } from "../../scenario/index.ts";
import { createWorkload } from "../../workload/index.ts";
import { loadScenarios } from "../load-scenarios.ts";
import { seedOption, wholeOption } from "../number-options.ts";
import { UsageError } from "../usage-error.ts";

interface ServeOptions {
  readonly port: number;
  readonly seed: number[];
  readonly scenario?: string;
  readonly loop?: number;
  readonly wait?: true;
  readonly json?: true;
  readonly quiet?: true;
}

export function addServeCommand(program: Command): void {
  program
    .command("serve")
    .summary("the mock Messages API on a port of this machine")
    .description(
      "Serves the strict mock of the Messages API on 127.0.0.1, for clients in other processes and languages: set ANTHROPIC_BASE_URL to its address,\n" +
        "and any well-formed key. Every request is validated, counted, cached, priced and answered by the simulated model. Ctrl-C ends it.",
    )
    .addOption(new Option("--port <N>", "0 takes any free port").argParser(wholeOption(0, 65_535)).default(8787))
    .addOption(
      new Option("--seed <N>", "seed of the answers and the token rates").argParser(seedOption).default([1], "1"),
    )
    .option("--scenario <FILE>", "take faults, provider and window from this scenario")
    .addOption(
      new Option(
        "--loop <ROUNDS>",
        "a model that calls the client's own tools, two at once, for so many rounds of each turn",
      ).argParser(wholeOption(1, 100_000)),
    )
    .option("--wait", "answer as slowly as the real API would, instead of at once")
    .option("--json", "print one JSON object for each event")
    .option("--quiet", "print only the address")
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  longhaul serve --port 8787\n" +
        "  longhaul serve --port 0 --loop 10\n" +
        "  longhaul serve --port 0 --scenario scenarios/overload-burst.yaml --json",
    )
    .action(serve);
}

async function serve(options: ServeOptions): Promise<void> {
  const [seed = 1] = options.seed;
  const scenario = options.scenario === undefined ? null : oneScenario(options.scenario);
  const rng = createRng(seed).fork("serve");
  const window = scenario?.model.trueWindow ?? scenario?.model.window ?? null;
  const api = createMockApi({
    model: modelOf(options, rng),
    rng: rng.fork("mock-api"),
    now: () => Date.now(),
    observer: (event) => tell(event, options),
    ...(scenario === null ? {} : { faults: scenario.faults, profile: scenario.model.provider }),
    ...(window === null ? {} : { windowOverride: window }),
  });
  const server = await listen(api, {
    port: options.port,
    ...(options.wait ? { sleep: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)) } : {}),
  }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "EADDRINUSE" || error.code === "EACCES"
      ? new UsageError(`--port ${options.port}: cannot be listened on (${error.code}); --port 0 takes any free one`)
      : error;
  });
  console.log(
    options.json ? JSON.stringify({ kind: "listening", url: server.url }) : `ANTHROPIC_BASE_URL=${server.url}`,
  );
  await untilInterrupted(server);
}

/** The simulated model of a bug fix, which calls its own tools by their names; or one that takes whatever tools there are. */
function modelOf({ loop }: ServeOptions, rng: Rng): ModelPort {
  if (loop !== undefined) return createToolLoop(loop);
  return createWorkload({ profile: "bugfix", rounds: 50, rng: rng.fork("workload") }).model;
}

function oneScenario(file: string): Scenario {
  const [scenario, ...others] = loadScenarios([file]);
  if (scenario === undefined || others.length > 0)
    throw new UsageError(`${file}: one scenario without a matrix is needed here`);
  return scenario;
}

function tell(event: MockEvent, { json, quiet }: ServeOptions): void {
  if (quiet) return;
  if (json) console.log(JSON.stringify(event));
  else console.log(eventText(event));
}

function eventText(event: MockEvent): string {
  switch (event.kind) {
    case "served":
      return `${event.status} ${event.source}: ${event.trueTokens} tokens in (${event.billed.read} from the cache), ${event.billed.output} out, $${event.dollars.toFixed(4)}`;
    case "refused":
      return `${event.status} ${event.source}: ${event.errorType}: ${event.text}`;
    case "fault_injected":
      return `fault ${event.fault} (${event.faultKind})`;
    case "client_sin":
      return `client sin ${event.sin}: ${event.detail}`;
  }
}

function untilInterrupted(server: Loopback): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => void server.close().then(resolve);
    process.once("SIGINT", end);
    process.once("SIGTERM", end);
  });
}
