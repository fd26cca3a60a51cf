import { assertNever } from "../assert-never.ts";
import type { EventOf, RunEvent } from "../events.ts";
import { count, dollars, duration, percent, tokensShort } from "../figures-of-speech.ts";
import type { Html } from "../html.ts";
import { html } from "../html.ts";
import type { FactKinds } from "./fact-list.ts";
import { factList } from "./fact-list.ts";
import { purposeOf, words } from "./names.ts";

/** How an event is set off: what a layer did, what was injected, what went wrong; the rest is routine. */
export type Weight = "routine" | "layer" | "fault" | "alarm";

export interface EventLine {
  readonly weight: Weight;
  readonly text: Html;
}

/** One event in words; null for what another line says already. Facts are named by kind where `kinds` is given, for long runs only counted. */
export function eventLine(event: RunEvent, kinds: FactKinds | null): EventLine | null {
  const line = (weight: Weight, text: Html): EventLine => ({ weight, text });
  switch (event.kind) {
    case "turn_started":
    case "tool_started":
    case "fact_born":
    case "step_done":
    case "sm_extraction_started":
    case "compact_started":
      return null;
    case "user_said":
      return line(
        "routine",
        html`<b>User</b> writes ${count(event.chars, "character")}${event.goal !== null && html`, goal <code>${event.goal}</code>`}`,
      );
    case "user_waited":
      return line("routine", html`<b>User</b> away for ${duration(event.ms)}`);
    case "request_sent":
      return line(
        "routine",
        html`<b>Request${purpose(event.querySource)}</b> ${event.attempt > 1 && `attempt ${event.attempt}, `}${count(event.messages, "message")}, estimate ${tokensShort(event.estimate)} tokens`,
      );
    case "served": {
      const { read, write, uncached, output } = event.billed;
      const input = read + write + uncached;
      return line(
        "routine",
        html`<b>Answer${purpose(event.querySource)}</b> ${tokensShort(event.trueTokens)} tokens in (${input === 0 ? "none" : percent(read / input)} from cache), ${tokensShort(output)} out, ${dollars(event.dollars)}, ${words(event.stopReason ?? "no stop reason")}`,
      );
    }
    case "response_received":
      return event.querySource === "main"
        ? line("routine", html`<b>Received</b> after ${duration(event.durationMs)}`)
        : null;
    case "tool_finished":
      return line(
        event.isError ? "fault" : "routine",
        html`<b>${event.name}</b> ${event.isError ? "failed, " : ""}${tokensShort(event.chars)} characters in ${duration(event.durationMs)}`,
      );
    case "autocompact_check":
      return event.decision === "below"
        ? null
        : line(
            "layer",
            html`<b>Check</b> ${tokensShort(event.tokens)} of ${tokensShort(event.threshold)} tokens: ${words(event.decision)}`,
          );
    case "edits_applied":
      return line(
        "routine",
        html`<b>Edits</b> ${counts(event.edits)}: ${tokensShort(event.tokensBefore)} → ${tokensShort(event.tokensAfter)} tokens`,
      );
    case "microcompact":
      return line(
        "layer",
        html`<b>Microcompact</b> (${event.path}) cleared ${count(event.cleared.length, "tool result")}, ${tokensShort(event.tokensFreed)} tokens`,
      );
    case "cache_edits_pinned":
      return line("layer", html`<b>Cache edits</b> pinned for ${count(event.toolUseIds.length, "tool result")}`);
    case "compact_succeeded":
      return line(
        "layer",
        html`<b>${layer(event.layer)}</b> (${event.trigger}) in ${duration(event.durationMs)}: ${tokensShort(event.tokensBefore)} → ${tokensShort(event.tokensAfter)} tokens, ${count(event.messagesSummarized, "message")} summarised, ${event.messagesKept} kept${event.willRetriggerNextTurn && ", will trigger again at once"}${shrink(event.tokensBefore, event.tokensAfter)}`,
      );
    case "compact_failed":
      return line(
        "alarm",
        html`<b>${layer(event.layer)} failed</b> (${event.trigger}): ${event.reason}, after ${duration(event.durationMs)}`,
      );
    case "compact_aborted":
      return line("alarm", html`<b>${layer(event.layer)} aborted</b> (${event.trigger})`);
    case "compact_ptl_retry":
      return line(
        "layer",
        html`<b>Summary request too long</b>: attempt ${event.attempt} without ${count(event.droppedMessages, "message")}, ${tokensShort(event.droppedTokens)} tokens${event.gap !== null && ` (${tokensShort(event.gap)} too many)`}`,
      );
    case "compact_fallback_streaming":
      return line(
        "layer",
        html`<b>Summary asked for again</b> by another way, attempt ${event.attempt}: ${event.reason}`,
      );
    case "index_adjusted":
      return line(
        "layer",
        html`<b>Cut moved</b> from message ${event.from} to ${event.to}, so that no ${words(event.why)} is split`,
      );
    case "sm_extraction_finished":
      return line("layer", html`<b>Session notes</b> ${event.outcome} after ${duration(event.durationMs)}`);
    case "sm_compact_skipped":
      return line("layer", html`<b>Session-memory compact skipped</b>: ${event.reason}`);
    case "collapse_staged":
      return line(
        "layer",
        html`<b>Collapse</b> staged ${count(event.spans, "span")}, ${tokensShort(event.tokens)} tokens`,
      );
    case "collapse_committed":
      return line(
        "layer",
        html`<b>Collapse</b> of ${count(event.spans, "span")} freed ${tokensShort(event.tokensFreed)} tokens`,
      );
    case "collapse_drained":
      return line("layer", html`<b>Collapse</b> drained ${count(event.spans, "span")}`);
    case "breaker_opened":
      return line("alarm", html`<b>Breaker opened</b> after ${count(event.failures, "failure")}: ${event.lastReason}`);
    case "breaker_closed":
      return line("layer", html`<b>Breaker closed</b> by ${event.by}`);
    case "recovery_step":
      return line(
        event.outcome === "failed" ? "alarm" : "layer",
        html`<b>Recovery: ${words(event.step)}</b> ${event.outcome}${event.detail !== "" && `: ${event.detail}`}`,
      );
    case "rounds_dropped":
      return line(
        "alarm",
        html`<b>Dropped</b> ${count(event.messages, "message")}, ${tokensShort(event.tokens)} tokens, without a summary: ${event.why}`,
      );
    case "pairing_repaired":
      return line("layer", html`<b>Tool pairs repaired</b>: ${counts(event.repairs)}`);
    case "thinking_dropped":
      return line("layer", html`<b>Thinking dropped</b>: ${count(event.blocks, "block")}, ${words(event.why)}`);
    case "blocked":
      return line(
        "alarm",
        html`<b>Blocked</b>: ${tokensShort(event.tokens)} tokens are over the limit of ${tokensShort(event.limit)}`,
      );
    case "notice":
      return line("layer", html`<b>Notice</b> <code>${event.code}</code> ${event.text}`);
    case "request_failed":
      return line(
        "fault",
        html`<b>Request failed${purpose(event.querySource)}</b> (${event.error.class}): ${event.error.text}; ${event.retryInMs === null ? "not sent again" : `again in ${duration(event.retryInMs)}`}`,
      );
    case "contract_broken":
      return line("alarm", html`<b>Strategy broke its contract</b>: ${event.what}`);
    case "user_aborted":
      return line("routine", html`<b>User</b> aborted`);
    case "turn_ended":
      return line(
        event.outcome === "completed" ? "routine" : "alarm",
        html`<b>Turn ${event.outcome}</b> after ${count(event.rounds, "round")}${event.error !== null && `: ${event.error.text}`}`,
      );
    case "refused":
      return line(
        "fault",
        html`<b>Refused${purpose(event.querySource)}</b> with ${event.status} ${event.errorType}: ${event.text}${event.injected ? " (injected)" : ""}`,
      );
    case "fault_injected":
      return line("fault", html`<b>Fault injected</b>: ${words(event.faultKind)} <code>${event.fault}</code>`);
    case "client_sin":
      return line("alarm", html`<b>Client misbehaved</b>: ${event.sin}, ${event.detail}`);
    case "fact_needed":
      return event.found === "visible"
        ? null
        : line("alarm", html`<b>Needed</b> ${words(event.factKind)} <code>${event.fact}</code>: ${event.found}`);
    case "violation":
      return line("alarm", html`<b>Violation</b>: went on without ${words(event.factKind)} <code>${event.fact}</code>`);
    case "refetch":
      return line(
        "alarm",
        html`<b>Read again</b>: ${event.path}, for ${words(event.factKind)} <code>${event.fact}</code>`,
      );
    case "duplicate_work":
      return line("alarm", html`<b>Done again</b>: step <code>${event.step}</code>`);
    case "lost_goal":
      return line("alarm", html`<b>Goal lost</b>: asked the user what to do`);
    case "stale_value":
      return line("alarm", html`<b>Outdated value used</b>: ${words(event.factKind)} <code>${event.fact}</code>`);
    case "goal_done":
      return line("routine", html`<b>Goal done</b>: <code>${event.goal}</code>`);
    case "summary_written":
      return line("layer", summaryText(event, kinds));
    case "fact_census":
      return line(
        "layer",
        html`<b>Facts gone now</b>: ${event.lost.length === 0 ? "none" : html`${event.lost.length}${kinds !== null && factList("Lost", event.lost, kinds)}`}`,
      );
    case "invariant_broken":
      return line("alarm", html`<b>Invariant broken</b>: ${event.invariant}, ${event.detail}`);
    case "run_ended":
      return line(
        event.how === "completed" ? "routine" : "alarm",
        html`<b>Run ${event.how}</b>${event.detail !== "" && `: ${event.detail}`}`,
      );
    default:
      return assertNever(event);
  }
}

function purpose(source: string): string {
  return source === "main" ? "" : ` for ${purposeOf(source).toLowerCase()}`;
}

function layer(name: "full" | "session-memory"): string {
  return name === "full" ? "Full compact" : "Session-memory compact";
}

function counts(amounts: Readonly<Record<string, number>>): string {
  return Object.entries(amounts)
    .map(([name, times]) => `${times} × ${words(name)}`)
    .join(", ");
}

/** A bar as long as before, filled as far as after. */
function shrink(before: number, after: number): Html {
  const share = before === 0 ? 100 : Math.round((after / before) * 100);
  return html`<span class="shrink" role="img" aria-label="${share} % of the tokens are left"><i style="width:${Math.min(share, 100)}%"></i></span>`;
}

function summaryText(
  { by, shown, kept, blurred, invented }: EventOf<"summary_written">,
  kinds: FactKinds | null,
): Html {
  const keptIds = new Set(kept);
  const lost = shown.filter((fact) => !keptIds.has(fact));
  const name = by === "summariser" ? "Summary written" : "Notes written";
  const extra = [blurred.length > 0 && `${blurred.length} blurred`, invented > 0 && `${invented} invented`].filter(
    (part) => part !== false,
  );
  return html`<b>${name}</b>: ${kept.length} of ${shown.length} facts kept${extra.length > 0 && `, ${extra.join(", ")}`}${kinds !== null && [factList("Lost", lost, kinds), factList("Kept", kept, kinds)]}`;
}
