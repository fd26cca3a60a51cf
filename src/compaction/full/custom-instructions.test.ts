import { expect, test } from "vitest";
import { compactInstructionsSection, joinInstructions } from "./custom-instructions.ts";

const memory =
  "# Project\nUse pnpm.\n\n## Compact Instructions\nKeep test names.\n\n### Also\nKeep ports.\n\n## Style\nTabs.";

test("FC6: manual, hooks and memory file are joined in that order", () => {
  expect(joinInstructions({ manual: " focus on auth ", hooks: "from the hook\n", memoryFile: memory })).toBe(
    "focus on auth\n\nfrom the hook\n\nKeep test names.\n\n### Also\nKeep ports.",
  );
});

test("FC6: sources that say nothing leave no gap", () => {
  expect(joinInstructions({ manual: "", hooks: "only this", memoryFile: "# Project" })).toBe("only this");
  expect(joinInstructions({ manual: null, hooks: null, memoryFile: null })).toBe("");
  expect(joinInstructions({})).toBe("");
});

test.each([
  ["other letter case, another level, a closing mark", "#### COMPACT instructions ####\nkeep\n", "keep"],
  ["a colon", "# Compact Instructions:\nkeep", "keep"],
  ["Windows line ends", "# A\r\n# Compact Instructions\r\nkeep\r\n# B\r\nx", "keep"],
  ["to the end of the file", "# Compact Instructions\nkeep\n\nmore", "keep\n\nmore"],
  ["twice", "# Compact Instructions\none\n# Compact Instructions\ntwo", "one\n\ntwo"],
  [
    "a heading inside a fence does not end it",
    "# Compact Instructions\n```sh\n# comment\n```\nkeep",
    "```sh\n# comment\n```\nkeep",
  ],
  ["a heading inside a fence does not begin it", "```md\n# Compact Instructions\nno\n```", ""],
  ["a longer title is another section", "# Compact Instructions for Bob\nno", ""],
  ["an empty section", "# Compact Instructions\n\n# B\nx", ""],
])("FC6: the section of the memory file: %s", (_name, markdown, section) => {
  expect(compactInstructionsSection(markdown)).toBe(section);
});
