import type { CompactionEvent, EventSink } from "./events.ts";

/** Keeps what it is told, in order. */
export interface MemorySink {
  readonly sink: EventSink;
  /** A copy: it grows no further. */
  events(): readonly CompactionEvent[];
  /** Those of one kind, in order. */
  of<K extends CompactionEvent["kind"]>(kind: K): readonly Extract<CompactionEvent, { readonly kind: K }>[];
}

export function createMemorySink(): MemorySink {
  const events: CompactionEvent[] = [];
  return {
    sink: (event) => {
      events.push(event);
    },
    events: () => events.slice(),
    of: <K extends CompactionEvent["kind"]>(kind: K) =>
      events.filter((event): event is Extract<CompactionEvent, { readonly kind: K }> => event.kind === kind),
  };
}

/**
 * Writes each event as one line of JSON, its line break included, by `append`: `(line) => appendFileSync(path, line)` makes a file of it.
 * An `append` that throws loses that line and nothing else; `onLost` hears of it.
 */
export function createJsonlSink(
  append: (line: string) => void,
  onLost: (error: unknown) => void = () => {},
): EventSink {
  return (event) => {
    try {
      append(`${JSON.stringify(event)}\n`);
    } catch (error) {
      onLost(error);
    }
  };
}
