import type { WireBlock, WireMessage, WireRequest } from "../../transcript/index.ts";

/** Median size of real summaries in characters (calibration.json, compactions.summaryChars). */
const SUMMARY_CHARS = 12_000;
const QUOTE_CHARS = 600;
const NOTES_CHARS = 8_000;

const sections = [
  "Primary Request and Intent",
  "Key Technical Concepts",
  "Files and Code Sections",
  "Errors and Fixes",
  "Problem Solving",
  "All User Messages",
  "Pending Tasks",
  "Current Work",
  "Optional Next Step",
] as const;

/** A summary by rule: the user's words, the files that were touched and the last steps, cut to the size of a real one. There is no model here to do better. */
export function ruleSummary(request: WireRequest): string {
  const { said, answered, files } = digest(request);
  const bodies: Readonly<Partial<Record<(typeof sections)[number], string>>> = {
    "Primary Request and Intent": said.slice(0, 2).join("\n"),
    "Files and Code Sections": files.map((file) => `- ${file}`).join("\n"),
    "All User Messages": said.map((line) => `- ${line}`).join("\n"),
    "Current Work": answered.slice(-6).join("\n"),
  };
  const share = SUMMARY_CHARS / Object.keys(bodies).length;
  const text = sections
    .map((title, i) => `${i + 1}. ${title}:\n${(bodies[title] ?? "None recorded.").slice(-share)}`)
    .join("\n\n");
  return `<analysis>\nTaken from the transcript by rule.\n</analysis>\n\n<summary>\n${text}\n</summary>`;
}

/** Notes by rule: under each heading that the request's template shows, what a digest of the transcript has for it. */
export function ruleNotes(request: WireRequest): string {
  const last = textsOf(request.messages.at(-1)).join("\n");
  const headings = [...last.matchAll(/^#{1,3} .+$/gm)].map((match) => match[0]);
  const { said, answered, files } = digest(request);
  const lines = [
    ...said.map((line) => `- asked: ${line}`),
    ...files.map((file) => `- file: ${file}`),
    ...answered.slice(-8).map((line) => `- did: ${line}`),
  ];
  const share = Math.max(1, Math.ceil(lines.length / Math.max(1, headings.length)));
  const body = headings
    .map((heading, i) => `${heading}\n${lines.slice(i * share, (i + 1) * share).join("\n")}`)
    .join("\n\n");
  return `<notes>\n${body.slice(0, NOTES_CHARS)}\n</notes>`;
}

interface Digest {
  readonly said: readonly string[];
  readonly answered: readonly string[];
  readonly files: readonly string[];
}

/** What of a request can be quoted: the last message, which asks for the summary, aside. */
function digest({ messages }: WireRequest): Digest {
  const said: string[] = [];
  const answered: string[] = [];
  const files = new Set<string>();
  for (const message of messages.slice(0, -1)) {
    const target = message.role === "assistant" ? answered : said;
    for (const text of textsOf(message)) target.push(text.slice(0, QUOTE_CHARS));
    for (const block of blocksOf(message)) {
      const path = (block.input as { file_path?: unknown } | undefined)?.file_path;
      if (typeof path === "string") files.add(path);
    }
  }
  return { said, answered, files: [...files] };
}

function blocksOf(message: WireMessage | undefined): readonly WireBlock[] {
  return message === undefined || typeof message.content === "string" ? [] : message.content;
}

function textsOf(message: WireMessage | undefined): string[] {
  if (typeof message?.content === "string") return [message.content];
  return blocksOf(message).flatMap((block) => (typeof block.text === "string" ? [block.text] : []));
}
