import fc from "fast-check";
import { expect, test } from "vitest";
import { tooLongFigures } from "./too-long.ts";

const overflow = (text: string) => tooLongFigures({ class: "overflow", text });

test.each([
  ["the API's", "prompt is too long: 207547 tokens > 200000 maximum"],
  ["inside a JSON body", '{"error":{"message":"prompt is too long: 207547 tokens \\u003e 200000 maximum"}}'],
  ["inside HTML", "<p>prompt is too long: 207547 tokens &gt; 200000 maximum</p>"],
  ["after a status", "400 207547 tokens > 200000 maximum"],
  ["commas", "prompt is too long: 207,547 tokens > 200,000 maximum"],
  ["points", "prompt is too long: 207.547 tokens > 200.000 maximum."],
  ["Swiss", "prompt is too long: 207'547 tokens > 200’000 maximum"],
  ["spaces of three kinds", "too long: 207\u202f547 tokens > 200\u00a0000 max, not 1 000"],
  ["Indian", "too long: 2,07,547 tokens > 2,00,000 maximum"],
  ["underscores", "207_547 tokens > 200_000"],
  ["no unit", "Input length 207547 > 200000"],
  [
    "the legacy check of input and output",
    "input length and `max_tokens` exceed context limit: 207547 + 21333 > 200000, decrease",
  ],
  ["a count that exceeds", "The input token count (207547) exceeds the maximum number of tokens allowed (200000)."],
  [
    "limit first",
    "This model's maximum context length is 200000 tokens. However, your messages resulted in 207547 tokens.",
  ],
])("PT2: figures are read in any wording: %s", (_name, text) => {
  expect(overflow(text)).toEqual({ tokens: 207_547, limit: 200_000 });
});

test.each([
  "Input is too long for requested model.",
  "Prompt is too long",
  "",
  "413 too large",
  "model_context_window_exceeded",
])("PT2: a refusal without figures has none: %s", (text) => expect(overflow(text)).toBeNull());

test("PT2: nothing is no figure, one figure is none, and a figure far behind is somebody else's", () => {
  expect(overflow("0 tokens > 200000 maximum")).toBeNull();
  expect(overflow("207547 tokens > 0 maximum")).toBeNull();
  expect(overflow(`${"x".repeat(3_990)} 207547 tokens > 200000`)).toBeNull();
  expect(tooLongFigures({ class: "overflow", text: "too long", tokens: 9 })).toBeNull();
  expect(tooLongFigures({ class: "overflow", text: "too long", limit: 5 })).toBeNull();
});

test("PT2: figures that the port has read serve where the text has none", () => {
  expect(tooLongFigures({ class: "overflow", text: "too long", tokens: 9, limit: 5 })).toEqual({ tokens: 9, limit: 5 });
});

test("PT2: whatever the separators and the words around, the figures come back", () => {
  const separator = fc.constantFrom("", ",", ".", "'", "’", "_", " ", "\u00a0", "\u2009", "\u202f");
  const words = fc.constantFrom("", "ValidationException: ", "Error 400 - ", "upstream said: ", "prompt is too long: ");
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9_999_999 }),
      fc.integer({ min: 1, max: 9_999_999 }),
      separator,
      words,
      (n, m, by, before) => {
        const write = (figure: number): string => String(figure).replace(/\B(?=(\d{3})+$)/g, by);
        expect(overflow(`${before}${write(n)} tokens > ${write(m)} maximum (request 17)`)).toEqual({
          tokens: n,
          limit: m,
        });
      },
    ),
  );
});
