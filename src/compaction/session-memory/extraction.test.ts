import { expect, test } from "vitest";
import {
  aModel,
  anAssistant,
  aResultMessage,
  aToolUse,
  aUser,
  createVirtualClock,
  inOrder,
} from "../../testing/index.ts";
import { roughEstimator } from "../../tokens/index.ts";
import type { Message } from "../../transcript/index.ts";
import { defaultConfig } from "../config.ts";
import type { AskReply, AskRequest } from "../ports.ts";
import { runExtraction } from "./extraction.ts";
import { notesTemplate, writeNotes } from "./notes-template.ts";

const settled = inOrder<Message>([aUser("Go."), anAssistant([aToolUse("t")]), aResultMessage("t")]);
const notes = writeNotes(new Map([["Current State", "Half done."]]));
const answer = (text: string): AskReply => ({
  kind: "answer",
  text,
  stopReason: "end_turn",
  toolCalls: [],
  usage: null,
});

async function extract(reply: AskReply, live: readonly Message[] = settled, maxOutput = 64_000) {
  const asked: AskRequest[] = [];
  const clock = createVirtualClock(5_000);
  const result = await runExtraction(
    { live, notes: notesTemplate, model: { ...aModel("claude-sonnet-4-6"), maxOutput } },
    defaultConfig.sessionMemory,
    {
      clock,
      estimator: roughEstimator,
      ask: async (request) => {
        asked.push(request);
        return reply;
      },
    },
  );
  return { result, asked };
}

test("SM1: notes are asked of a fork that is the main thread in everything but its last message", async () => {
  const { asked } = await extract(answer(`<notes>${notes}</notes>`));
  expect(asked).toMatchObject([
    {
      purpose: "session_memory",
      messages: settled,
      system: "same",
      tools: "same",
      thinking: "same",
      cacheEdits: "same",
      model: "main",
      maxOutput: 16_000,
    },
  ]);
  expect((await extract(answer(""), settled, 8_000)).asked[0]?.maxOutput).toBe(8_000);
});

test("SM1: the new notes cover up to the last message; with a call still open they cover nothing new", async () => {
  const updated = { kind: "updated", finishedAtMs: 5_000, notes };
  expect((await extract(answer(`<notes>${notes}</notes>`))).result).toEqual({ ...updated, coversUuid: "m2" });
  expect((await extract(answer(`<notes>${notes}</notes>`), settled.slice(0, 2))).result).toEqual({
    ...updated,
    coversUuid: null,
  });
});

test("SM7: an abort, an error and an answer without notes are told apart", async () => {
  const finishedAtMs = 5_000;
  expect((await extract({ kind: "aborted" })).result).toEqual({ kind: "aborted", finishedAtMs });
  expect((await extract({ kind: "error", error: { class: "overloaded", text: "Overloaded" } })).result).toEqual({
    kind: "failed",
    finishedAtMs,
    reason: "overloaded",
  });
  expect((await extract(answer("I called a tool."))).result).toEqual({
    kind: "failed",
    finishedAtMs,
    reason: "no-notes",
  });
});
