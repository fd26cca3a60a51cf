import type { Rng } from "../determinism/index.ts";
import type { WireTool } from "../transcript/index.ts";
import type { TextPools } from "./text-pools.ts";
import { writeText } from "./text-pools.ts";
import { mcpTools } from "./tool-draws.ts";

const text = (description: string) => ({ type: "string", description }) as const;
const step = text("Which item of the work this call is for, as TASK.ITEM, so that the person can follow.");

interface ToolForm {
  readonly about: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
}

const forms: Readonly<Record<string, ToolForm>> = {
  Bash: {
    about: "Runs a command in the shell of the project.",
    properties: {
      command: text("The command."),
      description: text("What it does, in a few words."),
      timeout: { type: "integer" },
    },
    required: ["command"],
  },
  Read: {
    about: "Reads a file, or some lines of it.",
    properties: { file_path: text("Absolute path."), offset: { type: "integer" }, limit: { type: "integer" } },
    required: ["file_path"],
  },
  Edit: {
    about: "Replaces one piece of text in a file.",
    properties: {
      file_path: text("Absolute path."),
      old_string: text("The text as it stands."),
      new_string: text("The text to put there."),
      replace_all: { type: "boolean" },
    },
    required: ["file_path", "old_string", "new_string"],
  },
  Write: {
    about: "Writes a whole file.",
    properties: { file_path: text("Absolute path."), content: text("The content.") },
    required: ["file_path", "content"],
  },
  Grep: {
    about: "Searches the contents of files.",
    properties: {
      pattern: text("A regular expression."),
      path: text("Where to search."),
      output_mode: { type: "string", enum: ["content", "files_with_matches", "count"] },
    },
    required: ["pattern"],
  },
  Glob: {
    about: "Finds files by the pattern of their paths.",
    properties: { pattern: text("A glob pattern."), path: text("Where to search.") },
    required: ["pattern"],
  },
  WebFetch: {
    about: "Fetches a page and answers a question about it.",
    properties: { url: text("The address."), prompt: text("What to find out.") },
    required: ["url", "prompt"],
  },
  WebSearch: { about: "Searches the web.", properties: { query: text("What to look for.") }, required: ["query"] },
  Agent: {
    about: "Hands a task to another agent, which reports once.",
    properties: {
      description: text("In a few words."),
      prompt: text("The task."),
      subagent_type: text("Which agent."),
    },
    required: ["description", "prompt"],
  },
  TodoWrite: {
    about: "Keeps the list of what is to be done.",
    properties: {
      todos: {
        type: "array",
        items: {
          type: "object",
          properties: {
            content: text("What."),
            status: { type: "string", enum: ["pending", "in_progress", "completed"] },
            activeForm: text("The same, while at it."),
          },
          required: ["content", "status", "activeForm"],
        },
      },
    },
    required: ["todos"],
  },
};

const mcpForm: ToolForm = {
  about: "A tool of a connected server.",
  properties: { query: text("What to ask for."), limit: { type: "integer" } },
  required: ["query"],
};

/** The tools as a request carries them, with descriptions that make them about `chars` characters long in all (JSON). */
export function makeTools(chars: number, pools: TextPools, rng: Rng): readonly WireTool[] {
  const named: readonly (readonly [string, ToolForm])[] = [
    ...Object.entries(forms),
    ...mcpTools.map((name) => [name, mcpForm] as const),
  ];
  const bare = named.map(([name, form]) => makeTool(name, form, form.about));
  const room = Math.max(0, chars - JSON.stringify(bare).length) / named.length;
  return named.map(([name, form]) =>
    makeTool(name, form, writeText(pools, "prose", form.about.length + room, rng.fork("tool", name), [form.about])),
  );
}

function makeTool(name: string, form: ToolForm, description: string): WireTool {
  return {
    name,
    description,
    input_schema: { type: "object", properties: { ...form.properties, step }, required: form.required },
  };
}

/** The system prompt: names the project, by which the model knows its world. */
export function makeSystem(root: string, chars: number, pools: TextPools, rng: Rng): string {
  const head = [
    "You are an agent that works on software together with a person, with the tools that are given to you.",
    `The working directory is ${root}.`,
    "Do what was asked, no more; say what you have done when you stop.",
  ];
  return writeText(pools, "prose", chars, rng.fork("system"), head);
}
