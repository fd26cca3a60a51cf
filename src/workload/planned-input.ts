import type { Rng } from "../determinism/index.ts";
import type { FileTexts } from "./file-texts.ts";
import type { Plan, PlanFile, PlannedCall } from "./plan.ts";
import { partsOfFile } from "./plan-calls.ts";
import type { TextPools } from "./text-pools.ts";
import { writeText } from "./text-pools.ts";
import { areas, nouns, sentences, verbs } from "./vocabulary.ts";

export type ToolInput = Readonly<Record<string, unknown>>;

/** What the model knows when it makes a call: what its request showed. */
export interface CallKnowledge {
  /** Failed attempts at this step that it sees. */
  readonly attempt: number;
  /** Path of the file as the model believes it to be, relative to the root. */
  readonly path: string | null;
  /** Tokens of exact values that it puts in. */
  readonly values: readonly string[];
  /** Written into `step`, by which a call is known to belong to an item of the work. */
  readonly mark: string;
}

/** Makes the inputs of planned calls, in the sizes that the plan has drawn. Pure. */
export type InputMaker = (step: number, knowledge: CallKnowledge) => ToolInput;

export function createInputMaker(plan: Plan, texts: FileTexts, pools: TextPools, rng: Rng): InputMaker {
  return (step, knowledge) => {
    const call = plan.steps[step]?.call;
    if (call === undefined || call === null) return {};
    const file = call.file === null ? undefined : plan.files[call.file];
    const draw = rng.fork("input", step);
    const body = makeBody(call, file, knowledge);
    return { ...body, step: knowledge.mark };

    function makeBody(planned: PlannedCall, subject: PlanFile | undefined, known: CallKnowledge): ToolInput {
      const path = `${plan.root}/${known.path ?? subject?.path ?? ""}`;
      const pad = (chars: number, head: readonly string[]): string =>
        writeText(pools, "prose", chars, draw.fork("pad"), [...head, ...known.values]);
      switch (planned.tool) {
        case "Read":
          return { file_path: path, ...windowOf(texts.base(planned.file ?? -1), planned) };
        case "Edit": {
          const { oldText, newText } = texts.edit(step, known.attempt);
          const values = known.values.length === 0 ? "" : `\n${known.values.map((value) => `// ${value}`).join("\n")}`;
          return { file_path: path, old_string: oldText, new_string: newText + values };
        }
        case "Write":
          return { file_path: path, content: texts.base(planned.file ?? -1) };
        case "Bash": {
          const command = commandOf(planned, subject, draw);
          const description = draw.fork("why").pick(sentences).slice(0, 60);
          const rest = planned.inputChars - command.length - description.length - 70;
          const script = rest < 40 ? "" : ` <<'END'\n${writeText(pools, "typescript", rest, draw.fork("script"))}\nEND`;
          // Values stand in front, so that the command itself is the same whatever is known.
          return { command: [...known.values, command + script].join(" "), description };
        }
        case "Grep":
          return {
            pattern: `${draw.pick(verbs)}.*${draw.pick(nouns)}`,
            path: `${plan.root}/src/${draw.pick(areas)}`,
            output_mode: "content",
          };
        case "Glob":
          return { pattern: `src/${draw.pick(areas)}/**/*${draw.pick(nouns)}*` };
        case "WebFetch":
          return {
            url: `https://docs.example.com/${draw.pick(areas)}/${draw.pick(nouns)}-${step}`,
            prompt: pad(planned.inputChars - 90, [`What does it say about the ${draw.pick(nouns)}?`]),
          };
        case "WebSearch":
          return { query: `${draw.pick(verbs)} ${draw.pick(nouns)} ${draw.pick(areas)} best practice ${step}` };
        case "Agent":
          return {
            description: `${draw.pick(verbs)} the ${draw.pick(nouns)}`,
            subagent_type: "explorer",
            prompt: pad(planned.inputChars - 110, [
              `Find out how ${draw.pick(areas)} handles the ${draw.pick(nouns)}.`,
            ]),
          };
        case "TodoWrite":
          return { todos: todosOf(planned.inputChars, draw) };
        default:
          return { query: `${draw.pick(nouns)} ${draw.pick(areas)} ${step}`, limit: draw.integer(5, 50) };
      }
    }
  };
}

/** Which lines to read so that the result is about as long as planned. The whole file where it fits. */
function windowOf(text: string, call: PlannedCall): ToolInput {
  const lines = text.split("\n");
  const size = (line: string): number => line.length + lineNumberWidth;
  const total = lines.reduce((sum, line) => sum + size(line), 0);
  if (total <= call.resultChars * 1.05) return {};
  let first = call.flavour === "part" ? Math.floor((lines.length * call.part) / partsOfFile) : 0;
  let chars = 0;
  let last = first;
  while (last < lines.length && chars < call.resultChars) chars += size(lines[last++] ?? "");
  while (first > 0 && chars < call.resultChars) chars += size(lines[--first] ?? "");
  return first === 0 ? { limit: last } : { offset: first + 1, limit: last - first };
}

/** `    12→` and the line's end. */
const lineNumberWidth = 8;

function commandOf(call: PlannedCall, file: PlanFile | undefined, rng: Rng): string {
  const where = file?.area ?? rng.pick(areas);
  const commands: Readonly<Record<string, string>> = {
    test: `npm test -- src/${where} --grep ${rng.pick(nouns)}`,
    git: `git diff --stat HEAD~${rng.integer(1, 9)} -- src/${where}`,
    build: `npm run build -- --filter ${where}`,
    log: `tail -n ${rng.integer(20, 400)} logs/${where}.log`,
    script: `node tools/${rng.pick(verbs)}-${where}.js --limit ${rng.integer(2, 99)}`,
    huge: `cat logs/${where}-all.log`,
  };
  return commands[call.flavour] ?? `ls src/${where}`;
}

function todosOf(chars: number, rng: Rng): readonly ToolInput[] {
  const todos: ToolInput[] = [];
  for (let size = 40; size < chars || todos.length === 0; ) {
    const content = `${rng.pick(verbs)} the ${rng.pick(nouns)} of ${rng.pick(areas)}`;
    todos.push({ content, status: rng.pick(["pending", "in_progress", "completed"]), activeForm: content });
    size += 2 * content.length + 60;
  }
  return todos;
}
