/** What a transcript file can have wrong with it and still be read (L3). Each is counted, none is fatal. */
export const irregularityKinds = {
  "glued-records": "two or more records on one line",
  "cut-record": "a record cut in the middle, the next one on the same line",
  "nul-run": "a run of NUL characters",
  "half-written-last-line": "the last line was not written to its end",
  "no-final-newline": "no newline at the end of the file",
  "line-separator": "U+2028 or U+2029 inside a string",
  "not-a-record": "a line that is JSON, but no object with a type",
  "duplicate-record": "a record that stands in the file twice (same uuid)",
  "several-sessions": "records of another session id than the first",
  "starts-in-mid-chain": "the first message names a parent that the file does not hold",
  "dangling-parent": "a record whose parent the file does not hold",
  "time-backwards": "a timestamp before the one above it",
  "no-timestamp": "a record without a readable timestamp",
  sidechain: "records of a subagent, left out",
  "synthetic-message": "assistant messages made by the client, not by a model",
  "usage-missing": "responses without usable usage",
  "usage-repeated": "usage repeated on the parts of one response, counted once",
  "placeholder-output": "responses whose output_tokens is a placeholder (no part has a stop reason)",
  "tool-use-without-result": "tool calls that were never answered",
  "result-without-tool-use": "tool results without their call",
  "empty-thinking": "thinking blocks with a signature and no text",
  "unknown-block": "content blocks of an unknown type, passed through",
  "unknown-record": "records of types that are not part of the conversation, skipped",
  "boundary-without-metadata": "compaction boundaries that do not say what they did",
  "kept-before-boundary": "messages before a boundary that it kept alive",
} as const;

export type IrregularityKind = keyof typeof irregularityKinds;
export type Irregularities = Readonly<Partial<Record<IrregularityKind, number>>>;

/** Counts irregularities while a file is read. */
export interface IrregularityCounter {
  note(kind: IrregularityKind, times?: number): void;
  counts(): Irregularities;
}

export function countIrregularities(): IrregularityCounter {
  const counts: Partial<Record<IrregularityKind, number>> = {};
  return {
    note: (kind, times = 1) => {
      if (times > 0) counts[kind] = (counts[kind] ?? 0) + times;
    },
    counts: () => counts,
  };
}
