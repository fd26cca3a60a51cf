import type { WireRequest } from "../transcript/index.ts";
import { blocksOf } from "./request-view.ts";
import type { FactKind } from "./trace.ts";
import { factKinds } from "./trace.ts";

/** A request for a summary or for notes, told by the structure of its last user text alone, so that any client's prompt works (M4). */
export type MemoryRequest =
  | { readonly kind: "summary"; readonly sections: readonly string[]; readonly focus: ReadonlySet<FactKind> }
  | { readonly kind: "notes"; readonly sections: readonly string[]; readonly current: string };

const summarySections = [
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

const noteSections = [
  "Title",
  "Current State",
  "Task Specification",
  "Files and Functions",
  "Workflow",
  "Errors and Corrections",
  "Codebase Documentation",
  "Learnings",
  "Key Results",
  "Worklog",
] as const;

/** Null: it asks for neither. */
export function recogniseMemoryRequest(request: WireRequest): MemoryRequest | null {
  const prompt = lastUserText(request);
  if (prompt === null) return null;
  if (/<notes\b/i.test(prompt)) return { kind: "notes", sections: noteTitles(prompt), current: currentNotes(prompt) };
  const titles = numberedTitles(prompt);
  const asks = /<summary\b/i.test(prompt) && (/<analysis\b/i.test(prompt) || titles !== null);
  if (!asks) return null;
  return { kind: "summary", sections: titles ?? summarySections, focus: focusOf(prompt) };
}

function lastUserText(request: WireRequest): string | null {
  const last = request.messages.at(-1);
  if (last === undefined || last.role !== "user") return null;
  const text = blocksOf(last.content).findLast((block) => block.type === "text")?.text;
  return typeof text === "string" ? text : null;
}

/** Nine section titles, where the prompt numbers them 1 to 9. */
function numberedTitles(prompt: string): readonly string[] | null {
  const titles = new Map<number, string>();
  for (const [, number, title] of prompt.matchAll(/^\s*(?:#+\s*)?([1-9])[.)]\s+\**([^:*\n]{3,60})/gm)) {
    if (number !== undefined && title !== undefined && !titles.has(Number(number)))
      titles.set(Number(number), title.trim());
  }
  return titles.size === 9 ? Array.from({ length: 9 }, (_, i) => titles.get(i + 1) ?? "") : null;
}

function noteTitles(prompt: string): readonly string[] {
  const titles = [...prompt.matchAll(/^#{1,3} +(.+)$/gm)].map(([, title]) => (title ?? "").trim());
  const unique = [...new Set(titles)];
  return unique.length >= noteSections.length ? unique.slice(0, noteSections.length) : noteSections;
}

/** What stands between the last pair of tags: earlier ones explain the form. */
function currentNotes(prompt: string): string {
  const end = prompt.toLowerCase().lastIndexOf("</notes>");
  const start = prompt.toLowerCase().lastIndexOf("<notes", end);
  return end < 0 || start < 0 ? "" : prompt.slice(prompt.indexOf(">", start) + 1, end);
}

/** Words by which instructions ask for a kind of fact. */
const focusWords: Readonly<Record<FactKind, RegExp>> = {
  goal: /\bgoals?\b/i,
  "current-step": /\bprogress\b/i,
  constraint: /\bconstraints?\b|\brules?\b/i,
  "pending-task": /\bfollow-?ups?\b/i,
  decision: /\bdecisions?\b/i,
  "file-modified": /\bchanged files\b|\bmodified files\b/i,
  "error-fix": /\berror codes?\b/i,
  preference: /\bpreferences?\b|\bstyle\b/i,
  "exact-value": /\bports?\b|\bexact values?\b|\bsettings\b/i,
  "file-read": /\bfile paths?\b/i,
  reason: /\breasons?\b/i,
  "rejected-approach": /\brejected approach/i,
  "tool-detail": /\bbuild numbers?\b/i,
};

/** Only custom instructions can focus: what every prompt of the client says about all sections stands before them. */
function focusOf(prompt: string): ReadonlySet<FactKind> {
  const custom = /(?:instructions|focus)[^\n]*:\s*\n([\s\S]{1,4000})/i.exec(prompt)?.[1] ?? "";
  return new Set(factKinds.filter((kind) => focusWords[kind].test(custom)));
}
