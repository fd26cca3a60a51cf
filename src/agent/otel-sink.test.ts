import type { Attributes, Span, SpanStatus, TimeInput, Tracer } from "@opentelemetry/api";
import { INVALID_SPAN_CONTEXT, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { expect, test } from "vitest";
import type { Reply } from "../testing/index.ts";
import { aToolUse, driveAgent } from "../testing/index.ts";
import { createOtelSink } from "./otel-sink.ts";

interface Recorded {
  readonly name: string;
  readonly parent: string | null;
  readonly from: TimeInput | undefined;
  to: TimeInput | undefined;
  status: SpanStatus | null;
  readonly attributes: Attributes;
  readonly events: string[];
}

/** A tracer of the real interface that keeps what it is told. */
function recordingTracer(): { readonly tracer: Tracer; readonly spans: Recorded[] } {
  const spans: Recorded[] = [];
  const names = new Map<Span, string>();
  const tracer: Pick<Tracer, "startSpan"> = {
    startSpan: (name, options, context) => {
      const parent = context === undefined ? undefined : trace.getSpan(context);
      const made: Recorded = {
        name,
        parent: parent === undefined ? null : (names.get(parent) ?? null),
        from: options?.startTime,
        to: undefined,
        status: null,
        attributes: { ...options?.attributes },
        events: [],
      };
      spans.push(made);
      const span: Span = {
        ...trace.wrapSpanContext(INVALID_SPAN_CONTEXT),
        spanContext: () => INVALID_SPAN_CONTEXT,
        setAttributes: (more) => {
          Object.assign(made.attributes, more);
          return span;
        },
        setStatus: (status) => {
          made.status = status;
          return span;
        },
        addEvent: (event) => {
          made.events.push(event);
          return span;
        },
        end: (at) => {
          made.to = at;
        },
      } as Span;
      names.set(span, name);
      return span;
    },
  };
  return { tracer: tracer as Tracer, spans };
}

const call: Reply = { kind: "message", content: [aToolUse("t1", "Read", {})] };
const done: Reply = { kind: "message", content: [{ type: "text", text: "secret answer" }] };
const busy: Reply = { kind: "refusal", status: 529, type: "overloaded_error", message: "Overloaded" };

test("TE1: turns, requests and tools are spans under one another, with the events' own times and the conventions' names", async () => {
  const { tracer, spans } = recordingTracer();
  const sink = createOtelSink({
    tracer,
    model: "claude-opus-4-5",
    under: (parent) => trace.setSpan(ROOT_CONTEXT, parent),
  });
  await driveAgent([busy, call, done], async ({ agent }) => agent.turn("secret question"), { emit: sink });
  expect(spans.map(({ name, parent }) => [name, parent])).toEqual([
    ["invoke_agent longhaul", null],
    ["chat claude-opus-4-5", "invoke_agent longhaul"],
    ["chat claude-opus-4-5", "invoke_agent longhaul"],
    ["execute_tool Read", "invoke_agent longhaul"],
    ["chat claude-opus-4-5", "invoke_agent longhaul"],
  ]);
  const [turn, failed, asked, tool] = spans;
  expect(failed).toMatchObject({
    status: { code: 2, message: "overloaded" },
    attributes: { "error.type": "overloaded" },
  });
  expect(asked?.attributes).toMatchObject({
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "anthropic",
    "gen_ai.response.finish_reasons": ["tool_use"],
    "gen_ai.usage.input_tokens": 1_000,
    "gen_ai.usage.output_tokens": 50,
    "longhaul.attempt": 2,
  });
  expect(tool).toMatchObject({ attributes: { "gen_ai.tool.call.id": "t1" }, status: null });
  expect(Number(tool?.to) - Number(tool?.from)).toBe(10);
  expect(turn).toMatchObject({ to: 1_000_510, attributes: { "longhaul.outcome": "completed", "longhaul.rounds": 2 } });
  expect(JSON.stringify(spans)).not.toContain("secret");
});

test("TE1: compactions are spans, all else is an event of the turn", () => {
  const { tracer, spans } = recordingTracer();
  const sink = createOtelSink({ tracer, model: "m", provider: "aws.bedrock" });
  const where = { turn: 1, round: 1, querySource: "main" } as const;
  sink({ kind: "turn_started", humanUuid: null, chars: 0, at: 1, ...where });
  sink({ kind: "compact_started", trigger: "auto", layer: "full", tokensBefore: 9, at: 2, ...where });
  sink({ kind: "notice", code: "x", text: "y", at: 3, ...where });
  sink({
    kind: "compact_failed",
    trigger: "auto",
    layer: "full",
    reason: "inflated",
    attempts: 2,
    durationMs: 3,
    at: 5,
    ...where,
  });
  sink({ kind: "compact_aborted", trigger: "auto", layer: "full", at: 6, ...where });
  expect(spans).toMatchObject([
    { name: "invoke_agent longhaul", parent: null, events: ["longhaul.notice"], to: undefined },
    { name: "compact full", from: 2, to: 5, status: { message: "inflated" }, attributes: { "longhaul.attempts": 2 } },
  ]);
  expect(spans[0]?.attributes["gen_ai.provider.name"]).toBe("aws.bedrock");
});
