import { expect, test } from "vitest";
import { codeFences, isQuoted } from "./literal-spans.ts";

const shown = (text: string): readonly string[] => codeFences(text).map(({ start, end }) => text.slice(start, end));

test.each<[name: string, text: string, fences: readonly string[]]>([
  ["a fence and its info string", "a\n```js\nx\n```\nb", ["```js\nx\n```\n"]],
  ["one at the end of the text", "```\nx\n```", ["```\nx\n```"]],
  ["an indented one", "  ```js\n x\n  ```\n", ["  ```js\n x\n  ```\n"]],
  ["one after the other", "```\na\n```\nb\n~~~\nc\n~~~\n", ["```\na\n```\n", "~~~\nc\n~~~\n"]],
  ["a longer mark closes", "```\nx\n`````\n", ["```\nx\n`````\n"]],
  ["a shorter one does not", "````\na\n```\nb\n````\n", ["````\na\n```\nb\n````\n"]],
  ["nor one of the other kind", "```\na\n~~~\nb\n```\n", ["```\na\n~~~\nb\n```\n"]],
  ["nor a longer one of the other kind", "```\na\n~~~~\nb\n```\n", ["```\na\n~~~~\nb\n```\n"]],
  ["nor one with an info string", "```\na\n```js\nb\n```\n", ["```\na\n```js\nb\n```\n"]],
  ["never closed, it is none", "```\na\nb\n", []],
  ["in the middle of a line it is none", "a ```\nb\n```\n", []],
  ["nor with tildes", "a ~~~\nb\n~~~\n", []],
  ["at the end of a word neither", "a```\nb\n```\n", []],
  ["a backtick behind it makes it inline code", "```js `x`\nb\n```\n", []],
  ["but not behind tildes", "~~~ a`b\nc\n~~~\n", ["~~~ a`b\nc\n~~~\n"]],
])("FC7: code fences: %s", (_, text, fences) => {
  expect(shown(text)).toEqual(fences);
});

test.each<[name: string, text: string, quoted: boolean]>([
  ["bare", "an X here", false],
  ["in a code span", "an `X` here", true],
  ["in a span of two ticks", "an ``X`` here", true],
  ["in a span of one tick that holds two", "an `a`` X ` here", true],
  ["between two code spans", "the `a` X `b`", false],
  ["behind a tick that nothing closes", "an `X here", false],
  ["behind one tick, before two", "an `X`` here", false],
  ["between double quotes", 'an "X" here', true],
  ["between two quotations", 'an "a" X "b" here', false],
  ["behind a quote that nothing closes", 'of 5" X here', false],
  ["behind a quote that the next line closes", 'an "X\nhere"', false],
  ["behind a quote of the line before", 'an "a\nX here"', false],
  ["between curly quotes", "an “X” here", true],
  ["behind a curly quotation", "an “a” X ”", false],
  ["between single quotes that touch it", "an 'X' here", true],
  ["behind an apostrophe", "it's X here, isn't it", false],
  ["on a quoted line", " > an X here", true],
  ["at the end of a quoted line", "> X\nb", true],
  ["on the line after one", "> a\nX", false],
])("FC7: what is only mentioned: %s", (_, text, quoted) => {
  const start = text.indexOf("X");
  expect(isQuoted(text, { start, end: start + 1 })).toBe(quoted);
});
