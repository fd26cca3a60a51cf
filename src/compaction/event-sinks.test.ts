import { expect, test } from "vitest";
import { createJsonlSink, createMemorySink } from "./event-sinks.ts";
import type { CompactionEvent } from "./events.ts";

const where = { at: 5, turn: 1, round: 2, querySource: "main" } as const;
const events: readonly CompactionEvent[] = [
  { kind: "microcompact", path: "time", cleared: ["t1"], tokensFreed: 12.5, ...where },
  { kind: "notice", code: "hook_failed", text: "two\nlines", ...where },
  { kind: "blocked", tokens: 9, limit: 8, ...where },
  { kind: "notice", code: "irreducible", text: "", ...where },
];

test("TE1: the memory sink keeps all, in order, and tells them by kind", () => {
  const memory = createMemorySink();
  for (const event of events) memory.sink(event);
  const kept = memory.events();
  expect(kept).toEqual(events);
  expect(memory.of("notice").map(({ code }) => code)).toEqual(["hook_failed", "irreducible"]);
  memory.sink(events[0] as CompactionEvent);
  expect(kept).toHaveLength(4);
});

test("TE1: the JSONL sink writes one line for each event, from which it can be read again", () => {
  let file = "";
  const sink = createJsonlSink((line) => {
    file += line;
  });
  for (const event of events) sink(event);
  expect(file.endsWith("\n")).toBe(true);
  expect(
    file
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual(events);
});

test("TE1: a sink whose file is full loses the line, tells it, and throws nothing", () => {
  const lost: unknown[] = [];
  const full = new Error("disk full");
  const sink = createJsonlSink(
    () => {
      throw full;
    },
    (error) => lost.push(error),
  );
  sink(events[0] as CompactionEvent);
  expect(lost).toEqual([full]);
  expect(() =>
    createJsonlSink(() => {
      throw full;
    })(events[0] as CompactionEvent),
  ).not.toThrow();
});
