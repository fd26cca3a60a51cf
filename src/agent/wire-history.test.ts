import fc from "fast-check";
import { expect, test } from "vitest";
import type { RequestParts } from "../compaction/index.ts";
import { prepareMessages } from "../compaction/index.ts";
import {
  aBoundary,
  aModel,
  anAssistant,
  aResultMessage,
  aThinking,
  aToolUse,
  aUser,
  disorderedTranscript,
} from "../testing/index.ts";
import type { Message } from "../transcript/index.ts";
import { createConversation } from "./conversation.ts";
import type { CacheEditPin } from "./strategy/port.ts";
import { createWireHistory } from "./wire-history.ts";

const bound = aModel("claude-opus-5-5");
const unbound = aModel("claude-opus-4-6");

const partsOf = (messages: readonly Message[], more: Partial<RequestParts> = {}): RequestParts => ({
  messages,
  pins: [],
  carryPins: true,
  rebound: { upTo: null },
  system: "",
  tools: [],
  model: unbound,
  answersAs: unbound.id,
  thinking: null,
  maxTokens: 1_000,
  previousLength: null,
  ...more,
});

type Step =
  | { readonly kind: "append"; readonly count: number }
  | { readonly kind: "hide"; readonly at: number }
  | { readonly kind: "boundary" }
  | { readonly kind: "pin"; readonly at: number }
  | { readonly kind: "model"; readonly bound: boolean };

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant("append" as const), count: fc.integer({ min: 0, max: 4 }) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("hide" as const), at: fc.nat() }) },
    { weight: 1, arbitrary: fc.constant({ kind: "boundary" as const }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("pin" as const), at: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("model" as const), bound: fc.boolean() }) },
  ),
  { maxLength: 20 },
);

test("whatever happens to a conversation, its kept wire form is the one that is made anew", () => {
  fc.assert(
    fc.property(disorderedTranscript(), steps, (source, course) => {
      const conversation = createConversation();
      const history = createWireHistory();
      let model = unbound;
      let next = 0;
      for (const [i, step] of course.entries()) {
        const projection = conversation.projection();
        const some = projection[("at" in step ? step.at : 0) % Math.max(1, projection.length)];
        if (step.kind === "append") {
          conversation.append(source.slice(next, next + step.count).filter(({ kind }) => kind !== "boundary"));
          next += step.count;
        } else if (step.kind === "boundary") {
          conversation.edit([{ kind: "append", messages: [aBoundary({ uuid: `b${i}` })] }]);
        } else if (step.kind === "model") model = step.bound ? bound : unbound;
        else if (some !== undefined && projection.filter(({ uuid }) => uuid === some.uuid).length === 1) {
          const pin: CacheEditPin = { messageUuid: some.uuid, toolUseIds: ["t"] };
          conversation.edit([
            step.kind === "hide" ? { kind: "hide", uuids: [some.uuid] } : { kind: "cache-edit", pin },
          ]);
        }
        const upTo = conversation.latestChangeUuid();
        const parts = partsOf(conversation.projection(), {
          model,
          answersAs: model.id,
          pins: conversation.pins(),
          rebound: { upTo },
        });
        expect(history(parts, conversation.rewrites())).toEqual(prepareMessages(parts));
        const ending = aUser("what a fork asks", { uuid: `e${i}` });
        const asked = { ...parts, messages: [...parts.messages, ending] };
        expect(history(parts, conversation.rewrites(), ending)).toEqual(prepareMessages(asked));
        // What was asked is forgotten at once.
        expect(history(parts, conversation.rewrites())).toEqual(prepareMessages(parts));
      }
    }),
  );
});

const round = (i: number): readonly Message[] => [
  anAssistant([aThinking(`thought ${i}`), aToolUse(`t${i}`, "Read", {})], {
    id: `m${i}`,
    uuid: `a${i}`,
    model: unbound.id,
  }),
  aResultMessage(`t${i}`, "x", { uuid: `r${i}` }),
];

test("messages that did not change are the same objects in the next request", () => {
  const conversation = createConversation({ log: [aUser("go", { uuid: "u" }), ...round(0)] });
  const history = createWireHistory();
  const first = [...history(partsOf(conversation.projection()), 0).messages];
  conversation.append(round(1));
  const second = history(partsOf(conversation.projection()), 0).messages;
  expect(second).toHaveLength(5);
  for (let i = 0; i < 3; i++) expect(second[i]).toBe(first[i]);
  const forked = history(partsOf(conversation.projection()), 0, aUser("notes?", { uuid: "e" })).messages;
  for (let i = 0; i < 4; i++) expect(forked[i]).toBe(second[i]);
});

test("a request on another frame, or one that cannot carry the pins, is made from the first message on", () => {
  const history = createWireHistory();
  const messages = [aUser("go", { uuid: "u" }), ...round(0)];
  const pins = [{ messageUuid: "r0", toolUseIds: ["t0"] }];
  for (const more of [
    { rebound: "all" as const },
    { pins, carryPins: false },
    { pins, model: aModel("claude-haiku-4-5") },
  ]) {
    const parts = partsOf(messages, more);
    expect(history(parts, 0)).toEqual(prepareMessages(parts));
  }
});
