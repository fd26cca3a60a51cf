import type { Rng } from "../determinism/index.ts";
import { replacedShare } from "./assumptions.ts";
import type { Plan, PlanFile } from "./plan.ts";
import { partsOfFile } from "./plan-calls.ts";
import type { Language, TextPools } from "./text-pools.ts";
import { writeText } from "./text-pools.ts";

/** The texts of the repository as the plan gives them: files before any edit, and what each planned edit puts in. Pure; memoised. */
export interface FileTexts {
  /** The file before any edit. */
  base(file: number): string;
  /** The comment at the head of a file, which no planned edit changes. */
  firstLine(file: PlanFile): string;
  /** What an edit replaces and what it puts in its place. `attempt` from 1 on anchors at the first line, which is always there. */
  edit(step: number, attempt: number): { readonly oldText: string; readonly newText: string };
}

const comment: Readonly<Record<Language, string>> = {
  typescript: "//",
  python: "#",
  json: "//",
  prose: ">",
  log: "#",
  cjk: ">",
  minified: "//",
  base64: "#",
};

export function createFileTexts(plan: Plan, pools: TextPools, rng: Rng): FileTexts {
  const bases = new Map<number, string>();
  const added = new Map<number, string>();
  const fileOf = (index: number): PlanFile => {
    const file = plan.files[index];
    if (file === undefined) throw new RangeError(`the plan has no file ${index}`);
    return file;
  };
  const firstLine = (file: PlanFile): string => `${comment[file.language]} ${file.path}: ${file.symbol}`;
  const base = (index: number): string => {
    let text = bases.get(index);
    if (text === undefined) {
      const file = fileOf(index);
      const facts = file.facts.map((fact) => `${comment[file.language]} ${plan.facts[fact]?.sentence ?? ""}`);
      text = writeText(pools, file.language, file.chars, rng.fork("file", index), [firstLine(file), ...facts]);
      // Prose is one long line otherwise, and a reader could not take a part of it.
      if (file.language === "prose" || file.language === "cjk") text = text.replace(/([.。]) /g, "$1\n");
      bases.set(index, text);
    }
    return text;
  };
  const partOf = (file: PlanFile, part: number, chars: number): string => {
    const lines = base(file.index).split("\n");
    const head = 1 + file.facts.length;
    const from = head + Math.floor(((lines.length - head) * part) / partsOfFile);
    const until = head + Math.floor(((lines.length - head) * (part + 1)) / partsOfFile);
    const taken: string[] = [];
    for (let i = from, size = 0; i < until && (taken.length === 0 || size < chars); i++) {
      taken.push(lines[i] ?? "");
      size += (lines[i]?.length ?? 0) + 1;
    }
    return taken.join("\n");
  };
  const newText = (step: number): string => {
    let text = added.get(step);
    if (text === undefined) {
      const call = plan.steps[step]?.call;
      const file = fileOf(call?.file ?? -1);
      const chars = Math.max(40, (call?.inputChars ?? 0) * (1 - replacedShare) - 90);
      text = writeText(pools, file.language, chars, rng.fork("edit", step), [
        `${comment[file.language]} ${file.symbol}, change ${step}`,
      ]);
      added.set(step, text);
    }
    return text;
  };
  return {
    base,
    firstLine,
    edit: (step, attempt) => {
      const call = plan.steps[step]?.call;
      const file = fileOf(call?.file ?? -1);
      const text = newText(step);
      const old =
        call === undefined || call === null
          ? ""
          : call.previousEdit === null
            ? partOf(file, call.part, call.inputChars * replacedShare)
            : newText(call.previousEdit);
      if (attempt > 0 || old.trim() === "") return { oldText: firstLine(file), newText: `${firstLine(file)}\n${text}` };
      return { oldText: old, newText: text };
    },
  };
}
