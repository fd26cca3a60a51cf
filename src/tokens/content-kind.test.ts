import { expect, test } from "vitest";
import { profileText } from "./content-kind.ts";

/** So many of each sign, in this order. */
const mix = (...parts: readonly (readonly [count: number, sign: string])[]): string =>
  parts.map(([count, sign]) => sign.repeat(count)).join("");

/** 200 signs in ten lines, in the form of a log unless told otherwise. The first line is not dated. */
function log({ dated = 7, colons = 7, spaces = 11, digits = 17, open = "" }): string {
  const lines = Array.from(
    { length: 10 },
    (_, i) => `${i >= 1 && i <= dated ? `${open}1` : "z"}${i < colons ? ":" : "z"}`,
  );
  // Line breaks are spaces, too. What is still missing stands at the end of the last line, where no digit dates anything.
  const text = lines.join("\n") + mix([spaces - 9, " "], [digits - dated, "1"]);
  return text.padEnd(200, "z");
}

test.each<[string, string, string]>([
  ["forty letters and signs without space are encoded", mix([40, "z"]), "base64"],
  ["thirty-nine are a word", mix([39, "z"]), "prose"],
  ["three in a hundred may be spaces", mix([97, "z"], [3, " "]), "base64"],
  ["four may not", mix([96, "z"], [4, " "]), "prose"],
  ["and a line break is one", mix([96, "z"], [2, " "], [2, "\n"]), "prose"],
  ["three in a hundred may be foreign to it", mix([97, "z"], [3, "~"]), "base64"],
  ["four may not, either", mix([96, "z"], [4, "~"]), "prose"],
  ["its own marks are not foreign", mix([60, "z"], [40, "+"]), "base64"],
  ["nor is its padding", mix([96, "z"], [4, "="]), "base64"],
  ["digits alone are digits", mix([40, "7"]), "digits"],
  ["with a to f they are hex", mix([20, "7"], [20, "f"]), "hex"],
  ["a to f alone are not", mix([40, "f"]), "base64"],
])("T6: encoded text: %s", (_, text, kind) => {
  expect(profileText(text).kind).toBe(kind);
});

test.each<[string, string, string]>([
  ["it opens with a bracket, and four in a hundred are quotes", mix([1, "["], [4, '"'], [95, "z"]), "jsonMinified"],
  ["three are too few", mix([1, "["], [3, '"'], [93, "z"], [3, " "]), "prose"],
  ["colons count with the quotes", mix([1, "{"], [2, '"'], [2, ":"], [95, "z"]), "jsonMinified"],
  ["space may stand before it", mix([3, " "], [1, "["], [4, '"'], [92, "z"]), "jsonMinified"],
  ["but nothing else", mix([3, "z"], [1, "["], [4, '"'], [92, "z"]), "prose"],
  ["a line break in a hundred is not indented yet", mix([1, "["], [4, '"'], [1, "\n"], [94, "z"]), "jsonMinified"],
  ["two are", mix([1, "["], [4, '"'], [2, "\n"], [93, "z"]), "jsonIndented"],
])("T6: JSON: %s", (_, text, kind) => {
  expect(profileText(text).kind).toBe(kind);
});

test("T6: a log: seven of ten lines dated, seven colons, more than a twentieth space and a twelfth digits", () => {
  expect(profileText(log({})).kind).toBe("log");
  expect(profileText(log({ open: "[" })).kind).toBe("log");
  for (const less of [{ dated: 6 }, { colons: 6 }, { spaces: 10 }, { digits: 16 }])
    expect([less, profileText(log(less)).kind]).not.toEqual([less, "log"]);
});

test.each<[string, string, string]>([
  ["more than six in ten", mix([61, "1"], [39, " "]), "digits"],
  ["not six in ten", mix([60, "1"], [40, " "]), "prose"],
  ["a comma counts with them", mix([60, "1"], [1, ","], [39, " "]), "digits"],
  ["two in a hundred are too many commas", mix([59, "1"], [2, ","], [39, " "]), "prose"],
])("T6: digits: %s", (_, text, kind) => {
  expect(profileText(text).kind).toBe(kind);
});

test.each<[string, string, string]>([
  ["more than four commas in a hundred signs", mix([5, ","], [95, "z"]), "csv"],
  ["not four", mix([4, ","], [95, "z"], [1, "~"]), "prose"],
  ["and two for each line", mix([6, ","], [2, "\n"], [92, "z"]), "csv"],
  ["not fewer", mix([5, ","], [2, "\n"], [93, "z"]), "prose"],
  ["with less than a tenth space", mix([6, ","], [9, " "], [85, "z"]), "csv"],
  ["not a tenth", mix([6, ","], [10, " "], [84, "z"]), "prose"],
])("T6: CSV: %s", (_, text, kind) => {
  expect(profileText(text).kind).toBe(kind);
});

test.each<[string, string, string]>([
  ["more than seven marks in two hundred signs", mix([3, "("], [3, "="], [2, "|"], [8, " "], [184, "z"]), "code"],
  ["not seven", mix([7, "("], [8, " "], [185, "z"]), "prose"],
])("T6: code: %s", (_, text, kind) => {
  expect(profileText(text).kind).toBe(kind);
});

test.each<[string, string, string]>([
  ["three lines of a colon each", mix([3, ":"], [2, "\n"], [35, "z"]), "yaml"],
  ["not two lines", mix([2, ":"], [1, "\n"], [27, "z"]), "prose"],
  ["seven colons in ten lines", mix([7, ":"], [9, "\n"], [84, "z"]), "yaml"],
  ["not six", mix([6, ":"], [9, "\n"], [85, "z"]), "prose"],
  ["more than fifteen in a thousand", mix([16, ":"], [19, "\n"], [20, " "], [100, "1"], [845, "z"]), "yaml"],
  ["not fifteen", mix([15, ":"], [19, "\n"], [20, " "], [100, "1"], [846, "z"]), "prose"],
  ["less than 95 in a hundred letters and spaces", mix([3, ":"], [3, "1"], [2, "\n"], [30, " "], [62, "z"]), "yaml"],
  ["not 95", mix([3, ":"], [2, "1"], [2, "\n"], [30, " "], [63, "z"]), "prose"],
])("T6: YAML: %s", (_, text, kind) => {
  expect(profileText(text).kind).toBe(kind);
});

test.each<[string, string, string]>([
  ["more than three marks in 250 signs", mix([2, "#"], [2, "|"], [46, " "], [200, "z"]), "markdown"],
  ["not three", mix([3, "#"], [47, " "], [200, "z"]), "prose"],
])("T6: markdown: %s", (_, text, kind) => {
  expect(profileText(text).kind).toBe(kind);
});

test("T6: Han without more than a tenth of kana is Chinese, with it Japanese", () => {
  expect(profileText(`${"中".repeat(10)}の`)).toMatchObject({ chinese: 10 / 11, japanese: 1 / 11 });
  expect(profileText(`${"中".repeat(10)}のの`)).toMatchObject({ chinese: 0, japanese: 1 });
});

test("T6: each script begins and ends where Unicode has it", () => {
  const scriptOf = (unit: number): string => {
    const { kind, chinese, japanese, emoji, otherNonLatin } = profileText(String.fromCharCode(unit));
    return chinese ? "han" : japanese ? "kana" : emoji ? "emoji" : otherNonLatin ? "other" : kind;
  };
  const ranges: readonly (readonly [string, first: number, last: number])[] = [
    ["prose", 0x80, 0x24f],
    ["other", 0x250, 0x1fff],
    ["code", 0x2000, 0x2bff],
    ["other", 0x2c00, 0x2fff],
    ["kana", 0x3000, 0x30ff],
    ["other", 0x3100, 0x4dff],
    ["han", 0x4e00, 0x9fff],
    ["other", 0xa000, 0xd7ff],
    ["emoji", 0xd800, 0xdfff],
    ["other", 0xe000, 0xfeff],
    ["kana", 0xff00, 0xffef],
    ["other", 0xfff0, 0xffff],
  ];
  for (const [script, first, last] of ranges)
    expect([script, scriptOf(first), scriptOf(last)]).toEqual([script, script, script]);
});

test("T6: a long text is judged by four pieces of 256, spread from its beginning to its end", () => {
  const pieces = [0, 1024, 2048, 3072];
  const marked = [...Array(3328).keys()].map((i) => (pieces.some((from) => i >= from && i < from + 256) ? "z" : "中"));
  expect(profileText(marked.join("")).chinese).toBe(0);
  expect(profileText(marked.map((sign) => (sign === "z" ? "中" : "z")).join("")).chinese).toBe(1);
  expect(profileText("z".repeat(700) + "中".repeat(324)).chinese).toBe(324 / 1024);
});
