/** What is summarised (FC5): all of it, only what stands from the pivot on, or only what stands before it. */
export type SummaryScope = "full" | "partial-from" | "partial-up-to";

/**
 * The user message that asks for a summary (FC4). The tags and the numbered section titles are fixed: `formatSummary` and any
 * reader of summaries rely on them. `customInstructions` comes from `joinInstructions`; "" adds nothing. `startsWith` is how the part
 * to summarise begins, where more than that part is shown.
 */
export function summaryPrompt(
  scope: SummaryScope,
  customInstructions: string,
  startsWith: string | null = null,
): string {
  const sections = sectionsFor(scope);
  return [
    BAN,
    TASK[scope],
    ...(startsWith === null
      ? []
      : [`The part to summarise begins with the message that starts so: ${JSON.stringify(startsWith)}`]),
    analysisInstruction(scope),
    `Then write the \`<summary>\`, with these nine sections, numbered and titled exactly so. Write "None." under a section that has nothing to say; never leave one out.\n\n${sections
      .map(({ title, ask }, i) => `${i + 1}. ${title}: ${ask}`)
      .join("\n")}`,
    `The form of your answer:\n\n${exampleOfTheForm(sections)}`,
    ...(customInstructions.trim() === ""
      ? []
      : [
          `Further instructions for this summary, from the user and the project. Where they ask for something in particular, follow them; the form above stays:\n\n${customInstructions.trim()}`,
        ]),
    TRAILER,
  ].join("\n\n");
}

/** System prompt of the direct path, which shares nothing with the main thread (FC3). */
export const DIRECT_SYSTEM_PROMPT =
  "You summarise conversations between a person and an assistant that works with tools. You answer with text in the form that is asked for, and with nothing else.";

/** Models that think adaptively have called a tool in 2.79 % of summaries (FC4): so the ban comes first, and last again. */
const BAN = `Answer with text only. Do not call any tool: not to read, not to search, not to check anything. All that you need stands in the conversation above. You have one turn, and a tool call would use it up: it would be turned away, no summary would exist, and the work so far would be lost. Your whole answer is one <analysis> block followed by one <summary> block.`;

const TRAILER = `Once more: no tool calls. Plain text, one <analysis> block, then one <summary> block. A tool call is turned away and wastes the only turn you have.`;

const TASK: Readonly<Record<SummaryScope, string>> = {
  full: `The conversation has grown too long for the context window. Write a summary of all of it. Whoever goes on with the work will see your summary and nothing else of what came before, so whatever you leave out is gone: record what was asked, what was done and how, and where things stand, in enough detail to continue without asking again. If an earlier summary stands at the start, carry over what in it still matters.`,
  "partial-from": `The conversation has grown too long for the context window. Its older part will be kept word for word, before your summary; only the recent part is to be summarised: the messages after the point where the kept part ends. Do not repeat what the kept part says. Whoever goes on with the work will read the kept part and then your summary, so record what the recent messages asked, what was done in them and how, and where things stand.`,
  "partial-up-to": `This is the older part of a conversation that has grown too long for the context window. Write a summary of it. Newer messages, which you do not see, will follow your summary word for word, so the summary has to give whoever reads them all that is needed to understand them: what was asked, what was done and how, what was decided and why. If an earlier summary stands at the start, carry over what in it still matters.`,
};

function analysisInstruction(scope: SummaryScope): string {
  const span = scope === "partial-from" ? "the recent messages" : "the conversation";
  return `First think, in a draft inside \`<analysis>\` tags. It is for yourself and will be thrown away.
- Go through ${span} in order of time. For each stretch note: what the user asked for and meant by it; how you went about it; what was decided, and why; technical terms and patterns; names of files, whole pieces of code, signatures of functions, edits made to files; errors met, and how each was put right.
- Give most attention to what the user told you about your own work, above all where you were asked to do something in another way.
- Then check the draft: is every request in it, every correction, every exact name, path, number and value that is still needed? Add what is missing.`;
}

interface Section {
  readonly title: string;
  readonly ask: string;
  readonly example: string;
}

function sectionsFor(scope: SummaryScope): readonly Section[] {
  return [...COMMON_SECTIONS, ...(scope === "partial-up-to" ? LAST_SECTIONS_UP_TO : LAST_SECTIONS)];
}

const COMMON_SECTIONS: readonly Section[] = [
  {
    title: "Primary Request and Intent",
    ask: "every explicit request of the user, in full, with its limits and conditions, and what it is meant to achieve.",
    example: "[what the user wants, in detail]",
  },
  {
    title: "Key Technical Concepts",
    ask: "the technologies, frameworks and ideas that matter here.",
    example: "- [concept]\n- [concept]",
  },
  {
    title: "Files and Code Sections",
    ask: "each file that was looked at, changed or made, the most recent work first: why it matters, what was changed, and the code itself where it will be needed.",
    example: "- [path]\n  - [why it matters; what was changed]\n  - [code that will be needed]",
  },
  {
    title: "Errors and Fixes",
    ask: "each error that came up, how it was fixed, and what the user said about it.",
    example: "- [error]: [fix; the user's remark, if any]",
  },
  {
    title: "Problem Solving",
    ask: "problems solved, approaches rejected and why, and investigations still open.",
    example: "[what was solved; what is still being looked into]",
  },
  {
    title: "All User Messages",
    ask: "every message of the user that is not a tool result, in order. They show what is wanted and how it changed. Keep constraints and preferences word for word.",
    example: "- [message]\n- [message]",
  },
  {
    title: "Pending Tasks",
    ask: "what you were explicitly asked to do and have not finished.",
    example: "- [task]\n- [task]",
  },
];

const LAST_SECTIONS: readonly Section[] = [
  {
    title: "Current Work",
    ask: "exactly what was being done just before this request, with file names and code from the last messages.",
    example: "[the work in hand]",
  },
  {
    title: "Optional Next Step",
    ask: 'the next step, if there is one that follows directly from the latest request and the current work. Quote word for word from the last messages what was being done and where it stopped, so that nothing drifts. If the last task was finished, say so, and name a step only if the user has asked for it: write "None." rather than take up something old or unasked.',
    example: '[the next step, with "direct quotes"]',
  },
];

const LAST_SECTIONS_UP_TO: readonly Section[] = [
  {
    title: "Work Completed",
    ask: "what had been done by the end of this part, with file names and results.",
    example: "[what is done]",
  },
  {
    title: "Context for Continuing Work",
    ask: "whatever else a reader of the newer messages needs in order to follow them and go on: decisions in force, state of files and systems, values in use, with direct quotes where the wording matters.",
    example: '[what the newer messages rest on, with "direct quotes"]',
  },
];

function exampleOfTheForm(sections: readonly Section[]): string {
  const body = sections.map(({ title, example }, i) => `${i + 1}. ${title}:\n${indent(example)}`).join("\n\n");
  return `<example>\n<analysis>\n[your draft, in order of time, and the check]\n</analysis>\n\n<summary>\n${body}\n</summary>\n</example>`;
}

function indent(text: string): string {
  return text.replace(/^/gm, "   ");
}
