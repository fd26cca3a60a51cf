import { expect, test } from "vitest";
import { aBoundary, anAssistant, anAttachment, aResultMessage, aToolUse, aUsage, aUser } from "../../testing/index.ts";
import { recordedTurns } from "./recorded-turns.ts";

const read = (id: string) => aToolUse(id, "Read", { file_path: id });

test("parts of one response are one round, with the results that came between them", () => {
  const [turn] = recordedTurns([
    aUser("go"),
    anAssistant([read("a")], { id: "m1" }),
    aResultMessage("a"),
    anAssistant([read("b")], { id: "m1" }),
    aResultMessage("b"),
    anAssistant("done", { id: "m2" }),
  ]);
  expect(turn?.rounds.map((round) => round.content.length)).toEqual([2, 1]);
  expect([...(turn?.rounds[0]?.results.keys() ?? [])]).toEqual(["a", "b"]);
});

test("the file's own compaction is marked, and its summary is not played", () => {
  const turns = recordedTurns([
    aUser("go"),
    anAssistant([read("a")], { id: "m1" }),
    aResultMessage("a"),
    aBoundary(),
    aUser("Summary: …", { isCompactSummary: true }),
    anAssistant("done", { id: "m2" }),
  ]);
  expect(turns).toHaveLength(1);
  expect(turns[0]?.rounds.map((round) => round.afterCompaction)).toEqual([false, true]);
});

test("usage repeated on the parts of a response is taken once, with the largest output", () => {
  const [turn] = recordedTurns([
    aUser("go"),
    anAssistant("thinking", { id: "m1", usage: aUsage({ output_tokens: 3 }) }),
    anAssistant("more", { id: "m1", usage: aUsage({ output_tokens: 300 }) }),
    anAssistant("end", { id: "m1", usage: aUsage({ output_tokens: 2 }) }),
  ]);
  expect(turn?.rounds[0]?.usage?.output_tokens).toBe(300);
});

test("a file that begins in mid-session gets an opening of its own", () => {
  const turns = recordedTurns([anAssistant("going on"), aUser("next")]);
  expect(turns.map((turn) => turn.rounds.length)).toEqual([1, 0]);
});

test("attachments before the first response join what the user said", () => {
  const [turn] = recordedTurns([aUser("go"), anAttachment("a file"), anAssistant("done")]);
  expect(turn?.said).toHaveLength(2);
});

test("gaps are those between neighbouring messages, never below zero", () => {
  const turns = recordedTurns([
    aUser("a", { timestamp: 1000 }),
    anAssistant("b", { timestamp: 5000 }),
    aUser("c", { timestamp: 65_000 }),
    anAssistant("d", { timestamp: 66_000 }),
    aUser("e", { timestamp: 10 }),
  ]);
  expect(turns.map((turn) => turn.gapMs)).toEqual([0, 60_000, 0]);
});
