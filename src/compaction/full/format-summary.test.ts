import fc from "fast-check";
import { expect, test } from "vitest";
import { formatSummary } from "./format-summary.ts";

const FENCE = "```";

test.each<[name: string, answer: string, text: string]>([
  ["no tags: the text", "  What was done.\n", "What was done."],
  ["only a summary", "<summary>done</summary>", "Summary:\ndone"],
  ["analysis, then summary", "<analysis>draft</analysis>\n\n<summary>\ndone\n</summary>", "Summary:\ndone"],
  ["closed analysis, then bare text", "<analysis>draft</analysis>\nWhat was done.", "What was done."],
  ["text before the summary stays", "Here it is.\n<summary>done</summary>", "Here it is.\n\nSummary:\ndone"],
  [
    "text after the summary stays",
    "<summary>done</summary> And one thing more.",
    "Summary:\ndone\n And one thing more.",
  ],
  ["analysis unclosed, a summary after it", "<analysis>draft\n<summary>done</summary>", "Summary:\ndone"],
  [
    "summary unclosed: all that follows",
    "<analysis>draft</analysis><summary>done\n\nand more",
    "Summary:\ndone\n\nand more",
  ],
  [
    "analysis unclosed, a summary, another analysis",
    "<analysis>a<summary>done</summary><analysis>b</analysis>",
    "Summary:\ndone",
  ],
  ["both unclosed", "<analysis>draft <summary>done", "Summary:\ndone"],
  ["attributes", '<analysis type="draft">x</analysis><summary lang="en">done</summary>', "Summary:\ndone"],
  ["other letter case", "<ANALYSIS>x</Analysis><Summary>done</SUMMARY>", "Summary:\ndone"],
  ["two summaries, in order", "<summary>one</summary>\n<summary>two</summary>", "Summary:\none\n\nSummary:\ntwo"],
  ["a summary inside a summary", "<summary>one <summary>two</summary> three</summary>", "Summary:\none \ntwo\n three"],
  ["analysis after the summary", "<summary>done</summary><analysis>draft</analysis>", "Summary:\ndone"],
  ["analysis inside the summary", "<summary>one <analysis>draft</analysis>two</summary>", "Summary:\none \ntwo"],
  [
    "analysis inside an analysis",
    "<analysis>a<analysis>b</analysis>c</analysis><summary>done</summary>",
    "Summary:\ndone",
  ],
  [
    "analysis mentioned bare in an analysis",
    "<analysis>my <analysis> says</analysis><summary>done</summary>",
    "Summary:\ndone",
  ],
  [
    "summary mentioned bare in an analysis",
    "<analysis>then <summary> I write</analysis><summary>done</summary>",
    "Summary:\ndone",
  ],
  ["two analyses, text between", "<analysis>a</analysis>one<analysis>b</analysis>two", "one\ntwo"],
  ["a closing tag alone", "one</analysis>two</summary>three", "one\ntwo\nthree"],
  [
    "inside a fence",
    `<summary>use\n${FENCE}xml\n<analysis>x</analysis>\n\n\n\n</summary>\n${FENCE}\nend</summary>`,
    `Summary:\nuse\n${FENCE}xml\n<analysis>x</analysis>\n\n\n\n</summary>\n${FENCE}\nend`,
  ],
  ["inside a tilde fence", "<summary>a\n~~~\n</summary>\n~~~\nb</summary>", "Summary:\na\n~~~\n</summary>\n~~~\nb"],
  [
    "a fence in the analysis",
    `<analysis>\n${FENCE}\n</analysis>\n${FENCE}\ndraft</analysis><summary>done</summary>`,
    "Summary:\ndone",
  ],
  [
    "inside a code span",
    "<summary>the `<analysis>` and `</summary>` tags</summary>",
    "Summary:\nthe `<analysis>` and `</summary>` tags",
  ],
  [
    "inside double quotes",
    '<summary>said "</summary> is a tag" twice</summary>',
    'Summary:\nsaid "</summary> is a tag" twice',
  ],
  [
    "inside typographic quotes",
    "<summary>said “<analysis> first” twice</summary>",
    "Summary:\nsaid “<analysis> first” twice",
  ],
  ["inside single quotes", "<summary>it's the '<analysis>' tag</summary>", "Summary:\nit's the '<analysis>' tag"],
  [
    "on a quoted line",
    "<summary>\n> <analysis>as they wrote</analysis>\nend</summary>",
    "Summary:\n> <analysis>as they wrote</analysis>\nend",
  ],
  [
    "HTML details inside",
    "<summary>a <details>\n<summary>More</summary>b</details> c</summary>",
    "Summary:\na <details>\n<summary>More</summary>b</details> c",
  ],
  [
    "HTML details, no tag of ours",
    "a <details><summary>More</summary>b</details>",
    "a <details><summary>More</summary>b</details>",
  ],
  [
    "the whole answer inside one fence",
    `${FENCE}xml\n<analysis>draft</analysis>\n<summary>\n${FENCE}ts\ncode\n${FENCE}\n</summary>\n${FENCE}\n`,
    `Summary:\n${FENCE}ts\ncode\n${FENCE}`,
  ],
  ["a tilde fence around the answer", "~~~\n<summary>done</summary>\n~~~", "Summary:\ndone"],
  [
    "a fence around, white space around that",
    ` \n${FENCE}XML \n <SUMMARY>done</SUMMARY >\n ${FENCE} \n`,
    "Summary:\ndone",
  ],
  [
    "a mark behind words is no fence",
    `Look: ${FENCE}\n<summary>done</summary>\n${FENCE}`,
    `Look: ${FENCE}\n\nSummary:\ndone\n\n${FENCE}`,
  ],
  ["two tildes are no fence", "~~\n<summary>done</summary>\n~~", "~~\n\nSummary:\ndone\n\n~~"],
  ...[
    `Here:\n${FENCE}\n<summary>x</summary>\n${FENCE}`,
    `${FENCE}\n<summary>x</summary>\n${FENCE}\nBye`,
    `${FENCE}a b\n<summary>x</summary>\n${FENCE}`,
    `${FENCE}\nnote\n<summary>x</summary>\n${FENCE}`,
    `${FENCE}\n<summary>x</summary>\nnote\n${FENCE}`,
    `${FENCE}\n<summary>x</summary>\n${FENCE}${FENCE}`,
  ].map((answer): [string, string, string] => ["a fence that is no wrapper is text", answer, answer]),
  ["white space inside a tag", "< summary >done< / summary>", "Summary:\ndone"],
  ["words that end like a tag", "<summary>a <mysummary> b</summary>", "Summary:\na <mysummary> b"],
  ["an analysis first inside HTML details", "<details><analysis>draft</analysis>b</details>", "<details>\nb</details>"],
  [
    "an analysis inside HTML's summary",
    "<details><summary>a <analysis>draft</analysis>b</summary>c</details>",
    "<details><summary>a \nb</summary>c</details>",
  ],
  [
    "a summary that does not stand first inside HTML details",
    "<details>text <summary>done</summary></details>",
    "<details>text \nSummary:\ndone\n</details>",
  ],
  [
    "HTML's summary ends with its own tag",
    "<summary>a <details><summary>More</summary>b</summary>",
    "Summary:\na <details><summary>More</summary>b",
  ],
  ["two analyses without anything between", "<analysis>a</analysis><analysis>b</analysis>done", "done"],
  [
    "a summary, then an analysis unclosed, then another summary",
    "<summary>one</summary> <analysis>draft <summary>two",
    "Summary:\none\n\nSummary:\ntwo",
  ],
  ["two analyses unclosed, then a summary", "<analysis>a <analysis>b <summary>done", "Summary:\ndone"],
  [
    "an analysis that mentions one ends with its last closing tag",
    "<analysis>my <analysis> says</analysis>kept<summary>done</summary>",
    "kept\nSummary:\ndone",
  ],
  [
    "but not with one that comes after a summary began",
    "<analysis>a <analysis>b <summary>done</analysis> more",
    "Summary:\ndone\n more",
  ],
  [
    "summaries inside a summary, one after the other",
    "<summary>a<summary>b</summary>c<summary>d</summary>e</summary>",
    "Summary:\na\nb\nc\nd\ne",
  ],
  ["a closing tag before the summary", "</summary>a<summary>b</summary>", "a\nSummary:\nb"],
  ["our heading's word at the end of a line", "<summary>In Summary:\n\nyes</summary>", "Summary:\nIn Summary:\n\nyes"],
  ["talk about errors", "I saw that the prompt is too long.", "I saw that the prompt is too long."],
  ["talk about an API error without tags", "See the API error of today.", "See the API error of today."],
  ["a count of errors", "Error: 5 files were wrong.", "Error: 5 files were wrong."],
  ["a number before a brace", "5 { was the first line.", "5 { was the first line."],
  ["a long text about an error", `overloaded_error ${"x".repeat(1_984)}`, `overloaded_error ${"x".repeat(1_984)}`],
  ["blank lines squeezed", "<summary>one\n\n\n  \n\ntwo</summary>", "Summary:\none\n\ntwo"],
  [
    "other tags are text",
    "<summary><b>one</b> <summaryx> </analysisx></summary>",
    "Summary:\n<b>one</b> <summaryx> </analysisx>",
  ],
  [
    "talk about an API error",
    "<summary>The deploy failed with overloaded_error.</summary>",
    "Summary:\nThe deploy failed with overloaded_error.",
  ],
])("FC7: %s", (_name, answer, text) => {
  expect(formatSummary(answer)).toEqual({ kind: "summary", text });
});

test.each<[name: string, answer: string, reason: string]>([
  ["nothing", "", "empty"],
  ["white space", " \n\t ", "empty"],
  ["an empty summary", "<summary>\n</summary>", "empty"],
  ["closed analysis and nothing else", "<analysis>draft</analysis>\n", "draft-only"],
  ["closed analysis and an empty summary", "<analysis>draft</analysis><summary> </summary>", "draft-only"],
  ["analysis unclosed, no summary", "<analysis>draft draft", "draft-only"],
  ["analysis unclosed, a summary only mentioned", "<analysis>then the `<summary>` tag", "draft-only"],
  ["the client's error text", "API Error: 529 Overloaded", "error-text"],
  ["an error body", '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', "error-text"],
  ["a refusal for length", "prompt is too long: 207547 tokens > 200000 maximum", "error-text"],
  ["an error after white space", "\n\n API Error: 529", "error-text"],
  ["an error with an analysis", "API Error: 529 <analysis>hm</analysis>", "error-text"],
  ["a status without a colon", "error 529 Overloaded", "error-text"],
  ["a status after a gap", "Error:  529 Overloaded", "error-text"],
  ["a status before a body", '529 {"message":"Overloaded"}', "error-text"],
  ["a status, a gap, a body", '529  {"message":"Overloaded"}', "error-text"],
  ["a page", "<!DOCTYPE html><title>502</title>", "error-text"],
  ["an error body with space in it", '{ "type" : "error" }', "error-text"],
  ["an error body without", '{"type":"error"}', "error-text"],
  ["an error as long as errors get", `overloaded_error ${"x".repeat(1_983)}`, "error-text"],
  ["a gateway's page", "<html><head><title>502 Bad Gateway</title></head></html>", "error-text"],
])("FC7: unusable: %s", (_name, answer, reason) => {
  expect(formatSummary(answer)).toEqual({ kind: "unusable", reason });
});

/** Pieces with a word of their own each, and where that word belongs. */
const piece = fc.oneof(
  fc.constant({ at: "out", wrap: (word: string) => `${word}\n` }),
  fc.constant({ at: "out", wrap: (word: string) => `<summary>\n${word}\n</summary>\n` }),
  fc.constant({ at: "out", wrap: (word: string) => `\n${FENCE}\n</summary> <analysis> ${word}\n${FENCE}\n` }),
  fc.constant({ at: "out", wrap: (word: string) => `\`<analysis>${word}</analysis>\`` }),
  fc.constant({ at: "in", wrap: (word: string) => `<analysis>${word}</analysis>` }),
  fc.constant({ at: "in", wrap: (word: string) => `<analysis>\nfirst <summary>, ${word}\n</analysis>\n` }),
  fc.constant({ at: "in", wrap: (word: string) => `<Analysis a="b">x<analysis>y</analysis>${word}</analysis>` }),
  fc.constant({
    at: "in",
    wrap: (word: string) => `<analysis>\n${FENCE}\n</analysis>\n${FENCE}\n${word}</analysis>\n`,
  }),
);

test("FC7: nothing outside the analysis is lost, in order, and nothing of the analysis is left", () => {
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), fc.boolean(), (pieces, unclosedAtEnd) => {
      const words = pieces.map((_, i) => `w${i}q`);
      const body = pieces.map((each, i) => each.wrap(words[i] as string)).join("");
      const answer = unclosedAtEnd ? `${body}<analysis>w99q` : body;
      const outside = words.filter((_, i) => pieces[i]?.at === "out");
      const formatted = formatSummary(answer);
      const shown = formatted.kind === "summary" ? formatted.text.match(/w\d+q/g) : [];
      expect(shown).toEqual(outside);
    }),
  );
});

test("FC7: any text without tags comes through, but for its blank lines", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (raw) => {
      const text = `Work: ${raw.replace(/[<>]/g, "")}`;
      const formatted = formatSummary(text);
      if (formatted.kind !== "summary") throw new Error(formatted.reason);
      const letters = (all: string): string => all.replace(/\s/g, "");
      expect(letters(formatted.text)).toBe(letters(text));
    }),
  );
});

test("FC7: formatting a formatted summary changes nothing", () => {
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), (pieces) => {
      const once = formatSummary(pieces.map((each, i) => each.wrap(`w${i}q`)).join(""));
      if (once.kind === "summary") expect(formatSummary(once.text)).toEqual(once);
    }),
  );
});
