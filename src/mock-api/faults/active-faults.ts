import type { Fault, FaultKind } from "../fault.ts";
import type { RequestContext } from "../request-context.ts";
import type { FaultPhase } from "./phase.ts";
import { phaseOf } from "./phase.ts";

/** What a fault may match on, beside who the request is. */
export interface FaultScene {
  readonly context: RequestContext;
  readonly trueTokens: number;
  readonly streamed: boolean;
  /** Asks for a summary: only there can a summary be bad. */
  readonly isCompaction: boolean;
}

/** The faults of a run, with how often each has struck. */
export interface ActiveFaults {
  /** The first fault of that phase that strikes here; it counts as injected, and `report` is told. */
  strike(phase: FaultPhase, scene: FaultScene): Fault | undefined;
}

export function createActiveFaults(
  faults: readonly Fault[],
  report: (fault: Fault, context: RequestContext) => void,
): ActiveFaults {
  const struck = new Map<string, number>();
  return {
    strike: (phase, scene) => {
      for (const fault of faults) {
        if (phaseOf(fault) !== phase) continue;
        const before = struck.get(fault.id) ?? 0;
        if (before >= bound(fault) || !matches(fault, scene)) continue;
        struck.set(fault.id, before + 1);
        report(fault, scene.context);
        return fault;
      }
      return undefined;
    },
  };
}

function bound(fault: Fault): number {
  return fault.times ?? (fault.match.probability === undefined ? 1 : Number.POSITIVE_INFINITY);
}

/** F1. A probability is drawn from the request's own stream under the fault's id: no fault moves another's draws. */
function matches(
  { id, kind, match, with: settings }: Fault,
  { context, trueTokens, streamed, isCompaction }: FaultScene,
): boolean {
  const { key } = context;
  if (!canShow(kind, streamed, isCompaction)) return false;
  if (match.source !== undefined && match.source !== key.source) return false;
  if (match.nth !== undefined && match.nth !== (match.source === undefined ? context.nth : context.nthOfSource))
    return false;
  if (match.turn !== undefined && match.turn !== key.turn) return false;
  if (match.round?.from !== undefined && key.round < match.round.from) return false;
  if (match.round?.to !== undefined && key.round > match.round.to) return false;
  if (match.contextAboveTokens !== undefined && trueTokens <= match.contextAboveTokens) return false;
  if (kind === "connection-reset" && settings?.when === "after-headers" && !streamed) return false;
  return match.probability === undefined || context.rng.fork("fault", id).chance(match.probability);
}

const needsStream: readonly FaultKind[] = [
  "stream-cut",
  "stream-error-event",
  "stream-stall",
  "malformed-sse",
  "interleaved-blocks",
  "duplicate-message-start",
];

function canShow(kind: FaultKind, streamed: boolean, isCompaction: boolean): boolean {
  if (needsStream.includes(kind)) return streamed;
  if (kind === "malformed-json-body") return !streamed;
  return phaseOf({ kind }) !== "summary" || isCompaction;
}
