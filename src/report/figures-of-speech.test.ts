import { expect, test } from "vitest";
import {
  clockTime,
  count,
  dollars,
  duration,
  list,
  percent,
  shortTime,
  tokensShort,
  trim,
  whole,
} from "./figures-of-speech.ts";

test("R6: tokens are rounded to what a reader can hold", () => {
  expect([0, 999, 1_000, 12_345, 167_400, 999_960, 12_345_678].map(tokensShort)).toEqual([
    "0",
    "999",
    "1K",
    "12.3K",
    "167K",
    "1M",
    "12.35M",
  ]);
});

test("R6: whole numbers are grouped, and the same on every machine", () => {
  expect([0, 999, 1_000, 1_234_567, -1_500].map(whole)).toEqual(["0", "999", "1,000", "1,234,567", "−1,500"]);
});

test("R6: small amounts of money keep their digits", () => {
  expect([0, 0.00001, 0.0042, 8.4, 1_234.5].map(dollars)).toEqual(["$0", "< $0.0001", "$0.0042", "$8.40", "$1,234.50"]);
});

test("R6: a share that is not all is never called 100 %, and one that is not nothing never 0 %", () => {
  expect([0, 0.004, 0.914, 0.996, 1].map((share) => percent(share).replace("\u00a0", " "))).toEqual([
    "0 %",
    "0.4 %",
    "91 %",
    "99.6 %",
    "100 %",
  ]);
});

test("R6: every duration carries its unit", () => {
  expect([850, 4_200, 125_000, 3_600_000, 11_520_000].map(duration)).toEqual([
    "850 ms",
    "4.2 s",
    "2 min 5 s",
    "1 h",
    "3 h 12 min",
  ]);
  expect(clockTime(11_525_000)).toBe("3:12:05");
  expect([0.000_44, 0.0012, 1.5, 2_500].map(shortTime)).toEqual(["440 ns", "1.20 µs", "1.50 ms", "2.50 s"]);
});

test("counts and lists are grammar", () => {
  expect([count(1, "retry", "retries"), count(2, "retry", "retries")]).toEqual(["1 retry", "2 retries"]);
  expect([list([]), list(["a"]), list(["a", "b"]), list(["a", "b", "c"])]).toEqual(["", "a", "a and b", "a, b and c"]);
  expect([trim(1.5, 3), trim(2, 2), trim(-0.001, 1), trim(1_234.5, 1)]).toEqual(["1.5", "2", "0", "1,234.5"]);
});
