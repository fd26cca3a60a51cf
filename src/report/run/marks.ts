import type { Lane, Mark } from "../charts/event-lanes.ts";
import type { RunEvent } from "../events.ts";
import { duration, tokensShort } from "../figures-of-speech.ts";
import { words } from "./names.ts";

const lanes = [
  { name: "Microcompact", color: "var(--c-results)" },
  { name: "Session-memory compact", color: "var(--c-summaries)" },
  { name: "Full compact", color: "var(--c-assistant)" },
  { name: "Reactive compact", color: "var(--c-attachments)" },
  { name: "Collapse and head drop", color: "var(--c-system)" },
  { name: "Fault injected", color: "var(--c-fault)" },
  { name: "Retry or failed request", color: "var(--c-attachments)" },
  { name: "Recovery step", color: "var(--c-user)" },
  { name: "Circuit breaker", color: "var(--c-alarm)" },
  { name: "Forgotten and missed", color: "var(--c-alarm)" },
  { name: "Invariant broken", color: "var(--c-alarm)" },
] as const satisfies readonly Lane[];
type LaneName = (typeof lanes)[number]["name"];

/** What happened at which round, and the lanes in which something did. */
export function marksOf(events: readonly RunEvent[]): {
  readonly lanes: readonly Lane[];
  readonly marks: readonly Mark[];
} {
  const marks = events.flatMap((event): Mark[] => {
    const found = markOf(event);
    if (found === null) return [];
    const [lane, shape, what] = found;
    return [{ lane, shape, what, round: event.round, turn: event.turn }];
  });
  const used = new Set(marks.map((mark) => mark.lane));
  return { marks, lanes: lanes.filter((lane) => used.has(lane.name)) };
}

function markOf(event: RunEvent): [LaneName, Mark["shape"], string] | null {
  switch (event.kind) {
    case "microcompact":
      return [
        "Microcompact",
        "acted",
        `${event.path}: ${event.cleared.length} results, ${tokensShort(event.tokensFreed)} tokens`,
      ];
    case "compact_succeeded":
      return [laneOf(event), "acted", `${tokensShort(event.tokensBefore)} → ${tokensShort(event.tokensAfter)} tokens`];
    case "compact_failed":
      return [laneOf(event), "failed", `failed: ${event.reason}`];
    case "compact_aborted":
      return [laneOf(event), "failed", "aborted"];
    case "collapse_committed":
      return [
        "Collapse and head drop",
        "acted",
        `collapsed ${event.spans} spans, ${tokensShort(event.tokensFreed)} tokens`,
      ];
    case "rounds_dropped":
      return [
        "Collapse and head drop",
        "failed",
        `dropped ${event.messages} messages, ${tokensShort(event.tokens)} tokens`,
      ];
    case "fault_injected":
      return ["Fault injected", "acted", words(event.faultKind)];
    case "request_failed": {
      const again = event.retryInMs === null ? "not sent again" : `again in ${duration(event.retryInMs)}`;
      return [
        "Retry or failed request",
        event.retryInMs === null ? "failed" : "acted",
        `${event.error.class}, ${again}`,
      ];
    }
    case "recovery_step":
      return [
        "Recovery step",
        event.outcome === "failed" ? "failed" : "acted",
        `${words(event.step)}: ${event.outcome}`,
      ];
    case "breaker_opened":
      return ["Circuit breaker", "failed", `opened after ${event.failures} failures`];
    case "breaker_closed":
      return ["Circuit breaker", "acted", `closed by ${event.by}`];
    case "violation":
      return ["Forgotten and missed", "failed", `went wrong without ${words(event.factKind)} ${event.fact}`];
    case "stale_value":
      return ["Forgotten and missed", "failed", `used an outdated ${words(event.factKind)}`];
    case "lost_goal":
      return ["Forgotten and missed", "failed", "asked the user what to do"];
    case "duplicate_work":
      return ["Forgotten and missed", "acted", `did ${event.step} again`];
    case "refetch":
      return ["Forgotten and missed", "acted", `read ${event.path} again`];
    case "invariant_broken":
      return ["Invariant broken", "failed", `${event.invariant}: ${event.detail}`];
    default:
      return null;
  }
}

function laneOf({ trigger, layer }: { readonly trigger: string; readonly layer: "full" | "session-memory" }): LaneName {
  if (trigger === "reactive") return "Reactive compact";
  return layer === "full" ? "Full compact" : "Session-memory compact";
}
