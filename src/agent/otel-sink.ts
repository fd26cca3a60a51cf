import type { Attributes, Span, Tracer } from "@opentelemetry/api";
import type { CompactionEvent } from "../compaction/index.ts";
import type { LoopEvent } from "./events.ts";

export interface OtelSinkOptions {
  readonly tracer: Tracer;
  /** Puts a span under its parent: `(parent) => trace.setSpan(context.active(), parent)` of `@opentelemetry/api`. Left out: all spans are roots. */
  readonly under?: (parent: Span) => Parameters<Tracer["startSpan"]>[2];
  /** The model that is asked; events do not name it. */
  readonly model: string;
  /** `gen_ai.provider.name`. Default: anthropic. */
  readonly provider?: string;
}

/**
 * Events as spans, after OpenTelemetry's conventions for generative AI (TE1): a turn is `invoke_agent`, a request `chat`, a tool `execute_tool`, a compaction
 * `compact`; everything else is an event on the turn's span. Times are the events' own. No content leaves: only names, figures and reasons. Never throws by itself.
 */
export function createOtelSink(options: OtelSinkOptions): (event: LoopEvent | CompactionEvent) => void {
  const { tracer, model, provider = "anthropic" } = options;
  const open = new Map<string, Span>();

  const start = (key: string, name: string, at: number, attributes: Attributes): void => {
    end(key, at, {}, "superseded");
    const turn = open.get("turn");
    const parent = turn === undefined ? undefined : options.under?.(turn);
    const span = tracer.startSpan(name, { startTime: at, attributes }, parent);
    open.set(key, span);
  };
  const end = (key: string, at: number, attributes: Attributes, failure: string | null = null): void => {
    const span = open.get(key);
    if (span === undefined) return;
    open.delete(key);
    span.setAttributes(failure === null ? attributes : { ...attributes, "error.type": failure });
    if (failure !== null) span.setStatus({ code: ERROR, message: failure });
    span.end(at);
  };
  const request = (event: { readonly querySource: string; readonly round: number; readonly attempt: number }): string =>
    `chat/${event.querySource}/${event.round}/${event.attempt}`;
  const base = (operation: string): Attributes => ({
    "gen_ai.operation.name": operation,
    "gen_ai.provider.name": provider,
  });

  return (event) => {
    const { at, kind } = event;
    switch (kind) {
      case "turn_started":
        start("turn", "invoke_agent longhaul", at, {
          ...base("invoke_agent"),
          "gen_ai.agent.name": "longhaul",
          "longhaul.turn": event.turn,
        });
        return;
      case "turn_ended":
        end(
          "turn",
          at,
          { "longhaul.rounds": event.rounds, "longhaul.outcome": event.outcome },
          event.error?.class ?? null,
        );
        return;
      case "request_sent":
        start(request(event), `chat ${model}`, at, {
          ...base("chat"),
          "gen_ai.request.model": model,
          "longhaul.source": event.querySource,
          "longhaul.round": event.round,
          "longhaul.attempt": event.attempt,
          "longhaul.estimated_input_tokens": event.estimate,
        });
        return;
      case "response_received":
        end(request(event), at, {
          "gen_ai.response.id": event.messageId,
          "gen_ai.response.finish_reasons": [event.stopReason ?? "none"],
          "gen_ai.usage.input_tokens": event.usage?.input_tokens ?? 0,
          "gen_ai.usage.output_tokens": event.usage?.output_tokens ?? 0,
          "gen_ai.usage.cache_read.input_tokens": event.usage?.cache_read_input_tokens ?? 0,
          "gen_ai.usage.cache_creation.input_tokens": event.usage?.cache_creation_input_tokens ?? 0,
        });
        return;
      case "request_failed":
        end(request(event), at, { "longhaul.retry_in_ms": event.retryInMs ?? -1 }, event.error.class);
        return;
      case "tool_started":
        start(`tool/${event.toolUseId}`, `execute_tool ${event.name}`, at, {
          ...base("execute_tool"),
          "gen_ai.tool.name": event.name,
          "gen_ai.tool.call.id": event.toolUseId,
        });
        return;
      case "tool_finished":
        end(
          `tool/${event.toolUseId}`,
          at,
          { "longhaul.output_chars": event.chars },
          event.isError ? "tool_error" : null,
        );
        return;
      case "compact_started":
        start("compact", `compact ${event.layer}`, at, {
          "longhaul.layer": event.layer,
          "longhaul.trigger": event.trigger,
          "longhaul.tokens_before": event.tokensBefore,
        });
        return;
      case "compact_succeeded":
        end("compact", at, { "longhaul.tokens_after": event.tokensAfter, "longhaul.attempts": event.attempts });
        return;
      case "compact_failed":
        end("compact", at, { "longhaul.attempts": event.attempts }, event.reason);
        return;
      case "compact_aborted":
        end("compact", at, {}, "aborted");
        return;
      default:
        open.get("turn")?.addEvent(`longhaul.${kind}`, plainAttributes(event), at);
    }
  };
}

/** SpanStatusCode.ERROR: the only value that is needed of the package, which stays optional so. */
const ERROR = 2;

/** What an attribute can hold; the rest of an event stays in the record. */
function plainAttributes(event: LoopEvent | CompactionEvent): Attributes {
  const attributes: Attributes = {};
  for (const [name, value] of Object.entries(event)) {
    if (name === "kind" || name === "at") continue;
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
      attributes[`longhaul.${name}`] = value;
    }
  }
  return attributes;
}
