/** The fixed sections of the notes, in their order, with what belongs into each (SM1). */
export const notesSections = [
  { heading: "Session Title", guidance: "A few words that name this session and nothing else." },
  { heading: "Current State", guidance: "What is being worked on now, what is not finished, what comes next." },
  {
    heading: "Task Specification",
    guidance: "What the user asked for, with constraints, preferences and design decisions.",
  },
  {
    heading: "Files and Functions",
    guidance: "Files that matter: what is in them, why they matter, what was changed.",
  },
  { heading: "Workflow", guidance: "Commands that are run, in which order, and how to read their output." },
  {
    heading: "Errors and Corrections",
    guidance: "What failed and how it was mended; what the user corrected; ways not to try again.",
  },
  { heading: "Codebase Documentation", guidance: "Components of the system and how they fit together." },
  { heading: "Learnings", guidance: "What worked, what did not, what to avoid. Nothing that stands elsewhere." },
  { heading: "Key Results", guidance: "Answers, tables and exact values that the user asked for, in full." },
  { heading: "Worklog", guidance: "What was done, step by step, in a few words each; newest last." },
] as const;

/** The headings as they are found, in lower case: people and models write them in either. */
const headings = new Map(notesSections.map(({ heading }) => [`# ${heading.toLowerCase()}`, heading]));
const guidances: ReadonlySet<string> = new Set(notesSections.map(({ guidance }) => `_${guidance}_`));

/** The notes before anything was noted. */
export const notesTemplate: string = writeNotes(new Map());

/** Notes with the given bodies by heading: every fixed section, in order, under its guidance. */
export function writeNotes(bodies: ReadonlyMap<string, string>): string {
  const sections = notesSections.map(({ heading, guidance }) => {
    const body = bodies.get(heading) ?? "";
    return `# ${heading}\n_${guidance}_\n${body === "" ? "" : `\n${body}\n`}`;
  });
  return sections.join("\n");
}

/** Bodies by heading, trimmed, guidance left out. Text under a heading that is not fixed stays with the section before it; what stands before the first is dropped. */
export function readNotes(notes: string): ReadonlyMap<string, string> {
  const bodies = new Map<string, string[]>();
  let lines: string[] | undefined;
  for (const line of notes.split("\n")) {
    const trimmed = line.trim();
    const heading = trimmed.startsWith("# ") ? headings.get(trimmed.toLowerCase()) : undefined;
    if (heading !== undefined) {
      lines = bodies.get(heading) ?? [];
      bodies.set(heading, lines);
    } else if (!(trimmed.startsWith("_") && guidances.has(trimmed))) {
      lines?.push(line);
    }
  }
  return new Map([...bodies].map(([heading, body]) => [heading, body.join("\n").trim()]));
}

/** True where nothing was noted: empty, or just the template. */
export function isBlankNotes(notes: string): boolean {
  const bodies = [...readNotes(notes).values()];
  return notes.trim() === "" || (bodies.length > 0 && bodies.every((body) => body === ""));
}
