import fc from "fast-check";
import { expect, test } from "vitest";
import {
  aBoundary,
  aNotice,
  anAssistant,
  anAttachment,
  aResultMessage,
  aToolUse,
  aUser,
  validTranscript,
} from "../testing/index.ts";
import type { Message } from "../transcript/index.ts";
import { createOriginCounter } from "./context-origin.ts";

const overhead = { system: 7, tools: 3 };
const chars = (tokens: number) => "x".repeat(4 * tokens);
const call = anAssistant([aToolUse("t1", "Read", {}), { type: "text", text: chars(10) }]);
const messages: readonly Message[] = [
  aUser(chars(11)),
  call,
  aResultMessage("t1", chars(12)),
  aUser([
    { type: "tool_result", tool_use_id: "t1", content: chars(5) },
    { type: "text", text: chars(1) },
  ]),
  aNotice(chars(99)),
  anAttachment(chars(13)),
  aUser(chars(14), { isCompactSummary: true }),
];

test("R4: each message counts where it comes from, in whole tokens, beside what stands before", () => {
  expect(createOriginCounter()(messages, overhead)).toEqual({
    ...overhead,
    user: 11,
    assistant: 12, // "Read{}" is one and a half
    toolResults: 18,
    attachments: 13,
    summaries: 14,
  });
  expect(createOriginCounter()([], overhead)).toEqual({
    ...overhead,
    user: 0,
    assistant: 0,
    toolResults: 0,
    attachments: 0,
    summaries: 0,
  });
  expect(createOriginCounter()([...messages, aBoundary(), aUser(chars(2))], overhead)).toMatchObject({
    user: 2,
    assistant: 0,
  });
});

test("MC3: what a pin names weighs its marker, from the pin on", () => {
  const origin = createOriginCounter();
  const pinned = [aUser("go"), call, aResultMessage("t1", chars(1_000))];
  expect(origin(pinned, overhead).toolResults).toBe(1_000);
  const pins = [{ messageUuid: "x", toolUseIds: ["t1"] }];
  const after = origin(pinned, overhead, pins).toolResults;
  expect(after).toBeLessThan(50);
  expect(origin([...pinned, aUser("on")], overhead, pins).toolResults).toBe(after);
  expect(origin(pinned, overhead).toolResults).toBe(1_000);
});

test("R4: a counter that has followed a conversation says what a new one says", () => {
  fc.assert(
    fc.property(
      validTranscript({ boundaries: true }),
      fc.array(fc.record({ at: fc.nat(40), pinned: fc.boolean() }), { maxLength: 6 }),
      (all, steps) => {
        const pins = [{ messageUuid: "x", toolUseIds: ["toolu_0_0", "toolu_1_0"] }];
        const counter = createOriginCounter();
        for (const { at, pinned } of [...steps, { at: 40, pinned: false }]) {
          // Grown, shortened, or the past rewritten.
          const now = at % 5 === 4 ? all.slice(1) : all.slice(0, at);
          const given = pinned ? pins : [];
          expect(counter(now, overhead, given)).toEqual(createOriginCounter()(now, overhead, given));
        }
      },
    ),
  );
});
