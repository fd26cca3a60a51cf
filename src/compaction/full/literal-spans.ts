/** A stretch of text, [start, end) in characters. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Closed code fences, whole lines, in order. A fence that is never closed is none: it would hide all that follows. */
export function codeFences(text: string): readonly Span[] {
  const fences: Span[] = [];
  let open: { start: number; mark: string } | null = null;
  for (const { start, end, line } of linesOf(text)) {
    const mark = /^[ \t]*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark === undefined) continue;
    if (open === null) {
      if (isFenceOpening(line, mark)) open = { start, mark };
    } else if (mark[0] === open.mark[0] && mark.length >= open.mark.length && line.trim() === mark) {
      fences.push({ start: open.start, end });
      open = null;
    }
  }
  return fences;
}

/**
 * Whether what stands in `span` is only mentioned, not meant: inside an inline code span, between quotation marks on its line, or on
 * a line that is a quotation. Apostrophes are too common to pair up, so single quotes count only where they touch the span.
 */
export function isQuoted(text: string, span: Span): boolean {
  const lineStart = text.lastIndexOf("\n", span.start - 1) + 1;
  const before = text.slice(lineStart, span.start);
  const after = text.slice(span.end).split("\n", 1)[0] as string;
  if (/^\s*>/.test(before)) return true;
  if (isInsideCodeSpan(before, after)) return true;
  const isOpen = before.split('"').length % 2 === 0;
  if (isOpen && after.includes('"')) return true;
  for (const [open, close] of CURLY)
    if (before.lastIndexOf(open) > before.lastIndexOf(close) && after.includes(close)) return true;
  return before.endsWith("'") && /'/.test(after);
}

const CURLY: readonly (readonly [string, string])[] = [
  ["“", "”"],
  ["‘", "’"],
  ["«", "»"],
  ["„", "“"],
];

/** A backtick in an info string means that the line is inline code, not a fence (CommonMark 4.5). */
function isFenceOpening(line: string, mark: string): boolean {
  return mark[0] === "~" || !line.trimStart().slice(mark.length).includes("`");
}

/** Code spans are runs of backticks, closed by a run of the same length (CommonMark 6.1). */
function isInsideCodeSpan(before: string, after: string): boolean {
  let open: string | null = null;
  for (const [run] of before.matchAll(/`+/g)) open = open === null ? run : run === open ? null : open;
  return [...after.matchAll(/`+/g)].some(([run]) => run === open);
}

function* linesOf(text: string): Generator<{ start: number; end: number; line: string }> {
  for (let start = 0; start < text.length; ) {
    const at = text.indexOf("\n", start);
    const end = at < 0 ? text.length : at + 1;
    yield { start, end, line: text.slice(start, end) };
    start = end;
  }
}
