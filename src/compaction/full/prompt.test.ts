import { expect, test } from "vitest";
import { formatSummary } from "./format-summary.ts";
import type { SummaryScope } from "./prompt.ts";
import { summaryPrompt } from "./prompt.ts";

const scopes: readonly SummaryScope[] = ["full", "partial-from", "partial-up-to"];

const usual = [
  "1. Primary Request and Intent",
  "2. Key Technical Concepts",
  "3. Files and Code Sections",
  "4. Errors and Fixes",
  "5. Problem Solving",
  "6. All User Messages",
  "7. Pending Tasks",
  "8. Current Work",
  "9. Optional Next Step",
];
const upTo = [...usual.slice(0, 7), "8. Work Completed", "9. Context for Continuing Work"];

test.each([
  ["full", usual],
  ["partial-from", usual],
  ["partial-up-to", upTo],
] as const)("FC4, FC5: %s asks for its nine sections by number, in the list and in the example", (scope, sections) => {
  const numbered = summaryPrompt(scope, "").match(/^\s*\d\. [^:]+(?=:)/gm);
  expect(numbered?.map((title) => title.trim())).toEqual([...sections, ...sections]);
});

test.each(scopes)("FC4: %s bans tools first and last, and asks for analysis before summary", (scope) => {
  const prompt = summaryPrompt(scope, "");
  const paragraphs = prompt.split("\n\n");
  expect(paragraphs[0]).toMatch(/text only.*tool/s);
  expect(paragraphs.at(-1)).toMatch(/no tool calls/);
  expect(prompt.indexOf("`<analysis>`")).toBeLessThan(prompt.indexOf("`<summary>`"));
  expect(prompt).toMatch(/<example>\n<analysis>.*<\/analysis>\n\n<summary>.*<\/summary>\n<\/example>/s);
});

test("FC5: the three variants differ in what they are told to summarise", () => {
  expect(new Set(scopes.map((scope) => summaryPrompt(scope, "")))).toHaveProperty("size", 3);
});

test("FC5: where more is shown than is to be summarised, the prompt says where that begins", () => {
  expect(summaryPrompt("partial-from", "", 'Now do "X"\nplease')).toContain('starts so: "Now do \\"X\\"\\nplease"');
});

test("FC6: custom instructions stand before the trailer, and none leave no trace", () => {
  const prompt = summaryPrompt("full", "  Keep every port number.\n");
  const paragraphs = prompt.split("\n\n");
  expect(paragraphs.at(-2)).toBe("Keep every port number.");
  expect(summaryPrompt("full", " \n ")).toBe(summaryPrompt("full", ""));
});

test("FC7: the form that the prompt asks for is one that is understood", () => {
  const example = /<example>\n(.*)\n<\/example>/s.exec(summaryPrompt("full", ""))?.[1] ?? "";
  const formatted = formatSummary(example);
  expect(formatted).toMatchObject({ kind: "summary", text: expect.stringMatching(/^Summary:\n1\. Primary/) });
});
