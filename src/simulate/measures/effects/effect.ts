import type { RunRecord } from "../../record.ts";
import { runSession } from "../../run-session.ts";
import type { RunSpec } from "../../run-spec.ts";

/** One published effect beside what comes out here. The sign or order must hold; the size is printed with its miss (issue 6). */
export interface Effect {
  readonly says: string;
  /** Where it was published, or derived. */
  readonly source: string;
  readonly holds: boolean;
  readonly figures: readonly EffectFigure[];
}

export interface EffectFigure {
  readonly name: string;
  readonly unit: "%" | "$" | "s" | "tokens";
  /** Null: only the sign or the order was published. */
  readonly published: number | null;
  readonly measured: number;
}

export interface EffectOptions {
  readonly seed: string;
  /** Length of the sessions that are played. */
  readonly rounds: number;
}

/** A session on a window of 200K without faults, in which only what is given differs. */
export function play(
  session: RunSpec["session"],
  strategy: RunSpec["strategy"],
  { seed, window = null }: { readonly seed: string; readonly window?: RunSpec["model"]["window"] },
): Promise<RunRecord> {
  return runSession({
    scenario: `effect-${session.profile}`,
    seed,
    session,
    model: { id: "claude-sonnet-4-5", fallback: null, provider: "anthropic", window, trueWindow: null },
    strategy,
    faults: [],
    toolFaults: [],
    user: [],
    transport: "direct",
  });
}

/** All values of a metric together. */
export function total({ footer }: RunRecord, metric: string): number {
  return footer.metrics.reduce((sum, { name, value }) => (name === metric ? sum + value : sum), 0);
}
