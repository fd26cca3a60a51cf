import { expect, test } from "vitest";
import { left, right, textTable } from "./text-table.ts";

const columns = [left("name"), right("n")] as const;

test("columns are as wide as their widest cell, figures stand right, and colours do not move them", () => {
  const rows = [
    ["a", "100"],
    ["longer", "2"],
  ];
  const plain = ["name      n", "a       100", "longer    2"];
  expect(textTable(columns, rows)).toEqual(plain);
  const painted = textTable(columns, rows, (cell) => `\u001b[31m${cell}\u001b[39m`);
  expect(painted.map((line) => line.replaceAll("\u001b[31m", "").replaceAll("\u001b[39m", ""))).toEqual(plain);
});
