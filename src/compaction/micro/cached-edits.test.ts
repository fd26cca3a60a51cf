import { expect, test } from "vitest";
import {
  aNotice,
  anAssistant,
  anAttachment,
  aResultMessage,
  aToolResult,
  aToolUse,
  aUser,
  inOrder,
} from "../../testing/index.ts";
import type { Block, Message } from "../../transcript/index.ts";
import { defaultConfig } from "../config.ts";
import { createCachedEdits } from "./cached-edits.ts";

const config = defaultConfig.micro;

/** Rounds of one Read each; the last message is a result. */
function reads(count: number): readonly Message[] {
  const rounds = Array.from({ length: count }, (_, i) => [
    anAssistant([aToolUse(`t${i}`)], { id: `msg_${i}` }),
    aResultMessage(`t${i}`),
  ]);
  return inOrder([aUser("Read all."), ...rounds.flat()]);
}

/** Sends every request of a session up to `count` rounds, each with success. */
function sendAll(edits: ReturnType<typeof createCachedEdits>, count: number): void {
  for (let i = 1; i <= count; i++) {
    edits.prepare(reads(i));
    edits.commit();
  }
}

test("MC3: at twelve live results nothing is deleted; at thirteen, all seen ones but the newest five", () => {
  const edits = createCachedEdits(config);
  sendAll(edits, 12);
  expect(edits.pinned()).toEqual([]);
  const messages = reads(13);
  expect(edits.prepare(messages)).toEqual({
    messageUuid: messages.at(-1)?.uuid,
    toolUseIds: ["t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7"],
  });
});

test("MC3: what the server has not seen yet is never deleted", () => {
  const edits = createCachedEdits(config);
  expect(edits.prepare(reads(20))).toBeNull();
  edits.commit();
  expect(edits.prepare(reads(21))?.toolUseIds).toHaveLength(16);
});

test("MC3: a block waits unchanged until it is committed, so a failed request is repeated with it", () => {
  const edits = createCachedEdits(config);
  sendAll(edits, 12);
  const block = edits.prepare(reads(13));
  expect(edits.pending()).toBe(block);
  expect(edits.prepare(reads(13))).toBe(block);
  expect(edits.pinned()).toEqual([]);
  expect(edits.commit()).toBe(block);
  expect(edits.pending()).toBeNull();
  expect(edits.pinned()).toEqual([block]);
});

test("MC3: the original loses the block of a failed request: on-send is that behaviour", () => {
  const edits = createCachedEdits({ ...config, cached: { ...config.cached, commit: "on-send" } });
  sendAll(edits, 12);
  expect(edits.prepare(reads(13))).not.toBeNull();
  expect(edits.prepare(reads(13))).toBeNull();
  expect(edits.commit()).toBeNull();
  expect(edits.pinned()).toEqual([]);
});

test("MC3: on-send pins a block whose request succeeded at once", () => {
  const edits = createCachedEdits({ ...config, cached: { ...config.cached, commit: "on-send" } });
  sendAll(edits, 12);
  const block = edits.prepare(reads(13));
  expect(edits.commit()).toBe(block);
  expect(edits.pinned()).toEqual([block]);
});

test("MC3: pins add up; no result is named twice, and each pin stays at its place", () => {
  const edits = createCachedEdits(config);
  sendAll(edits, 60);
  const pins = edits.pinned();
  const ids = pins.flatMap(({ toolUseIds }) => toolUseIds);
  expect(pins.length).toBeGreaterThan(3);
  expect(new Set(ids).size).toBe(ids.length);
  expect(pins.map(({ messageUuid }) => messageUuid)).toEqual([...new Set(pins.map(({ messageUuid }) => messageUuid))]);
});

test("MC3: several results of one user message are registered as one group", () => {
  const edits = createCachedEdits(config);
  const calls = ["a", "b", "c"];
  const messages = inOrder([
    aUser("Go"),
    anAssistant(calls.map((id) => aToolUse(id))),
    aUser(calls.map((id) => aToolResult(id))),
  ]);
  edits.prepare(messages);
  expect(edits.state().live).toEqual([{ messageUuid: "m2", toolUseIds: calls, seen: false }]);
  edits.commit();
  expect(edits.state().live).toEqual([{ messageUuid: "m2", toolUseIds: calls, seen: true }]);
});

test("MC1: results of tools outside the set, and results that are cleared already, are not registered", () => {
  const edits = createCachedEdits(config);
  edits.prepare(
    inOrder([
      aUser("Go"),
      anAssistant([aToolUse("a", "Agent"), aToolUse("b", "Read"), aToolUse("c", "Read")]),
      aUser([aToolResult("a"), aToolResult("b", config.marker), aToolResult("c"), aToolResult("nobody")]),
    ]),
  );
  expect(edits.state().live.flatMap(({ toolUseIds }) => toolUseIds)).toEqual(["c"]);
});

test("MC3: where an answer stands last no block is made, for it would stand inside the cached prefix", () => {
  const edits = createCachedEdits(config);
  sendAll(edits, 13);
  edits.reset();
  const messages = reads(13);
  edits.prepare(messages);
  edits.commit();
  const answered = [...messages, anAssistant("Done.", { uuid: "end" })];
  expect(edits.prepare(answered)).toBeNull();
  expect(edits.prepare([...answered, aUser("More.", { uuid: "more" })])?.messageUuid).toBe("more");
});

test("MC3: a reset forgets everything; then results count as unseen again", () => {
  const edits = createCachedEdits(config);
  sendAll(edits, 14);
  edits.reset();
  expect(edits.state()).toEqual({ live: [], pending: null, consumed: null, pinned: [] });
  expect(edits.prepare(reads(14))).toBeNull();
});

test("MC3: two conversations in one process never see each other's edits", () => {
  const one = createCachedEdits(config);
  const other = createCachedEdits(config);
  sendAll(one, 14);
  expect(one.pinned()).not.toEqual([]);
  expect(other.pinned()).toEqual([]);
  expect(other.prepare(reads(14))).toBeNull();
});

test("MC3: the state survives JSON: a resumed conversation sends the same pins and names nothing again", () => {
  const before = createCachedEdits(config);
  sendAll(before, 20);
  const after = createCachedEdits(config, JSON.parse(JSON.stringify(before.state())));
  for (const edits of [before, after]) {
    for (let i = 21; i <= 40; i++) {
      edits.prepare(reads(i));
      edits.commit();
    }
  }
  expect(after.state()).toEqual(before.state());
});

test("MC3: when the place of a pin is gone, somebody rewrote the history: the pins go with it", () => {
  const edits = createCachedEdits(config);
  sendAll(edits, 14);
  const rewritten = inOrder([aUser("Another conversation.")]).map((message) => ({ ...message, uuid: "other" }));
  expect(edits.prepare(rewritten)).toBeNull();
  expect(edits.pinned()).toEqual([]);
});

test("MC3: a block whose place is gone does not wait any longer, and one of two pins without a place takes both along", () => {
  const gone = inOrder([aUser("Another conversation.")]).map((message) => ({ ...message, uuid: "other" }));
  for (const commit of ["on-response", "on-send"] as const) {
    const waiting = createCachedEdits({ ...config, cached: { ...config.cached, commit } });
    sendAll(waiting, 12);
    expect(waiting.prepare(reads(13))).not.toBeNull();
    expect(waiting.prepare(gone)).toBeNull();
    expect(waiting.state()).toEqual({ live: [], pending: null, consumed: null, pinned: [] });
  }

  for (const nth of [0, 1]) {
    const edits = createCachedEdits(config);
    sendAll(edits, 24);
    const places = edits.pinned().map(({ messageUuid }) => messageUuid);
    expect(places).toHaveLength(2);
    edits.prepare(reads(24).filter(({ uuid }) => uuid !== places[nth]));
    expect(edits.pinned()).toEqual([]);
  }
});

test("MC3: a conversation that is resumed while a block waits sends that block, and names none of its results again", () => {
  for (const commit of ["on-response", "on-send"] as const) {
    const cached = { ...config.cached, commit };
    const before = createCachedEdits({ ...config, cached });
    sendAll(before, 12);
    const block = before.prepare(reads(13));
    const after = createCachedEdits({ ...config, cached }, JSON.parse(JSON.stringify(before.state())));
    expect(after.pending()).toEqual(block);
    expect(after.commit()).toEqual(block);
    for (let i = 14; i <= 40; i++) {
      after.prepare(reads(i));
      after.commit();
    }
    const ids = after.pinned().flatMap(({ toolUseIds }) => toolUseIds);
    expect(new Set(ids).size).toBe(ids.length);
  }
});

test("MC3: registering looks at the messages that are new, and at nothing that was there before", () => {
  const edits = createCachedEdits(config);
  const looks: string[] = [];
  const watched = (message: Message): Message =>
    new Proxy(message, {
      get: (target, key) => {
        if (key === "content") looks.push(target.uuid);
        return Reflect.get(target, key);
      },
    });
  const messages = reads(3).map(watched);
  edits.prepare(messages.slice(0, 5));
  looks.length = 0;
  edits.prepare(messages);
  expect(new Set(looks)).toEqual(new Set(["m5", "m6"]));
});

test("MC3: what a block has named is live no more: a group that is empty is gone, one that is cut keeps the rest", () => {
  const edits = createCachedEdits(config);
  const calls = ["a", "b", "c", "d", "e", "f", "g"];
  const first = [anAssistant(calls.map((id) => aToolUse(id))), aUser(calls.map((id) => aToolResult(id)))];
  const rounds = Array.from({ length: 7 }, (_, i) => [
    anAssistant([aToolUse(`t${i}`)], { id: `msg_${i}` }),
    aResultMessage(`t${i}`),
  ]);
  const messages = inOrder([aUser("Go"), ...first, ...rounds.flat()]);
  for (let end = 3; end <= messages.length; end += 2) {
    edits.prepare(messages.slice(0, end));
    edits.commit();
  }
  expect(edits.pinned()).toEqual([{ messageUuid: "m14", toolUseIds: [...calls, "t0"] }]);
  expect(edits.state().live.map(({ toolUseIds }) => toolUseIds)).toEqual([
    ["t1"],
    ["t2"],
    ["t3"],
    ["t4"],
    ["t5"],
    ["t6"],
  ]);
});

test("MC3: a block stands at what is sent last: an attachment may carry it, a notice is not sent, and nothing has no place", () => {
  const at = (...tail: readonly Message[]) => {
    const edits = createCachedEdits(config);
    sendAll(edits, 12);
    edits.prepare(reads(12));
    return edits.prepare([...reads(13), ...tail])?.messageUuid;
  };
  expect(at()).toBe("m26");
  expect(at(anAttachment("Read again.", { uuid: "file" }))).toBe("file");
  expect(at(aNotice("Only you see this.", { uuid: "said" }))).toBe("m26");
  expect(createCachedEdits(config).prepare([])).toBeNull();
});

test("MC5: messages without blocks, and blocks that only look like calls and results, are passed over", () => {
  const edits = createCachedEdits(config);
  const foreignCall = {
    type: "mcp_tool_use",
    id: "far",
    name: "Read",
    server_name: "db",
    input: {},
  } as unknown as Block;
  const foreignResult = { type: "mcp_tool_result", tool_use_id: "near", content: [] } as unknown as Block;
  edits.prepare(
    inOrder<Message>([
      aUser("Go"),
      aNotice("Working."),
      anAssistant([aToolUse("near"), foreignCall]),
      aUser([foreignResult, aToolResult("far")]),
      aNotice("Still working."),
    ]),
  );
  expect(edits.state().live).toEqual([]);
});

test("MC3: a round that was taken out takes the pins that name its result with it: a server refuses an edit of what it was not sent", () => {
  const edits = createCachedEdits(config);
  sendAll(edits, 14);
  const named = edits.pinned()[0]?.toolUseIds[0];
  const snipped = reads(15).filter(({ uuid }) => uuid !== "m1" && uuid !== "m2");
  expect(named).toBe("t0");
  edits.prepare(snipped);
  expect(edits.pinned()).toEqual([]);
});

test("MC3: a result that was taken out before it was named is live no more, and is never named", () => {
  const edits = createCachedEdits(config);
  sendAll(edits, 12);
  const snipped = (rounds: number) => reads(rounds).filter(({ uuid }) => uuid !== "m1" && uuid !== "m2");
  expect(edits.prepare(snipped(13))).toBeNull();
  expect(edits.state().live.flatMap(({ toolUseIds }) => toolUseIds)).not.toContain("t0");
  expect(edits.state().live.every(({ toolUseIds }) => toolUseIds.length > 0)).toBe(true);
  expect(edits.prepare(snipped(14))?.toolUseIds).toEqual(["t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8"]);
});

test("MC3: a pin may name a result of its own message; what only looks like that result does not stand for it", () => {
  const pinned = [{ messageUuid: "m2", toolUseIds: ["t0"] }];
  const edits = createCachedEdits(config, { ...createCachedEdits(config).state(), pinned });
  edits.prepare(reads(1));
  expect(edits.pinned()).toEqual(pinned);
  const other = { type: "mcp_tool_result", tool_use_id: "t0", content: [] } as unknown as Block;
  edits.prepare([...reads(1).slice(0, 2), aUser([other], { uuid: "m2" }), aUser("On.", { uuid: "m3" })].toReversed());
  expect(edits.pinned()).toEqual([]);
});
