import type { RunEvent } from "../simulate/index.ts";
import { factKinds } from "../workload/index.ts";

type Kind = RunEvent["kind"];
type EventOf<K extends Kind> = Extract<RunEvent, { kind: K }>;
type Word<T> = Exclude<T, null>;
/** A field of a few words has a list of them; any other is `any`. */
type Values<T> = [T] extends [string | null] ? (string extends T ? "any" : Words<Word<T>>) : "any";
type Words<T> = readonly (T & string)[];
type FieldTable = { readonly [K in Kind]: { readonly [F in keyof EventOf<K>]?: Values<EventOf<K>[F]> } };

const layer = ["full", "session-memory"] as const;
const trigger = ["auto", "manual", "reactive"] as const;
const factKind = factKinds;

/** The fields by which an expectation may pick an event out, besides where and when, and the words that they can hold. The compiler refuses a name that the events do not have. */
const own: FieldTable = {
  microcompact: { path: ["time", "cached"] },
  cache_edits_pinned: {},
  autocompact_check: {
    decision: [
      "compact",
      "below",
      "source",
      "disabled",
      "reactive-only",
      "collapse-mode",
      "breaker-open",
      "irreducible",
    ],
  },
  compact_started: { trigger, layer },
  compact_succeeded: { trigger, layer, attempts: "any", willRetriggerNextTurn: "any", messagesKept: "any" },
  compact_failed: { trigger, layer, reason: "any", attempts: "any" },
  compact_aborted: { trigger, layer },
  compact_ptl_retry: { attempt: "any", gap: "any" },
  compact_fallback_streaming: { reason: "any", attempt: "any" },
  index_adjusted: { why: ["tool-pair", "message-id", "both"] },
  sm_extraction_started: {},
  sm_extraction_finished: { outcome: ["updated", "failed", "aborted"] },
  sm_compact_skipped: { reason: "any" },
  collapse_staged: {},
  collapse_committed: {},
  collapse_drained: {},
  breaker_opened: { failures: "any", lastReason: "any" },
  breaker_closed: { by: ["manual", "auto", "half-open"] },
  recovery_step: {
    step: ["collapse-drain", "reactive-compact", "raise-output-cap", "continuation", "model-fallback"],
    outcome: ["done", "failed", "skipped"],
  },
  rounds_dropped: { why: "any" },
  pairing_repaired: {},
  thinking_dropped: { why: ["rebound", "other-model", "unsigned"] },
  blocked: {},
  notice: { code: "any" },
  turn_started: {},
  request_sent: { attempt: "any" },
  response_received: { attempt: "any", stopReason: "any" },
  request_failed: { attempt: "any", retryInMs: "any" },
  tool_started: { name: "any" },
  tool_finished: { name: "any", isError: "any", chars: "any" },
  edits_applied: { moment: "any" },
  contract_broken: { what: "any" },
  user_aborted: {},
  turn_ended: { outcome: ["completed", "failed", "aborted", "blocked"] },
  served: { status: "any", stopReason: "any" },
  refused: { status: "any", errorType: "any", injected: "any" },
  fault_injected: { fault: "any", faultKind: "any" },
  client_sin: { sin: "any" },
  fact_needed: { factKind, found: ["visible", "missing", "stale", "blurred"] },
  violation: { factKind },
  refetch: { factKind },
  duplicate_work: {},
  lost_goal: {},
  stale_value: { factKind },
  step_done: { goal: "any" },
  goal_done: { goal: "any" },
  summary_written: { by: ["summariser", "note-taker"] },
  user_said: {},
  user_waited: { ms: "any" },
  fact_born: { factKind, fetchable: "any" },
  fact_census: {},
  invariant_broken: { invariant: "any" },
  run_ended: { how: ["completed", "stuck", "failed"] },
};

/** Where and when: every event has these. */
const common = {
  turn: "any",
  round: "any",
  querySource: ["main", "compact", "session_memory", "context_collapse", "subagent"],
} as const;

/** Field → the words that it can hold, or `any`. Empty for a kind that does not exist. */
export function eventFields(kind: string): Readonly<Record<string, readonly string[] | "any">> {
  const fields = (own as Readonly<Record<string, object>>)[kind];
  return fields === undefined ? {} : { ...fields, ...common };
}
