import fc from "fast-check";
import { expect, test } from "vitest";
import { roughEstimator } from "../../tokens/index.ts";
import { defaultConfig } from "../config.ts";
import { extractionPrompt, readExtraction } from "./extraction-prompt.ts";
import { limitNotes, measureNotes } from "./limit-notes.ts";
import { isBlankNotes, notesSections, notesTemplate, readNotes, writeNotes } from "./notes-template.ts";

const config = defaultConfig.sessionMemory;
const notesOf = (bodies: Readonly<Record<string, string>>) => writeNotes(new Map(Object.entries(bodies)));

test("SM1: the template has the ten sections in their order", () => {
  expect(notesTemplate.match(/^# .*$/gm)).toEqual([
    "# Session Title",
    "# Current State",
    "# Task Specification",
    "# Files and Functions",
    "# Workflow",
    "# Errors and Corrections",
    "# Codebase Documentation",
    "# Learnings",
    "# Key Results",
    "# Worklog",
  ]);
});

test("SM1: notes are read as they were written", () => {
  const heading = fc.constantFrom(...notesSections.map((section) => section.heading));
  const body = fc.lorem({ maxCount: 20 }).map((text) => text.trim());
  fc.assert(
    fc.property(fc.dictionary(heading, body), (bodies) => {
      const read = readNotes(notesOf(bodies));
      for (const section of notesSections) expect(read.get(section.heading)).toBe(bodies[section.heading] ?? "");
    }),
  );
});

test("SM5: the bare template is no notes, and neither is nothing", () => {
  expect(isBlankNotes(notesTemplate)).toBe(true);
  expect(isBlankNotes("  \n")).toBe(true);
  expect(isBlankNotes(notesOf({ Worklog: "Read the code." }))).toBe(false);
  expect(isBlankNotes("Notes in a form of somebody's own.")).toBe(false);
});

test("SM1: new notes are what stands between the tags, whatever is said around them", () => {
  const answer = `Here they are.\n<notes>\n${notesOf({ "Current State": "Half done." })}\n</notes>\nBye.`;
  expect(readExtraction(answer, notesTemplate)).toEqual({
    kind: "notes",
    notes: notesOf({ "Current State": "Half done." }),
  });
});

test("SM1: a section that the answer leaves out keeps its text, one that it empties is emptied", () => {
  const earlier = notesOf({ "Current State": "Begun.", Learnings: "Tests are slow." });
  const read = readExtraction("<notes>\n# Current State\n\n</notes>", earlier);
  expect(read).toEqual({ kind: "notes", notes: notesOf({ Learnings: "Tests are slow." }) });
});

test("SM1: no tags, no end, or no section: not used", () => {
  expect(readExtraction("I called a tool instead.", notesTemplate)).toEqual({ kind: "failed", reason: "no-notes" });
  expect(readExtraction("<notes>\n# Current State\nHalf", notesTemplate)).toEqual({
    kind: "failed",
    reason: "unclosed",
  });
  expect(readExtraction("<notes>Nothing new.</notes>", notesTemplate)).toEqual({
    kind: "failed",
    reason: "no-sections",
  });
});

test("SM1: the prompt shows the notes so far, forbids tools, and names what is too long", () => {
  const short = extractionPrompt(notesOf({ Worklog: "Read a.ts." }), config, roughEstimator);
  expect(short).toContain("Read a.ts.");
  expect(short).toMatch(/Do not call a tool/);
  expect(short).not.toMatch(/Too long now/);
  const long = extractionPrompt(notesOf({ Workflow: "x".repeat(8_004) }), config, roughEstimator);
  expect(long).toContain("Too long now, shorten: Workflow.");
});

test("SM5: notes within their limits are the same text", () => {
  const notes = notesOf({ Worklog: "x".repeat(8_000) });
  expect(limitNotes(notes, config, roughEstimator, null)).toBe(notes);
});

test("SM5: a long section is cut to its limit and says where the whole is; a worklog keeps its end", () => {
  const notes = notesOf({ Workflow: `begin${"x".repeat(9_000)}end`, Worklog: `begin${"y".repeat(9_000)}end` });
  const bodies = readNotes(limitNotes(notes, config, roughEstimator, "/notes.md"));
  expect(bodies.get("Workflow")).toMatch(/^beginx+\n\[cut for length; the whole notes are at \/notes\.md\]$/);
  expect(bodies.get("Worklog")).toMatch(/^\[cut for length; the whole notes are at \/notes\.md\]\ny+end$/);
});

test("SM5: whatever the notes are, no section and no whole is over its limit", () => {
  const heading = fc.constantFrom(...notesSections.map((section) => section.heading));
  fc.assert(
    fc.property(fc.dictionary(heading, fc.integer({ min: 0, max: 10_000 })), (lengths) => {
      const bodies = Object.entries(lengths).map(([name, length]) => [name, "词x".repeat(length)]);
      const limited = limitNotes(notesOf(Object.fromEntries(bodies)), config, roughEstimator, null);
      const { tooLong, total } = measureNotes(limited, config, roughEstimator);
      expect(tooLong).toEqual([]);
      expect(total).toBeLessThanOrEqual(config.totalTokens);
    }),
  );
});
