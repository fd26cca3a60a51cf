/** Where a summary's custom instructions come from, in the order in which they are joined (FC6). */
export interface InstructionSources {
  /** Typed with the manual command. */
  readonly manual?: string | null;
  /** What the PreCompact hooks put out. */
  readonly hooks?: string | null;
  /** Whole text of the project's memory file (CLAUDE.md, AGENTS.md); only its "Compact Instructions" section counts. */
  readonly memoryFile?: string | null;
}

/** The custom instructions of a summary as one text, "" where no source has any: manual, hooks, memory file (FC6). */
export function joinInstructions(sources: InstructionSources): string {
  return [sources.manual, sources.hooks, compactInstructionsSection(sources.memoryFile ?? "")]
    .map((text) => text?.trim() ?? "")
    .filter((text) => text !== "")
    .join("\n\n");
}

/**
 * The body of every "Compact Instructions" section of a Markdown text, "" where there is none. A section runs from its heading
 * (any level, any letter case) to the next heading of the same level or a higher one; headings inside code fences are text.
 */
export function compactInstructionsSection(markdown: string): string {
  const sections: string[][] = [];
  let open: { level: number; lines: string[] } | null = null;
  let fence: string | null = null;
  for (const line of markdown.split(/\r?\n/)) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined) fence = fenceAfter(fence, mark, line);
    const heading = fence === null && mark === undefined ? /^(#{1,6})\s+(.*?)[\s#:]*$/.exec(line) : null;
    const level = heading?.[1]?.length ?? 0;
    if (heading !== null && open !== null && level <= open.level) open = null;
    if (heading !== null && open === null && /^compact instructions$/i.test(heading[2] ?? "")) {
      open = { level, lines: [] };
      sections.push(open.lines);
      continue;
    }
    open?.lines.push(line);
  }
  return sections
    .map((lines) => lines.join("\n").trim())
    .filter((text) => text !== "")
    .join("\n\n");
}

/** The fence that is open after a line which begins with `mark`; null when that line closed it. */
function fenceAfter(open: string | null, mark: string, line: string): string | null {
  if (open === null) return mark;
  const closes = mark[0] === open[0] && mark.length >= open.length && line.trim() === mark;
  return closes ? null : open;
}
