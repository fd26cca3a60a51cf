import { canonicalJson, createStableHash } from "../determinism/index.ts";
import { computeMetrics } from "./metrics/all.ts";
import type { RecordFooter, RecordHeader, RunEvent, RunRecord } from "./record.ts";

/** An event as its maker gives it: the recorder numbers it and counts its time from the start of the run. */
export type NewEvent = RunEvent extends infer E ? (E extends RunEvent ? Omit<E, "seq"> : never) : never;

export interface Recorder {
  add(event: NewEvent): void;
  /** Called with each event, numbered. An event added while it runs comes after. */
  onEvent(listener: (event: RunEvent) => void): void;
  finish(header: RecordHeader): RunRecord;
}

/** Collects the events of one run. `at` of what is added is absolute; in the record it counts from `startMs`. */
export function createRecorder(startMs: number): Recorder {
  const events: RunEvent[] = [];
  const listeners: ((event: RunEvent) => void)[] = [];
  return {
    add: (event) => {
      const numbered = { ...event, seq: events.length, at: event.at - startMs } as RunEvent;
      events.push(numbered);
      for (const listener of listeners) listener(numbered);
    },
    onEvent: (listener) => {
      listeners.push(listener);
    },
    finish: (header) => ({ header, events, footer: footerOf(events) }),
  };
}

function footerOf(events: readonly RunEvent[]): RecordFooter {
  const hash = createStableHash();
  const broken = new Set<string>();
  for (const event of events) {
    hash.add(canonicalJson(event));
    if (event.kind === "invariant_broken") broken.add(event.invariant);
  }
  return {
    kind: "footer",
    events: events.length,
    hash: hash.digest(),
    metrics: computeMetrics(events),
    broken: [...broken],
  };
}

/** The record as NDJSON in canonical form: equal records give equal bytes. */
export function writeRecord({ header, events, footer }: RunRecord): string {
  return `${[header, ...events, footer].map(canonicalJson).join("\n")}\n`;
}

/** What is wrong with a record file, in one line. */
export class RecordError extends Error {
  override name = "RecordError";
}

/** Reads what `writeRecord` wrote. Throws `RecordError` with the line where it does not. */
export function readRecord(text: string): RunRecord {
  const lines = text.trimEnd().split("\n");
  const parsed = lines.map((line, i): { kind?: string; schema?: number } => {
    try {
      return JSON.parse(line);
    } catch {
      throw new RecordError(`line ${i + 1} is not JSON: a record has one JSON object a line`);
    }
  });
  const [header, footer] = [parsed[0], parsed.at(-1)];
  if (header?.kind !== "header" || header.schema !== 1) throw new RecordError("line 1 is no record header of schema 1");
  if (footer?.kind !== "footer") throw new RecordError(`line ${lines.length} is no footer: the record is cut off`);
  return { header: header as RecordHeader, events: parsed.slice(1, -1) as RunEvent[], footer: footer as RecordFooter };
}
