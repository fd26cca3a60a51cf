import fc from "fast-check";
import { expect, test } from "vitest";
import { anImage } from "../testing/index.ts";
import { capToolOutput } from "./cap-tool-output.ts";

const note = (gone: number) => `\n[… ${gone} characters left out of the middle: the output was too long …]\n`;
const text = (value: string) => ({ type: "text", text: value }) as const;

test("RC1: what fits comes through as it is, the same object", () => {
  expect(capToolOutput("12345", 5)).toBe("12345");
  const parts = [text("123"), anImage(), text("45")];
  expect(capToolOutput(parts, 5)).toBe(parts);
});

test("RC1: a longer text keeps its two ends, and says how much is gone", () => {
  expect(capToolOutput("1234567", 5)).toBe(`123${note(2)}67`);
  expect(capToolOutput("12345678", 4)).toBe(`12${note(4)}78`);
  expect(capToolOutput("123", 0)).toBe(note(3));
});

test("RC1: of several parts the first have the room, and media keep theirs", () => {
  const image = anImage();
  expect(capToolOutput([text("1234"), image, text("56789"), text("0")], 6)).toEqual([
    text("1234"),
    image,
    text(`5${note(3)}9`),
    text(note(1)),
  ]);
  expect(capToolOutput([text("1234567"), text("890")], 4)).toEqual([text(`12${note(3)}67`), text(note(3))]);
});

test("RC1: a character of two units is never cut in half", () => {
  for (const cap of [2, 3, 4, 5, 6]) {
    const cut = capToolOutput("😀😀😀😀😀", cap) as string;
    expect(() => encodeURIComponent(cut)).not.toThrow();
  }
  expect(capToolOutput("a😀😀b", 4)).toBe(`a${note(4)}b`);
  // The lowest and the highest second unit, and what stands just outside of them.
  expect(capToolOutput("\ud83d\udc00\ud83d\udfff", 2)).toBe(note(4));
  expect(capToolOutput("ab\ue000\udbffcd", 4)).toBe(`ab${note(2)}cd`);
  expect(capToolOutput("a\ue000bcde\ue000f", 4)).toBe(`a\ue000${note(4)}\ue000f`);
});

test("RC1: whatever comes, the kept ends and the number that is gone make up the whole", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), fc.nat(70), (output, cap) => {
      const cut = capToolOutput(output, cap) as string;
      fc.pre(output.length > cap);
      const [, head = "", gone, tail = ""] = /^(.*)\n\[… (\d+) char.*? …\]\n(.*)$/s.exec(cut) ?? [];
      expect(output.startsWith(head) && output.endsWith(tail)).toBe(true);
      expect(head.length + tail.length + Number(gone)).toBe(output.length);
      expect(head.length + tail.length).toBeLessThanOrEqual(cap);
    }),
  );
});
