import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeFileWhole } from "./write-file.ts";

test("a file is written whole into a folder that is made for it, and nothing else is left there", () => {
  const folder = join(mkdtempSync(join(tmpdir(), "longhaul-write-")), "new");
  const file = join(folder, "a.txt");
  writeFileWhole(file, "one");
  writeFileWhole(file, "two");
  expect(readFileSync(file, "utf8")).toBe("two");
  expect(readdirSync(folder)).toEqual(["a.txt"]);
});

test("a write that fails leaves no half of it", () => {
  const folder = mkdtempSync(join(tmpdir(), "longhaul-write-"));
  mkdirSync(join(folder, "taken", "x"), { recursive: true });
  expect(() => writeFileWhole(join(folder, "taken"), "text")).toThrow();
  expect(readdirSync(folder)).toEqual(["taken"]);
});

test("Y7: a folder that cannot be made is told, and the program goes on (mkdir of Node 20 never returns there)", () => {
  expect(() => writeFileWhole("/proc/longhaul/reports/a.txt", "text")).toThrow(
    "/proc/longhaul/reports/a.txt: cannot be written",
  );
});
