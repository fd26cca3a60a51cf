import fc from "fast-check";
import { expect, test } from "vitest";
import {
  aBoundary,
  aNotice,
  anAssistant,
  aResultMessage,
  aToolUse,
  aUser,
  validTranscript,
} from "../../testing/index.ts";
import type { Message } from "../../transcript/index.ts";
import type { CompactionFact } from "../events.ts";
import { isWorthSummarising, openingOf, resolveScope } from "./scope.ts";

const quiet = (): void => {};

test("M6: a pivot never reaches back over the last boundary", () => {
  const messages = [aUser("old"), aBoundary(), aUser("a"), anAssistant("b")];
  expect(resolveScope(messages, { kind: "partial-up-to", pivot: 0 }, quiet)).toMatchObject({
    sent: [],
    keep: { from: 2, to: 4 },
  });
  expect(resolveScope(messages, { kind: "partial-from", pivot: 99 }, quiet)).toMatchObject({
    summarised: [],
    keep: { from: 2, to: 4 },
  });
  expect(resolveScope(messages, { kind: "full" }, quiet)).toMatchObject({
    sent: messages.slice(2),
    keep: { from: 2, to: 2 },
  });
});

test("FC5, SM4: in both partial scopes, what is kept and what is summarised are the live part, and no pair is split", () => {
  fc.assert(
    fc.property(
      validTranscript(),
      fc.nat(60),
      fc.constantFrom("partial-from" as const, "partial-up-to" as const),
      (messages, at, kind) => {
        const facts: CompactionFact[] = [];
        const scope = resolveScope(messages, { kind, pivot: at }, (fact) => facts.push(fact));
        const kept = messages.slice(scope.keep.from, scope.keep.to);
        const whole = kind === "partial-from" ? [...kept, ...scope.summarised] : [...scope.summarised, ...kept];
        expect(whole).toEqual(messages.slice(messages.length - whole.length));
        for (const side of [kept, scope.summarised]) expect(unpaired(side)).toEqual([]);
        const wished = Math.max(Math.min(at, messages.length), messages.length - whole.length);
        const pivot = kind === "partial-from" ? scope.keep.to : scope.keep.from;
        expect(facts.map((fact) => fact.kind)).toEqual(pivot === wished ? [] : ["index_adjusted"]);
      },
    ),
  );
});

/** Results whose call stands elsewhere. */
function unpaired(messages: readonly Message[]): readonly string[] {
  const blocks = messages.flatMap((message) =>
    message.kind === "assistant" || message.kind === "user" ? message.content : [],
  );
  const calls = new Set(blocks.flatMap((block) => (block.type === "tool_use" ? [block.id] : [])));
  return blocks.flatMap((block) =>
    block.type === "tool_result" && !calls.has(block.tool_use_id) ? [block.tool_use_id] : [],
  );
}

test("FC5: the model is shown the place by the first words of what it is to summarise", () => {
  const messages = [
    aUser("old"),
    anAssistant([aToolUse("t")]),
    aResultMessage("t"),
    aNotice("local"),
    anAssistant(`new${"x".repeat(500)}`),
  ];
  const scope = resolveScope(messages, { kind: "partial-from", pivot: 3 }, quiet);
  expect(openingOf(scope)).toBe(`new${"x".repeat(197)}`);
  expect(openingOf(resolveScope(messages, { kind: "partial-from", pivot: 5 }, quiet))).toBeNull();
});

test("worth a summary is only what holds an answer", () => {
  const worth = (...messages: Message[]): boolean =>
    isWorthSummarising(resolveScope(messages, { kind: "full" }, quiet));
  expect(worth(aUser("a"), anAssistant("b"))).toBe(true);
  expect(worth(aUser("a"))).toBe(false);
  expect(worth(anAssistant("b"), aBoundary(), aUser("summary", { isCompactSummary: true }))).toBe(false);
});
