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

test("SM1: the template is headings and guidance, a blank line between sections", () => {
  const sections = notesSections.map(({ heading, guidance }) => `# ${heading}\n_${guidance}_\n`);
  expect(notesTemplate).toBe(sections.join("\n"));
  expect(notesOf({ Worklog: "Read." }).endsWith("newest last._\n\nRead.\n")).toBe(true);
});

test("SM1: headings and guidance are told through the line ends and blanks of any editor", () => {
  expect(isBlankNotes(notesTemplate.replaceAll("\n", " \r\n"))).toBe(true);
  expect(readNotes(notesOf({ Worklog: "Read." }).replaceAll("\n", "\r\n")).get("Worklog")).toBe("Read.");
});

test("SM1: the prompt says which sections are too long, and when all together are, and shows the notes trimmed", () => {
  const notes = notesOf({ Workflow: "x".repeat(8_004), Learnings: "y".repeat(8_004) });
  const long = extractionPrompt(`\n\n${notes}\n\n`, config, roughEstimator);
  expect(long).toContain("Too long now, shorten: Workflow, Learnings.\n\nThe notes so far:");
  expect(long.endsWith(`\n\n<notes>\n${notes.trim()}\n</notes>`)).toBe(true);
  const short = notesOf({ Worklog: "abc" });
  const total = short.length / 4;
  const promptAt = (totalTokens: number): string => extractionPrompt(short, { ...config, totalTokens }, roughEstimator);
  expect(promptAt(total)).not.toContain("too many");
  expect(promptAt(total - 1)).toContain(
    `about ${Math.ceil(total)} tokens, which is too many: shorten them to ${total - 1}`,
  );
});

test("SM1: notes that begin on the line of their tag are read, too", () => {
  const read = readExtraction("<notes># Worklog\nRead.</notes>", notesTemplate);
  expect(read).toEqual({ kind: "notes", notes: notesOf({ Worklog: "Read." }) });
  expect(readExtraction("</notes> <notes># Worklog\nRead.", notesTemplate)).toEqual({
    kind: "failed",
    reason: "unclosed",
  });
});

test("SM5: notes within their limits are the same text, whatever their form, up to the very limit", () => {
  expect(limitNotes("Notes in a form of somebody's own.", config, roughEstimator, null)).toBe(
    "Notes in a form of somebody's own.",
  );
  const full = notesOf(
    Object.fromEntries(notesSections.slice(0, 6).map(({ heading }) => [heading, "x".repeat(7_000)])),
  );
  const exactly = full + " ".repeat(48_000 - full.length);
  expect(limitNotes(exactly, config, roughEstimator, null)).toBe(exactly);
  expect(limitNotes(`${exactly} `, config, roughEstimator, null)).not.toBe(`${exactly} `);
});

test("SM5: a section is cut to no less than its limit, beside one that is just within it", () => {
  const notes = notesOf({ Workflow: "x".repeat(9_000), Learnings: "y".repeat(8_000), Worklog: "z" });
  const bodies = readNotes(limitNotes(notes, config, roughEstimator, null));
  expect(bodies.get("Workflow")).toHaveLength(8_000);
  expect(bodies.get("Workflow")).toMatch(/^x+\n\[cut for length\]$/);
  expect(bodies.get("Learnings")).toBe("y".repeat(8_000));
  expect(bodies.get("Worklog")).toBe("z");
});

test("SM5: ten sections within their limits are cut where together they are over theirs", () => {
  const notes = notesOf(Object.fromEntries(notesSections.map(({ heading }) => [heading, "x".repeat(7_600)])));
  const limited = limitNotes(notes, config, roughEstimator, null);
  expect(measureNotes(limited, config, roughEstimator).total).toBeLessThanOrEqual(12_000);
  expect(measureNotes(limited, config, roughEstimator).total).toBeGreaterThan(11_900);
});

test("SM5: where not even the note fits, the note stands alone", () => {
  const tiny = { ...config, sectionTokens: 4 };
  expect(
    readNotes(limitNotes(notesOf({ Workflow: "x".repeat(100) }), tiny, roughEstimator, null)).get("Workflow"),
  ).toBe("[cut for length]");
});

test("SM5: no character is cut in half, at whichever end", () => {
  for (const shift of ["", "x"])
    for (const heading of ["Workflow", "Worklog"]) {
      const limited = limitNotes(notesOf({ [heading]: `${shift}${"😀".repeat(5_000)}` }), config, roughEstimator, null);
      expect(readNotes(limited).get(heading)).toMatch(/^(\[cut for length\]\n)?x?(😀)+(\n\[cut for length\])?$/u);
    }
});

test("SM5: a text that is heavier at the end that stays is cut further, until it fits", () => {
  const estimator = {
    ...roughEstimator,
    block: (block: { readonly type: string; readonly text?: string }) =>
      (block.text ?? "").split("#").length - 1 + (block.text ?? "").length / 100,
  } as typeof roughEstimator;
  const notes = notesOf({ Workflow: `${"#".repeat(3_000)}${"x".repeat(100_000)}` });
  expect(measureNotes(limitNotes(notes, config, estimator, null), config, estimator).tooLong).toEqual([]);
});
