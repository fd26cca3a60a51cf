import type { Estimator } from "../../tokens/index.ts";
import type { SessionMemoryConfig } from "../config.ts";
import { fairCap, wholePairs } from "../full/cut-text.ts";
import { notesSections, readNotes, writeNotes } from "./notes-template.ts";

/** Sections and total of notes against their limits, in estimated tokens. */
export interface NotesSize {
  readonly total: number;
  /** Headings whose body is over its limit. */
  readonly tooLong: readonly string[];
}

export function measureNotes(notes: string, config: SessionMemoryConfig, estimator: Estimator): NotesSize {
  const bodies = [...readNotes(notes)].map(([heading, body]) => ({ heading, tokens: tokensOf(body, estimator) }));
  return {
    total: tokensOf(notes, estimator),
    tooLong: bodies.filter(({ tokens }) => tokens > config.sectionTokens).map(({ heading }) => heading),
  };
}

/**
 * Notes with every section within its limit, and all of them within theirs (SM5). The same text when they are. What is cut says so, and where the
 * whole stands. A worklog keeps its end, which is the newest; every other section its start.
 */
export function limitNotes(
  notes: string,
  config: SessionMemoryConfig,
  estimator: Estimator,
  path: string | null,
): string {
  const size = measureNotes(notes, config, estimator);
  if (size.tooLong.length === 0 && size.total <= config.totalTokens) return notes;
  const bodies = readNotes(notes);
  // A body brings its line breaks with it.
  const frame = tokensOf(writeNotes(new Map(notesSections.map(({ heading }) => [heading, "\n"]))), estimator);
  const sizes = [...bodies.values()].map((body) => Math.min(tokensOf(body, estimator), config.sectionTokens));
  const cap = Math.min(config.sectionTokens, fairCap(sizes, config.totalTokens - frame));
  const note = path === null ? "[cut for length]" : `[cut for length; the whole notes are at ${path}]`;
  return writeNotes(
    new Map(
      [...bodies].map(([heading, body]) => [heading, cutToTokens(body, cap, note, heading === newestLast, estimator)]),
    ),
  );
}

const newestLast = notesSections[9].heading;

/** Characters are given up in proportion until the estimate fits: estimators differ in how they weigh them. */
function cutToTokens(text: string, maxTokens: number, note: string, keepsEnd: boolean, estimator: Estimator): string {
  const tokens = tokensOf(text, estimator);
  if (tokens <= maxTokens) return text;
  let chars = Math.floor((text.length * maxTokens) / tokens) - note.length - 1;
  // Stryker disable next-line EqualityOperator: of no characters the note alone is left, too.
  while (chars > 0) {
    const part = wholePairs(keepsEnd ? text.slice(text.length - chars) : text.slice(0, chars));
    const cut = keepsEnd ? `${note}\n${part}` : `${part}\n${note}`;
    if (tokensOf(cut, estimator) <= maxTokens) return cut;
    chars = Math.floor(chars * 0.9);
  }
  return note;
}

function tokensOf(text: string, estimator: Estimator): number {
  return estimator.block({ type: "text", text });
}
