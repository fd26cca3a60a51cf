import fc from "fast-check";
import { expect, test } from "vitest";
import { malformedJson } from "../call.ts";
import { createBodyParser } from "./body-parser.ts";

const long = "a text that makes a body worth remembering ".repeat(60);
const plain = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return malformedJson;
  }
};

interface Body {
  readonly messages: readonly unknown[];
  readonly tools: unknown;
}

test("the messages with which a body goes on from an earlier one are the same objects, and so is all before them", () => {
  const parse = createBodyParser();
  const messages = [1, 2, 3, 4].map((n) => ({ role: "user", content: `${n} "quoted" \\ ${long}` }));
  const head = { model: "m", tools: [{ name: "Read" }] };
  const first = parse(JSON.stringify({ ...head, messages, stream: true })).body as Body;
  const changed = messages.with(3, { role: "user", content: "other" });
  const second = parse(JSON.stringify({ ...head, messages: [...changed, ...messages], stream: false })).body as Body;
  expect(second.messages.map((message, i) => message === first.messages[i])).toEqual([
    ...[true, true, true, false],
    ...[false, false, false, false],
  ]);
  expect(second.tools).toBe(first.tools);
  expect(second).toEqual({ ...head, messages: [...changed, ...messages], stream: false });
});

test("short bodies, and what is no body, are parsed as they are", () => {
  const parse = createBodyParser();
  for (const text of ["", "{", "[]", '{"messages":[]}', `"${long}"`, `{"messages":3,"x":"${long}"}`])
    expect(parse(text)).toEqual({ body: text === "" ? undefined : plain(text), isShared: false });
});

const word = fc.constantFrom('"', "\\", '\\"', "]", "},{", ",", "漢字", "🙂", long, "a", "\n", '","messages":[');
const value = fc.oneof(
  fc.array(word, { maxLength: 4 }).map((words) => words.join("")),
  fc.integer(),
  fc.constant(null),
  fc.array(fc.record({ type: fc.constant("text"), text: word }), { maxLength: 3 }),
  fc.dictionary(word, word, { maxKeys: 2 }),
);
const message = fc.oneof(
  { weight: 8, arbitrary: fc.record({ role: fc.constant("user"), content: value }) },
  { weight: 1, arbitrary: value },
);
const body = fc.record({
  // Few, so that many bodies begin alike.
  before: fc.constantFrom({}, { model: "a" }, { model: "a", max_tokens: 3 }, JSON.parse('{"__proto__":{"model":"a"}}')),
  from: fc.nat(3),
  messages: fc.array(message, { maxLength: 6 }),
  after: fc.dictionary(fc.constantFrom("stream", "thinking", "max_tokens"), value, { maxKeys: 2 }),
  damage: fc.oneof(
    { weight: 12, arbitrary: fc.constant("none" as const) },
    fc.constantFrom("cut", "comma", "again", "twice", "blanks", "other" as const),
  ),
  at: fc.nat(),
});

test("whatever came before, a body is what JSON.parse makes of it", () => {
  fc.assert(
    fc.property(fc.array(body, { minLength: 1, maxLength: 12 }), (bodies) => {
      const parse = createBodyParser();
      let earlier: readonly unknown[] = [];
      for (const { before, from, messages, after, damage, at } of bodies) {
        const all: readonly unknown[] = [...earlier.slice(0, earlier.length - from), ...messages];
        earlier = all;
        const members = JSON.stringify({ ...before, filler: long, messages: all, ...after });
        const text = {
          none: members,
          cut: members.slice(0, 1 + (at % members.length)),
          comma: members.replace(JSON.stringify(all), (list) => `${list.slice(0, -1)},]`),
          again: `${members.slice(0, -1)},"messages":[{"role":"user"}]}`,
          twice: `${members.slice(0, -1)},"filler":"${at}"}`,
          blanks: JSON.stringify(JSON.parse(members), null, 1),
          other: `${members.slice(0, at % members.length)}x${members.slice(at % members.length)}`,
        }[damage];
        const { body: got } = parse(text);
        expect(got).toStrictEqual(plain(text));
        if (got !== malformedJson) expect(JSON.stringify(got)).toBe(JSON.stringify(plain(text)));
      }
    }),
    { numRuns: 300 },
  );
});

test("what is no JSON behind the messages of an earlier body is no JSON", () => {
  const parse = createBodyParser();
  const list = JSON.stringify([{ role: "user", content: long }]);
  expect(parse(`{"messages":${list}}`).isShared).toBe(true);
  for (const end of [",]}", ",3]}", "]", "]}}", '],"a"}', ",{]}"])
    expect([end, parse(`{"messages":${list.slice(0, -1)}${end}`).body]).toEqual([
      end,
      plain(`{"messages":${list.slice(0, -1)}${end}`),
    ]);
});
