import { expect, test } from "vitest";
import type { BeforeRequest, CompactionOutcome, CompactionPlan } from "../../compaction/index.ts";
import { aBoundary, anAssistant, aResultMessage, aToolUse, aUser } from "../../testing/index.ts";
import type { Message } from "../../transcript/index.ts";
import { applyEdits } from "../apply-edits.ts";
import { editsOfBeforeRequest, editsOfPlan, statusOf } from "./plan-edits.ts";
import type { View } from "./port.ts";

const messages: readonly Message[] = [
  aUser("Read both.", { uuid: "u" }),
  anAssistant([aToolUse("t1"), aToolUse("t2")], { id: "m1", uuid: "a1" }),
  aResultMessage("t1", "one", { uuid: "r1" }),
  aResultMessage("t2", "two", { uuid: "r2" }),
  anAssistant([aToolUse("t3")], { id: "m2", uuid: "a2" }),
  aResultMessage("t3", "three", { uuid: "r3" }),
];
const boundary = aBoundary({ uuid: "b" });
const head: readonly Message[] = [boundary, aUser("Summary.", { uuid: "s", isCompactSummary: true })];
const file = aUser("The file again.", { uuid: "f", isMeta: true });

const plan = (from: number, to: number, tail: readonly Message[] = []): CompactionPlan => ({
  layer: "full",
  trigger: "auto",
  head,
  keep: { from, to },
  tail,
  boundary: boundary as CompactionPlan["boundary"],
  summary: "Summary.",
  tokensBefore: 100,
  tokensAfter: 10,
  reattached: [],
});
const compacted = (made: CompactionPlan): CompactionOutcome => ({
  kind: "compacted",
  plan: made,
  cost: { attempts: 1, cacheReadTokens: 0, cacheCreationTokens: 0 },
});
const pin = { messageUuid: "r2", toolUseIds: ["t1", "t2"] };
const view = (pins: View["pins"] = []): View => ({ projection: messages, pins }) as unknown as View;
const before = (fields: Partial<BeforeRequest>): BeforeRequest =>
  ({ micro: { kind: "none" }, outcome: null, pins: [], kind: "send", ...fields }) as BeforeRequest;
const clear = (...toolUseIds: string[]): BeforeRequest["micro"] => ({
  kind: "clear",
  path: "time",
  clearing: { toolUseIds, tokensFreed: 1, freedAt: [] },
  marker: "[gone]",
});
const uuids = (all: readonly Message[]) => all.map(({ uuid }) => uuid);

test("ST5: a plan as edits gives the transcript that the plan means", () => {
  for (const [made, expected] of [
    [plan(4, 6), ["b", "s", "a2", "r3"]],
    [plan(4, 6, [file]), ["b", "s", "a2", "r3", "f"]],
    [plan(6, 6), ["b", "s"]],
    [plan(1, 4, [file]), ["b", "s", "a1", "r1", "r2", "f"]],
    [plan(1, 4), ["b", "s", "a1", "r1", "r2"]],
  ] as const) {
    expect(uuids(applyEdits(messages, editsOfPlan(made, messages)).messages)).toEqual(expected);
  }
  expect(editsOfPlan(plan(4, 6), messages)).toHaveLength(1);
  expect(editsOfPlan(plan(4, 6, [file]), messages)).toEqual([
    { kind: "replace", from: 0, to: 4, messages: head },
    { kind: "replace", from: 6, to: 6, messages: [file] },
  ]);
});

test("MC2: what is cleared is cleared alone, or where a compaction leaves it standing", () => {
  expect(editsOfBeforeRequest(before({}), view())).toEqual([]);
  expect(editsOfBeforeRequest(before({ micro: clear("t1", "t9") }), view())).toEqual([
    { kind: "clear", toolUseIds: ["t1"], marker: "[gone]" },
  ]);
  const both = editsOfBeforeRequest(before({ micro: clear("t1", "t3"), outcome: compacted(plan(4, 6)) }), view());
  expect(both).toEqual([
    { kind: "clear", toolUseIds: ["t3"], marker: "[gone]" },
    { kind: "replace", from: 0, to: 4, messages: head },
  ]);
  const all = editsOfBeforeRequest(before({ micro: clear("t1"), outcome: compacted(plan(4, 6)) }), view());
  expect(all.map(({ kind }) => kind)).toEqual(["replace"]);
  const failed = { kind: "failed", reason: "empty", attempts: 3 } as const;
  expect(editsOfBeforeRequest(before({ micro: clear("t1"), outcome: failed }), view())).toHaveLength(1);
});

test("MC3: only pins that do not stand yet are edits", () => {
  const edits = (pins: View["pins"]) => editsOfBeforeRequest(before({ pins: [pin] }), view(pins));
  expect(edits([])).toEqual([{ kind: "cache-edit", pin }]);
  expect(edits([pin])).toEqual([]);
  expect(edits([{ ...pin, messageUuid: "r3" }])).toHaveLength(1);
  expect(edits([{ ...pin, toolUseIds: ["t1"] }])).toHaveLength(1);
  expect(edits([{ ...pin, toolUseIds: ["t1", "t2"] }])).toEqual([]);
});

test("ST3: how a compaction ended, as the port says it", () => {
  const rows: readonly (readonly [CompactionOutcome | null, ReturnType<typeof statusOf>])[] = [
    [null, { kind: "nothing-to-do" }],
    [compacted(plan(6, 6)), { kind: "done" }],
    [
      { kind: "nothing-to-do", reason: "disabled" },
      { kind: "skipped", reason: "disabled" },
    ],
    [
      { kind: "failed", reason: "empty", attempts: 1 },
      { kind: "failed", reason: "empty" },
    ],
    [
      { kind: "failed", reason: "inflated", attempts: 1 },
      { kind: "inflated", reason: "inflated" },
    ],
    [{ kind: "aborted" }, { kind: "skipped", reason: "aborted" }],
  ];
  for (const [outcome, status] of rows) expect(statusOf(outcome)).toEqual(status);
});
