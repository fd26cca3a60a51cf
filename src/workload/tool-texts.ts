import type { Rng } from "../determinism/index.ts";
import type { Plan, PlanStep } from "./plan.ts";
import type { Language, TextPools } from "./text-pools.ts";
import { writeText } from "./text-pools.ts";
import { areas, nouns, verbs } from "./vocabulary.ts";

/** What a test run sees of the world: changes made so far, and those of the plan that are still missing. */
export interface TreeState {
  readonly changes: number;
  readonly missing: number;
}

/** Writes the output of the tools that the world does not really run. Pure. */
export type OutputWriter = (step: PlanStep, tree: TreeState) => string;

export function createOutputWriter(plan: Plan, pools: TextPools, rng: Rng): OutputWriter {
  return (step, tree) => {
    const { call } = step;
    if (call === null) return "";
    const draw = rng.fork("output", step.index, tree.changes);
    const facts = step.yields.map((fact) => plan.facts[fact]?.sentence ?? "");
    const write = (language: Language, head: readonly string[] = []): string => {
      const text = writeText(pools, language, call.resultChars, draw, [...facts, ...head]);
      return text.trim() === "" ? "(no output)" : text;
    };
    switch (call.tool) {
      case "Bash":
        if (call.flavour === "test" && call.resultChars > 120) {
          return write("log", [
            `${tree.changes} changes in the tree: ${40 + tree.changes} passed, ${tree.missing} failed`,
          ]);
        }
        return write(call.flavour === "git" ? "typescript" : call.flavour === "script" ? "json" : "log");
      case "Grep":
      case "Glob":
        return listing(call.resultChars, call.tool === "Glob", step.index, draw);
      case "TodoWrite":
        return "The list has been changed as asked. Keep it up to date while you work: mark one item as in progress at a time, and mark each as done as soon as it really is so.";
      case "Agent":
      case "WebFetch":
        return write("prose");
      case "WebSearch":
        return write("prose", [`Results: https://docs.example.com/${draw.pick(areas)}/${draw.pick(nouns)}`]);
      default:
        return write("json");
    }
  };

  function listing(chars: number, pathsOnly: boolean, step: number, draw: Rng): string {
    const none = "No files found";
    if (chars <= none.length + 3) return none;
    const known = plan.files.filter((file) => (plan.facts[file.pathFact]?.step ?? 0) < step).slice(-filesInListing);
    const lines: string[] = [];
    for (let size = 0; size < chars; ) {
      const file =
        known.length > 0 && draw.chance(0.3) ? draw.pick(known).path : `src/${draw.pick(areas)}/${draw.pick(nouns)}.ts`;
      const line = pathsOnly
        ? file
        : `${file}:${draw.integer(1, 400)}:  ${draw.pick(verbs)}(${draw.pick(nouns)}); ${pools.line("typescript", draw)}`;
      lines.push(line);
      size += line.length + 1;
    }
    return lines.join("\n").slice(0, chars).trimEnd() || none;
  }
}

/** Files met lately that a search lists among others. */
const filesInListing = 40;
