import type {
  CompactionConfig,
  CompactionContext,
  CompactionFact,
  CompactionOutcome,
  CompactorPorts,
  CompactorState,
} from "../../compaction/index.ts";
import { createCompactor, defaultConfig, effectiveWindow } from "../../compaction/index.ts";
import { roughEstimator } from "../../tokens/index.ts";
import type { StagedCollapse } from "./collapse.ts";
import { collapseConfig, createCollapse } from "./collapse.ts";
import { editsOfBeforeRequest, editsOfPlan, statusOf } from "./plan-edits.ts";
import type { Answer, Strategy, StrategyPorts, StrategySession, View } from "./port.ts";
import { nothing } from "./port.ts";

/** What the compactor can use of the world beyond what every strategy gets. */
export interface FourLayerOptions {
  readonly config?: CompactionConfig;
  readonly name?: string;
  /** No person is waiting (FC8). */
  readonly autonomous?: boolean;
  readonly world?: Partial<Omit<CompactorPorts, "ask" | "clock" | "ids" | "emit">>;
}

/** The four-layer system behind the port (ST5): microcompact, auto-compact, session memory and full compact, as edits. */
export function fourLayer(options: FourLayerOptions = {}): Strategy {
  return { name: options.name ?? "four-layer", live: true, start: (ports) => startSession(options, ports) };
}

/** What survives a resume. */
interface Saved {
  readonly compactor: CompactorState;
  readonly staged: readonly StagedCollapse[];
}

function startSession(options: FourLayerOptions, ports: StrategyPorts): StrategySession {
  let now = { turn: 0, round: 0 };
  const config = collapseConfig(options.config ?? defaultConfig);
  const emit = (fact: CompactionFact): void =>
    ports.emit({ ...fact, ...now, at: ports.clock.now(), querySource: "main" });
  const saved = ports.state.get() as Saved | null;
  const compactor = createCompactor(config, {
    estimator: roughEstimator,
    ...options.world,
    ask: ports.ask,
    clock: ports.clock,
    ids: ports,
    emit,
  });
  if (saved !== null) compactor.restore(saved.compactor);
  const collapse = config.auto.mode === "collapse" ? createCollapse(ports, emit, saved?.staged) : null;

  /** Every moment: what the compactor may know, and its state saved afterwards. */
  const asked = async <T>(view: View, ask: (context: CompactionContext) => T | Promise<T>): Promise<T> => {
    const { model, overhead, turn, round, limits, pending, signal } = view;
    now = { turn, round };
    const answer = await ask({
      model,
      overheadTokens: overhead.system + overhead.tools,
      querySource: "main",
      turn,
      round,
      requestMaxTokens: limits.requestMaxTokens,
      autonomous: options.autonomous ?? false,
      pending,
      signal,
    });
    ports.state.set({ compactor: compactor.state(), staged: collapse?.staged() ?? [] } satisfies Saved);
    return answer;
  };

  return {
    beforeRequest: async (view) => {
      const { before, edits } = await asked(view, async (context) => {
        const before = await compactor.beforeRequest(view.projection, context);
        const edits = editsOfBeforeRequest(before, view);
        if (collapse === null || edits.length > 0) return { before, edits };
        return { before, edits: await collapse.before(view, before.tokens, effectiveWindow(view.model, config)) };
      });
      const next: Answer["next"] = before.kind === "blocked" ? { kind: "stop", reason: before.text } : { kind: "send" };
      const status: Answer["status"] =
        before.outcome === null && edits.length > 0 ? { kind: "done" } : statusOf(before.outcome);
      return { status, edits, next };
    },
    afterResponse: async (view) => {
      await asked(view, (context) => compactor.afterResponse(view.projection, context));
      return nothing;
    },
    onRejected: async (view, error) => {
      const drained = await asked(view, () => collapse?.drain(view) ?? []);
      if (drained.length > 0) return { status: { kind: "done" }, edits: drained, next: { kind: "retry" } };
      const outcome = await asked(view, (context) => compactor.onTooLong(view.projection, error, context));
      return answerTo(outcome, view, "retry");
    },
    onCommand: async (view, focus) => {
      const outcome = await asked(view, (context) => compactor.compact(view.projection, focus, context));
      return answerTo(outcome, view, "send");
    },
  };
}

function answerTo(outcome: CompactionOutcome, { projection }: View, next: "send" | "retry"): Answer {
  const edits = outcome.kind === "compacted" ? editsOfPlan(outcome.plan, projection) : [];
  return { status: statusOf(outcome), edits, next: { kind: next } };
}
