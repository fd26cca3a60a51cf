import type { Rng } from "../determinism/index.ts";
import type { ToolResultPart } from "../transcript/index.ts";
import { latencyCap } from "./assumptions.ts";
import type { FileTexts } from "./file-texts.ts";
import type { Plan, PlanFile, PlanStep } from "./plan.ts";
import { makePng } from "./png.ts";
import type { Repository } from "./repository.ts";
import { createRepository } from "./repository.ts";
import { purposeOf } from "./step-marks.ts";
import { drawLatencyMs, errorRateOf, mcpTools } from "./tool-draws.ts";
import type { OutputWriter } from "./tool-texts.ts";
import type { ToolCall, ToolOutcome } from "./workload.ts";

/** The world that the tools act on (W1). Answers depend on the call (its id included) and on the state that earlier calls left. */
export interface World {
  run(call: ToolCall): ToolOutcome;
  readFile(path: string): string | null;
}

export interface WorldOptions {
  readonly plan: Plan;
  readonly texts: FileTexts;
  readonly write: OutputWriter;
  readonly remark: (step: number, chars: number) => string;
  readonly rng: Rng;
  readonly toolErrors: boolean;
}

interface Output {
  readonly content: string | readonly ToolResultPart[];
  readonly isError?: true;
  readonly path?: string;
}

const toolNames: readonly string[] = [
  "Bash",
  "Read",
  "Edit",
  "Write",
  "Grep",
  "Glob",
  "Agent",
  "TodoWrite",
  "WebFetch",
  "WebSearch",
  ...mcpTools,
];

export function createWorld(options: WorldOptions): World {
  const { plan, rng } = options;
  const repository = createRepository(plan, options.texts, options.remark);
  const goalByCode = new Map(plan.goals.map((goal) => [goal.code, goal]));
  /** Which planned steps ran as which command, so that the same command gives the same kind of output again. */
  const ran = new Map<string, PlanStep[]>();

  const stepOf = (call: ToolCall): PlanStep | undefined => {
    const purpose = purposeOf(call.input);
    if (purpose.kind !== "step") return undefined;
    const step = plan.steps[goalByCode.get(purpose.code)?.steps[purpose.n - 1] ?? -1];
    return step?.call?.tool === call.name ? step : undefined;
  };
  const run = (call: ToolCall): Output => {
    const draw = rng.fork("tool", call.id);
    if (!toolNames.includes(call.name)) return { content: `There is no tool named ${call.name}.`, isError: true };
    const step = stepOf(call);
    if (step !== undefined) ran.set(commandKey(call), [...(ran.get(commandKey(call)) ?? []), step]);
    if (options.toolErrors && draw.fork("fails").chance(errorRateOf(call.name))) {
      // A command or a server that fails writes as much as one that does not.
      const status = failedStatus[call.name];
      return status === undefined ? failure(call, draw.fork("failure")) : failedOutput(status, outputOf(step));
    }
    switch (call.name) {
      case "Read":
        return repository.read(call.input);
      case "Edit":
        return repository.edit(call.input, step);
      case "Write":
        return repository.write(call.input, step);
      case "Grep":
        return { content: searched(call) ?? outputOf(step) };
      case "Bash":
        return {
          content: repository.gitStatus(call.input) ?? (step === undefined ? outputAgain(call) : outputOf(step)),
        };
      default: {
        const planned = step ?? ran.get(commandKey(call))?.at(-1);
        if (planned?.call?.flavour !== "image")
          return { content: step === undefined ? outputAgain(call) : outputOf(step) };
        return { content: screenshot(planned, rng.fork("image", planned.index)) };
      }
    }
  };
  const searched = (call: ToolCall): string | undefined => {
    const pattern = text(call.input, "pattern");
    const found = plan.files.find((file) => file.symbol === pattern);
    return found === undefined ? undefined : hit(found, repository);
  };
  /** A command run again, with what its earlier runs have left in the log: what was seen of any of them is seen again (W2). */
  const outputAgain = (call: ToolCall): string => {
    const runs = ran.get(commandKey(call)) ?? [];
    const earlier = runs.slice(0, -1).flatMap(({ yields }) => yields.map((fact) => plan.facts[fact]?.sentence ?? ""));
    return [...new Set(earlier), outputOf(runs.at(-1))].join("\n");
  };
  const outputOf = (step: PlanStep | undefined): string => {
    if (step === undefined) return "(no output)";
    return options.write(step, repository.treeFor(step));
  };
  return {
    run: (call) => {
      const output = run(call);
      const latencyMs = drawLatencyMs(call.name, latencyCap, rng.fork("latency", call.id));
      return {
        content: output.content,
        isError: output.isError === true,
        latencyMs,
        ...(output.path === undefined ? {} : { path: output.path }),
      };
    },
    readFile: (path) => repository.text(path),
  };
}

/** What makes two calls the same command: values set in front of it, and what is asked of a page, do not. */
function commandKey(call: ToolCall): string {
  const command = text(call.input, "command").replace(/^(?:[A-Z_]+=\d{5} )+/, "");
  return [call.name, command, text(call.input, "url"), text(call.input, "query")].join(" ");
}

function hit(file: PlanFile, repository: Repository): string {
  return repository.text(file.path) === null ? "No files found" : `${file.path}:1: ${file.symbol}`;
}

const failedStatus: Readonly<Record<string, string>> = {
  Bash: "Exit code 1\n",
  WebFetch: "The server answered with status 503:\n",
};

function failedOutput(status: string, output: string): Output {
  return { content: `${status}${output.slice(0, Math.max(1, output.length - status.length))}`, isError: true };
}

/** The failures that tools have by themselves; their rate is measured, their words are ours. */
function failure(call: ToolCall, rng: Rng): Output {
  const texts: Readonly<Record<string, readonly string[]>> = {
    Edit: [
      "The file has changed since it was read; read it again before editing.",
      "The file is locked by another program; nothing was changed.",
    ],
  };
  return { content: rng.pick(texts[call.name] ?? ["The tool could not finish; try again."]), isError: true };
}

function screenshot(step: PlanStep, rng: Rng): readonly ToolResultPart[] {
  const width = rng.pick([800, 1024, 1280, 1600]);
  const data = makePng(width, Math.round(width * 0.625), rng);
  return [
    { type: "text", text: `Screenshot ${step.index} of the page.` },
    { type: "image", source: { type: "base64", media_type: "image/png", data } },
  ];
}

function text(input: unknown, field: string): string {
  const value = typeof input === "object" && input !== null ? (input as Record<string, unknown>)[field] : undefined;
  return typeof value === "string" ? value : "";
}
