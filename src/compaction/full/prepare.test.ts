import fc from "fast-check";
import { expect, test } from "vitest";
import {
  aBoundary,
  anAssistant,
  anAttachment,
  anImage,
  aToolResult,
  aToolUse,
  aUser,
  validTranscript,
} from "../../testing/index.ts";
import type { DocumentBlock } from "../../transcript/index.ts";
import { mediaAsMarkers, prepareForSummary } from "./prepare.ts";

const aDocument: DocumentBlock = {
  type: "document",
  source: { type: "base64", media_type: "application/pdf", data: "JVBERi0=" },
};

test("FC2: images and documents become markers, inside tool results too", () => {
  const [prepared, result] = prepareForSummary([
    aUser([{ type: "text", text: "look" }, anImage(), aDocument]),
    aUser([
      aToolResult("t", [
        { type: "text", text: "page" },
        aDocument,
        { ...anImage(), cache_control: { type: "ephemeral" } },
      ]),
    ]),
  ]);
  expect(prepared).toMatchObject({
    content: [
      { type: "text", text: "look" },
      { type: "text", text: "[image]" },
      { type: "text", text: "[document]" },
    ],
  });
  expect(result).toMatchObject({
    content: [
      {
        tool_use_id: "t",
        content: [
          { type: "text", text: "page" },
          { type: "text", text: "[document]" },
          { type: "text", text: "[image]", cache_control: { type: "ephemeral" } },
        ],
      },
    ],
  });
});

test("FC2: what is announced again afterwards is left out; what is not, stays", () => {
  const again = (["skill-list", "agents", "deferred-tools", "mcp"] as const).map((kind) =>
    anAttachment(kind, { attachment: { kind } }),
  );
  const stays = [
    anAttachment("file"),
    anAttachment("plan", { attachment: { kind: "plan" } }),
    anAttachment("todo", { attachment: { kind: "todo" } }),
    anAttachment("hook", { attachment: { kind: "hook", hook: "PreCompact" } }),
  ];
  expect(prepareForSummary([...again, ...stays])).toEqual(stays);
});

test("FC2: nothing to prepare gives the same array, and a message without media is the same object", () => {
  const messages = [aUser("a"), anAssistant([aToolUse("t")]), aUser([aToolResult("t")]), aBoundary()];
  expect(prepareForSummary(messages)).toBe(messages);
  const mixed = [...messages, aUser([anImage()])];
  const prepared = prepareForSummary(mixed);
  for (const i of [0, 1, 2, 3]) expect(prepared[i]).toBe(mixed[i]);
  expect(mediaAsMarkers(messages[0] as never)).toBe(messages[0]);
});

test("FC2: preparing twice changes nothing more, and never the input", () => {
  fc.assert(
    fc.property(validTranscript(), (messages) => {
      const before = structuredClone(messages);
      const once = prepareForSummary(messages);
      expect(prepareForSummary(once)).toBe(once);
      expect(messages).toEqual(before);
    }),
  );
});
