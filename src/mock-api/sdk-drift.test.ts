import type Anthropic from "@anthropic-ai/sdk";
import { expect, expectTypeOf, test } from "vitest";
import type { StreamEvent } from "./stream/stream-event.ts";
import { createRig, refusalText, user } from "./test-rig.ts";

/**
 * The unions of SDK 1.14, each member with what the mock does with it. A `Record` over the SDK's own type wants every member and takes no other, so a
 * new one in the SDK makes this file fail to compile, and with it `npm run check`: then decide whether the mock sends it, or takes it.
 */
type Beta = Anthropic.Beta.Messages.BetaMessage;
type Sent = "sent" | "never sent";

const events: Record<Anthropic.RawMessageStreamEvent["type"], Sent> = {
  message_start: "sent",
  content_block_start: "sent",
  content_block_delta: "sent",
  content_block_stop: "sent",
  message_delta: "sent",
  message_stop: "sent",
};
const betaEvents: Record<Anthropic.Beta.Messages.BetaRawMessageStreamEvent["type"], Sent> = events;

const deltas: Record<Anthropic.RawContentBlockDelta["type"], Sent> = {
  text_delta: "sent",
  input_json_delta: "sent",
  thinking_delta: "sent",
  signature_delta: "sent",
  citations_delta: "never sent", // no answer of the simulated model cites
};
const betaDeltas: Record<Anthropic.Beta.Messages.BetaRawContentBlockDelta["type"], Sent> = {
  ...deltas,
  compaction_delta: "sent",
};

const blocks: Record<Anthropic.ContentBlock["type"], Sent> = {
  text: "sent",
  thinking: "sent",
  tool_use: "sent",
  redacted_thinking: "never sent",
  server_tool_use: "never sent", // server tools are taken in a conversation, and never used by the simulated model
  web_search_tool_result: "never sent",
  web_fetch_tool_result: "never sent",
  code_execution_tool_result: "never sent",
  bash_code_execution_tool_result: "never sent",
  text_editor_code_execution_tool_result: "never sent",
  tool_search_tool_result: "never sent",
  container_upload: "never sent",
};
const startedBlocks: Record<Anthropic.RawContentBlockStartEvent["content_block"]["type"], Sent> = blocks;
const betaBlocks: Record<Anthropic.Beta.Messages.BetaContentBlock["type"], Sent> = {
  ...blocks,
  compaction: "sent",
  advisor_tool_result: "never sent",
  mcp_tool_use: "never sent",
  mcp_tool_result: "never sent",
  mcp_tool_listing: "never sent",
  fallback: "never sent",
};
const betaStartedBlocks: Record<Anthropic.Beta.Messages.BetaRawContentBlockStartEvent["content_block"]["type"], Sent> =
  betaBlocks;

const stopReasons: Record<Anthropic.StopReason, Sent> = {
  end_turn: "sent",
  max_tokens: "sent",
  stop_sequence: "sent",
  tool_use: "sent",
  refusal: "sent",
  model_context_window_exceeded: "sent",
  pause_turn: "never sent",
};
const betaStopReasons: Record<NonNullable<Beta["stop_reason"]>, Sent> = { ...stopReasons, compaction: "sent" };

/** What a request may hold, plain and beta. */
const plainParams: Record<Anthropic.ContentBlockParam["type"], "taken"> = {
  text: "taken",
  image: "taken",
  document: "taken",
  search_result: "taken",
  thinking: "taken",
  redacted_thinking: "taken",
  tool_use: "taken",
  tool_result: "taken",
  server_tool_use: "taken",
  web_search_tool_result: "taken",
  web_fetch_tool_result: "taken",
  code_execution_tool_result: "taken",
  bash_code_execution_tool_result: "taken",
  text_editor_code_execution_tool_result: "taken",
  tool_search_tool_result: "taken",
  container_upload: "taken",
};
const params: Record<Anthropic.Beta.Messages.BetaContentBlockParam["type"], "taken" | "taken from the system"> = {
  ...plainParams,
  advisor_tool_result: "taken",
  mcp_tool_use: "taken",
  mcp_tool_result: "taken",
  mcp_tool_listing: "taken",
  compaction: "taken",
  fallback: "taken",
  tool_addition: "taken from the system",
  tool_removal: "taken from the system",
};

test("drift: what the mock streams are the SDK's events, and the two that the SDK keeps to itself", () => {
  expectTypeOf<StreamEvent["type"]>().toEqualTypeOf<keyof typeof betaEvents | "ping" | "error">();
  expect(Object.values(events)).not.toContain("never sent");
});

test("drift: every block that the SDK's types let into a request is one that the mock knows by name", () => {
  const said = (type: string, role: "user" | "system"): string =>
    refusalText(createRig().send({ model: "claude-opus-5", messages: [user("x"), { role, content: [{ type }] }] })) ??
    "accepted";
  const unknown = (type: string): string => `Input tag '${type}' found using 'type' does not match`;
  expect(said("not_a_block", "user")).toContain(unknown("not_a_block"));
  for (const [type, how] of Object.entries(params))
    expect(said(type, how === "taken" ? "user" : "system")).not.toContain(unknown(type));
});

test("drift: blocks, deltas and stop reasons of the mock's own answers are members that the SDK knows", () => {
  const known = { startedBlocks, betaStartedBlocks, betaDeltas, betaStopReasons };
  const rig = createRig({
    model: (_, { source }) => ({
      content:
        source === "compact"
          ? [{ kind: "text", text: "<summary>s</summary>" }]
          : [
              { kind: "thinking", thinking: "h" },
              { kind: "text", text: "word" },
              { kind: "tool-call", name: "Read", input: {} },
            ],
      trace: [],
    }),
  });
  const tools = [{ name: "Read", input_schema: { type: "object" } }];
  const met = { blocks: new Set<unknown>(), deltas: new Set<unknown>(), stopReasons: new Set<unknown>() };
  const asked: readonly object[] = [
    {},
    { max_tokens: 2 },
    { stop_sequences: ["or"] },
    { tools: [] },
    {
      context_management: { edits: [{ type: "compact_20260112", trigger: { type: "input_tokens", value: 50_000 } }] },
      messages: [user("漢字".repeat(40_000))],
    },
    { compaction: { type: "summarize" } },
  ];
  const beta = { "anthropic-beta": "compact-2026-01-12,compact-2026-09-04" };
  for (const fields of asked) {
    const { body } = rig.send(
      { model: "claude-opus-4-8", thinking: { type: "adaptive" }, tools, stream: true, ...fields },
      beta,
    );
    for (const event of body.kind === "events" ? body.events : []) {
      if (event.type === "content_block_start") met.blocks.add((event.content_block as { type: string }).type);
      if (event.type === "content_block_delta") met.deltas.add((event.delta as { type: string }).type);
      if (event.type === "message_delta") met.stopReasons.add((event.delta as { stop_reason: string }).stop_reason);
    }
  }
  const sentOf = (table: Readonly<Record<string, Sent>>): unknown[] =>
    Object.keys(table)
      .filter((name) => table[name] === "sent")
      .sort();
  expect([...met.blocks].sort()).toEqual(sentOf(known.betaStartedBlocks));
  expect([...met.deltas].sort()).toEqual(sentOf(known.betaDeltas));
  // Those that only a fault brings are met in faults.test.ts.
  const byFault = ["refusal", "model_context_window_exceeded"];
  expect([...met.stopReasons, ...byFault].sort()).toEqual(sentOf(known.betaStopReasons));
});

test("drift: the fields of usage, of a beta's usage and of diagnostics are those that the mock fills", () => {
  expectTypeOf<keyof Anthropic.Usage>().toEqualTypeOf<
    | "input_tokens"
    | "cache_creation_input_tokens"
    | "cache_read_input_tokens"
    | "cache_creation"
    | "output_tokens"
    | "output_tokens_details"
    | "server_tool_use"
    | "service_tier"
    | "inference_geo"
    | "speed"
  >();
  expectTypeOf<Exclude<keyof Anthropic.Beta.Messages.BetaUsage, keyof Anthropic.Usage>>().toEqualTypeOf<
    "iterations" | "fallback_credit"
  >();
  expectTypeOf<Exclude<keyof Beta, keyof Anthropic.Message>>().toEqualTypeOf<
    "context_management" | "input_transformations"
  >();
  expectTypeOf<NonNullable<Anthropic.Diagnostics["cache_miss_reason"]>["type"]>().toEqualTypeOf<
    | "model_changed"
    | "system_changed"
    | "tools_changed"
    | "messages_changed"
    | "previous_message_not_found"
    | "unavailable"
  >();
});
