import type { IrregularityCounter } from "./irregularity.ts";

/** A JSON object of a transcript file, unchecked. */
export type RawRecord = Readonly<Record<string, unknown>>;

/**
 * The records of a JSONL file, one at a time, whatever happened to its lines (L3). Lines end at \n only: U+2028 inside a string is text.
 * Memory: one line. Never throws on content; what cannot be read is counted.
 */
export async function* splitRecords(
  chunks: AsyncIterable<Uint8Array>,
  { note }: IrregularityCounter,
): AsyncGenerator<RawRecord> {
  const decoder = new TextDecoder("utf-8");
  let rest = "";
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    let start = 0;
    for (let end = rest.indexOf("\n", start); end >= 0; end = rest.indexOf("\n", start)) {
      yield* recordsOfLine(rest.slice(start, end), note, "line");
      start = end + 1;
    }
    rest = rest.slice(start);
  }
  rest += decoder.decode();
  if (rest.trim() === "") return;
  note("no-final-newline");
  yield* recordsOfLine(rest, note, "last");
}

type Note = IrregularityCounter["note"];

function* recordsOfLine(line: string, note: Note, place: "line" | "last"): Generator<RawRecord> {
  if (line.includes("\u2028") || line.includes("\u2029")) note("line-separator");
  const text = withoutNuls(line, note).trim();
  if (text === "") return;
  const whole = parse(text);
  if (whole !== undefined) {
    if (isRecord(whole)) yield whole;
    else note("not-a-record");
    return;
  }
  const { records, cut } = salvage(text);
  if (records.length > 1) note("glued-records");
  if (cut) note(place === "last" ? "half-written-last-line" : "cut-record");
  yield* records;
}

function withoutNuls(line: string, note: Note): string {
  if (!line.includes("\0")) return line;
  note("nul-run", line.match(/\0+/g)?.length ?? 0);
  return line.replaceAll("\0", "");
}

/** Every whole record that stands in a broken line, and whether something of it belongs to none. */
function salvage(text: string): { records: RawRecord[]; cut: boolean } {
  const records: RawRecord[] = [];
  let cut = false;
  let at = 0;
  while (at < text.length) {
    const start = text.indexOf('{"', at);
    if (start < 0) break;
    if (text.slice(at, start).trim() !== "") cut = true;
    const end = endOfObject(text, start);
    const value = end < 0 ? undefined : parse(text.slice(start, end));
    if (isRecord(value)) {
      records.push(value);
      at = end;
    } else {
      // Not a record from here on: the next opening brace may be one. A block of a cut record has a type, too, and is skipped as unknown.
      cut = true;
      at = start + 2;
    }
  }
  return { records, cut: cut || text.slice(at).trim() !== "" };
}

/** Index after the brace that closes the object at `start`, or -1. Braces inside strings do not count. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let i = start; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (inString) {
      if (char === 92) i++;
      else if (char === 34) inString = false;
    } else if (char === 34) inString = true;
    else if (char === 123) depth++;
    else if (char === 125 && --depth === 0) return i + 1;
  }
  return -1;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is RawRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
