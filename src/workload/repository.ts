import type { FileTexts } from "./file-texts.ts";
import type { Plan, PlanStep } from "./plan.ts";
import type { TreeState } from "./tool-texts.ts";

/** The files as the calls have left them (W1). */
export interface Repository {
  /** By path, absolute or relative to the root; null when there is none. */
  text(path: string): string | null;
  read(input: unknown): FileOutput;
  edit(input: unknown, step: PlanStep | undefined): FileOutput;
  write(input: unknown, step: PlanStep | undefined): FileOutput;
  /** The answer to `git status --short AREA`; undefined for any other command. */
  gitStatus(input: unknown): string | undefined;
  /** What a test run at a step sees. */
  treeFor(step: PlanStep): TreeState;
}

export interface FileOutput {
  readonly content: string;
  readonly isError?: true;
  readonly path?: string;
}

/** Lines that Read gives when no limit is asked for, and the characters of one result: the largest that was measured. */
const readLines = 2000;
const readChars = 84_230;

/** `remark`: what editors and hooks say beside the result of a change, so many characters of it. */
export function createRepository(
  plan: Plan,
  texts: FileTexts,
  remark: (step: number, chars: number) => string,
): Repository {
  const byPath = new Map(plan.files.map((file) => [file.path, file]));
  /** Present where a call has changed or made the file. */
  const changed = new Map<string, string>();
  const modified = new Set<string>();
  const editsDone = new Set<number>();
  const relative = (path: string): string =>
    path.startsWith(`${plan.root}/`) ? path.slice(plan.root.length + 1) : path;

  const text = (path: string): string | null => {
    const key = relative(path);
    const now = changed.get(key);
    if (now !== undefined) return now;
    const file = byPath.get(key);
    return file === undefined || file.writtenBy !== null ? null : texts.base(file.index);
  };
  /** The result of a change, as long as the plan has drawn. */
  const padded = (sentence: string, step: PlanStep | undefined): string => {
    const room = (step?.call?.resultChars ?? 0) - sentence.length - 1;
    return step === undefined || room < 8 ? sentence : `${sentence}\n${remark(step.index, room)}`;
  };
  const missing = (path: string): FileOutput => ({ content: `There is no file ${path}.`, isError: true });
  const editsOf = (step: PlanStep): number => {
    let open = 0;
    for (const index of plan.goals[step.goal]?.steps ?? []) {
      if (index < step.index && plan.steps[index]?.call?.tool === "Edit" && !editsDone.has(index)) open++;
    }
    return open;
  };

  return {
    text,
    read: (input) => {
      const { file_path: path, offset, limit } = fields(input);
      const now = text(string(path));
      if (now === null) return missing(string(path));
      const first = typeof offset === "number" ? Math.max(0, offset - 1) : 0;
      const lines = now.split("\n").slice(first, first + (typeof limit === "number" ? limit : readLines));
      const numbered = lines.map((line, i) => `${String(first + i + 1).padStart(6)}→${line}`).join("\n");
      return { content: numbered.length > readChars ? numbered.slice(0, readChars) : numbered, path: string(path) };
    },
    edit: (input, step) => {
      const { file_path: path, old_string: oldText, new_string: newText } = fields(input);
      const now = text(string(path));
      if (now === null) return missing(string(path));
      const note = factNote(plan, step);
      if (step !== undefined) editsDone.add(step.index);
      if (newText !== "" && now.includes(string(newText))) {
        return { content: `${string(path)} already has this text; nothing was changed.${note}`, path: string(path) };
      }
      const at = now.indexOf(string(oldText));
      if (at < 0) return { content: `The text to replace was not found in ${string(path)}.`, isError: true };
      const next = now.slice(0, at) + string(newText) + now.slice(at + string(oldText).length);
      changed.set(relative(string(path)), next);
      modified.add(relative(string(path)));
      return {
        content: padded(`The file ${string(path)} has been updated.${note}`, step),
        path: string(path),
      };
    },
    write: (input, step) => {
      const { file_path: path, content } = fields(input);
      changed.set(relative(string(path)), string(content));
      modified.add(relative(string(path)));
      return {
        content: padded(`The file ${string(path)} has been written.`, step),
        path: string(path),
      };
    },
    gitStatus: (input) => {
      const area = /^git status --short -- \S*?(\w+)$/.exec(string(fields(input).command).trim())?.[1];
      if (area === undefined) return undefined;
      return (
        [...modified]
          .filter((path) => path.includes(`/${area}/`))
          .map((path) => `M ${path}`)
          .join("\n") || "(nothing changed)"
      );
    },
    treeFor: (step) => ({ changes: editsDone.size, missing: editsOf(step) }),
  };
}

/** Facts that the result of an edit shows: what has been modified. */
function factNote(plan: Plan, step: PlanStep | undefined): string {
  const facts = step?.yields.map((fact) => plan.facts[fact]?.sentence ?? "") ?? [];
  return facts.length === 0 ? "" : ` ${facts.join(" ")}`;
}

function fields(input: unknown): Readonly<Record<string, unknown>> {
  return typeof input === "object" && input !== null ? (input as Record<string, unknown>) : {};
}

const string = (value: unknown): string => (typeof value === "string" ? value : "");
