import fc from "fast-check";
import { expect, test } from "vitest";
import {
  aBoundary,
  aNotice,
  anAssistant,
  anAttachment,
  anImage,
  aResultMessage,
  aThinking,
  aToolResult,
  aToolUse,
  aUser,
  disorderedTranscript,
  validTranscript,
} from "../testing/index.ts";
import type { Message } from "./index.ts";
import {
  blockFromWire,
  blockToWire,
  groupByApiRound,
  isHumanMessage,
  lastBoundaryIndex,
  messagesAfterLastBoundary,
  messagesFromWire,
  newestHumanMessage,
  normalizeForApi,
  renderAttachment,
  roundStarts,
  textOf,
} from "./index.ts";
import { isBlank, isSendable } from "./sendable.ts";
import { isWireToolId, toWireToolId } from "./tool-id.ts";

test("M1: a human message is typed by a person and more than tool results", () => {
  expect(isHumanMessage(aUser("hello"))).toBe(true);
  expect(isHumanMessage(aUser([aToolResult("t1"), { type: "text", text: "and this" }]))).toBe(true);
  expect(isHumanMessage(aUser([anImage()]))).toBe(true);
  expect(isHumanMessage(aResultMessage("t1"))).toBe(false);
  expect(isHumanMessage(aUser([]))).toBe(false);
  expect(isHumanMessage(aUser([{ type: "cache_edits", edits: [] }]))).toBe(false);
  expect(isHumanMessage(aUser("go on", { isMeta: true }))).toBe(false);
  expect(isHumanMessage(aUser("so far", { isCompactSummary: true }))).toBe(false);
  expect(isHumanMessage(anAssistant("hello"))).toBe(false);
});

test("M1: the newest human message is found behind the harness's own", () => {
  const human = aUser("do this");
  expect(newestHumanMessage([aUser("old"), human, aUser("meta", { isMeta: true }), aResultMessage("t1")])).toBe(human);
  expect(newestHumanMessage([])).toBeUndefined();
});

test("M1: an attachment is rendered as a meta user message under its own uuid", () => {
  const attachment = anAttachment("file text");
  expect(renderAttachment(attachment)).toMatchObject({ kind: "user", uuid: attachment.uuid, isMeta: true });
  expect(renderAttachment(attachment).content).toBe(attachment.content);
});

test("M6: the live part stands after the last boundary; without one it is the same array", () => {
  const live = [aUser("c"), anAssistant("d")];
  const messages = [aUser("a"), aBoundary(), aUser("b"), aBoundary({ trigger: "manual" }), ...live];
  expect(lastBoundaryIndex(messages)).toBe(3);
  expect(messagesAfterLastBoundary(messages)).toEqual(live);
  expect(messagesAfterLastBoundary(live)).toBe(live);
  expect(lastBoundaryIndex(live)).toBe(-1);
  expect(lastBoundaryIndex([aBoundary(), ...live])).toBe(0);
  expect(messagesAfterLastBoundary([aBoundary(), ...live])).toEqual(live);
});

test("what is said is the text: no tool output, no thinking", () => {
  expect(
    textOf(anAssistant([aThinking(), { type: "text", text: "a" }, aToolUse("t1"), { type: "text", text: "b" }])),
  ).toBe("a\n\nb");
  expect(textOf(aResultMessage("t1", "output"))).toBe("");
  expect(textOf(aNotice("careful"))).toBe("careful");
  expect(textOf(aBoundary())).toBe("");
  expect(textOf(anAttachment("file"))).toBe("file");
});

test("G1: a group is one response, all its parts and what came back; the first is the opening", () => {
  const opening = [aUser("go"), anAttachment("plan")];
  const first = [
    anAssistant([aToolUse("t1")], { id: "x" }),
    aResultMessage("t1"),
    anAssistant([aToolUse("t2")], { id: "x" }),
    aResultMessage("t2"),
    aNotice("n"),
  ];
  const second = [anAssistant("done", { id: "y" }), aUser("thanks")];
  expect(groupByApiRound([...opening, ...first, ...second])).toEqual([opening, first, second]);
  expect(groupByApiRound([...first, ...second])).toEqual([first, second]);
  expect(groupByApiRound([])).toEqual([]);
});

test("G3: the groups give the input back, whatever it is", () => {
  fc.assert(
    fc.property(
      fc.oneof(validTranscript({ boundaries: true, maxRounds: 5 }), disorderedTranscript({ maxRounds: 5 })),
      (transcript) => {
        const groups = groupByApiRound(transcript);
        const flat = groups.flat();
        expect(flat.length).toBe(transcript.length);
        expect(flat.every((message, i) => message === transcript[i])).toBe(true);
        expect(groups.every((group) => group.length > 0)).toBe(true);
        expect(roundStarts(transcript).length).toBe(groups.length);
      },
    ),
    { numRuns: Number(process.env.LONGHAUL_CASES ?? 1000) },
  );
});

test("G3: no tool pair spans two groups where the results precede the next response (G2: without tracking ids)", () => {
  fc.assert(
    fc.property(validTranscript({ maxRounds: 5 }), (transcript) => {
      for (const group of groupByApiRound(transcript)) {
        const blocks = group.flatMap((message) => ("content" in message ? message.content : []));
        const calls = blocks.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
        const results = blocks.flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : []));
        expect(results.toSorted()).toEqual(calls.toSorted());
      }
    }),
    { numRuns: Number(process.env.LONGHAUL_CASES ?? 1000) },
  );
});

test("M3: every wire block goes there and back as it was; what is unknown or broken is carried whole", () => {
  const known = [
    aToolUse("t1"),
    aThinking(),
    anImage(),
    { type: "text", text: "x", citations: null },
    aToolResult("t1", [anImage()]),
  ];
  for (const wire of known) {
    expect(blockFromWire(wire)).toBe(wire);
    expect(blockToWire(blockFromWire(wire))).toBe(wire);
  }
  const strange = [
    { type: "server_tool_use", id: "s1", name: "web_search", input: {} },
    { type: "text" },
    { type: "tool_use", name: "no id" },
    { type: "image", source: null },
    { type: "document", source: { type: "content", content: [] } },
  ];
  for (const wire of strange) {
    expect(blockFromWire(wire)).toEqual({ type: "opaque", wire });
    expect(blockToWire(blockFromWire(wire))).toBe(wire);
  }
});

test("M3: an unknown part inside a tool result passes through; a result without content reads as empty text", () => {
  const wire = { type: "tool_result", tool_use_id: "t1", content: [{ type: "tool_reference", tool_name: "Read" }] };
  const block = blockFromWire(wire);
  expect(block).toMatchObject({ type: "tool_result", content: [{ type: "opaque" }] });
  expect(blockToWire(block)).toEqual(wire);
  expect(blockFromWire({ type: "tool_result", tool_use_id: "t1" } as { type: string })).toMatchObject({ content: "" });
});

test("CF2: plain API messages make a transcript that is sent as it came", () => {
  let next = 0;
  const ids = { uuid: () => `u${next++}` };
  const params = [
    { role: "user" as const, content: [{ type: "text", text: "go" }] },
    { role: "assistant" as const, content: [aThinking(), aToolUse("t1")] },
    { role: "user" as const, content: [aToolResult("t1"), { type: "search_result", source: "s" }] },
    { role: "assistant" as const, content: [aToolUse("t2")] },
    { role: "assistant" as const, content: [aToolUse("t3")] },
    { role: "user" as const, content: [aToolResult("t2"), aToolResult("t3")] },
  ];
  const messages: readonly Message[] = messagesFromWire(params, ids);
  expect(messages.map(({ uuid }) => uuid)).toEqual(["u0", "u1", "u2", "u3", "u4", "u5"]);
  expect(normalizeForApi(messages)).toEqual([
    ...params.slice(0, 3),
    { role: "assistant", content: [aToolUse("t2"), aToolUse("t3")] },
    params[5],
  ]);
  expect(messagesFromWire([{ role: "user", content: "hi" }], ids)).toMatchObject([
    { content: [{ type: "text", text: "hi" }] },
  ]);
});

test("CF2: a system message is the harness's own; who answered is not known unless told; an answer may come first", () => {
  const ids = { uuid: () => "u" };
  const params = [
    { role: "assistant" as const, content: "hello" },
    { role: "system" as const, content: "be brief" },
    { role: "user" as const, content: "go" },
  ];
  const [answer, system, user] = messagesFromWire(params, ids);
  expect(answer).toMatchObject({ kind: "assistant", id: "msg_u", model: "", timestamp: 0, stopReason: null });
  expect(system).toMatchObject({ kind: "user", isMeta: true });
  expect(user).not.toHaveProperty("isMeta");
  expect(messagesFromWire(params, ids, { model: "m", timestamp: 5 })[0]).toMatchObject({ model: "m", timestamp: 5 });
});

test("M5: an id of 64 of the API's own signs stays; any other is renamed, the same way for ever", () => {
  expect(isWireToolId("x".repeat(64))).toBe(true);
  expect(isWireToolId("x".repeat(65))).toBe(false);
  expect(toWireToolId("toolu_01-A")).toBe("toolu_01-A");
  expect(toWireToolId("a b:c")).toBe("a_b_c_7eda9561bbf12cfa");
  for (let i = 0; i < 200; i++) expect(toWireToolId(`call ${i}`)).toMatch(/^call_\d+_[0-9a-f]{16}$/);
});

test("M4: blank is what has no sign in it; a signature that is empty is none", () => {
  expect([isBlank(""), isBlank(" \n\t"), isBlank(" x "), isBlank(undefined)]).toEqual([true, true, false, false]);
  const thinking = (signature?: string) => ({
    type: "thinking" as const,
    thinking: "hm",
    ...(signature !== undefined && { signature }),
  });
  expect([isSendable(thinking()), isSendable(thinking("")), isSendable(thinking("s"))]).toEqual([false, false, true]);
});

test("a message of a kind that nobody has heard of is an error, not silence", () => {
  expect(() => textOf({ kind: "unheard-of" } as never)).toThrow(TypeError);
});
