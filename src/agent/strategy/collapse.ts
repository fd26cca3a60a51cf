import type { CompactionConfig, CompactionFact } from "../../compaction/index.ts";
import { roughTokenCount, roughTokenSum } from "../../tokens/index.ts";
import type { Message } from "../../transcript/index.ts";
import type { CollapseSpan } from "./collapse-span.ts";
import { oldestSpan } from "./collapse-span.ts";
import type { BackgroundWork, Edit, StrategyPorts, View } from "./port.ts";
import { summaryInstruction, summaryOf } from "./summary-edit.ts";

/** A span with its summary, not yet in the span's place. Plain data: it survives a resume. */
export interface StagedCollapse {
  readonly uuids: readonly string[];
  readonly summary: string;
}

/**
 * Context collapse (RC7): from 85 % of the effective window summaries of old spans are made in the background, from 90 % they take their spans' place in the
 * projection, from 95 % the next request waits for one. The log keeps everything. Contract: never rejects; a failure leaves all as it was.
 */
export interface Collapse {
  /** Edits that commit what is due; none where nothing is. `tokens` is the size of the next request. */
  before(view: View, tokens: number, effectiveWindow: number): Promise<readonly Edit[]>;
  /** Step 1 of the recovery (RC2): commits whatever is staged. */
  drain(view: View): readonly Edit[];
  staged(): readonly StagedCollapse[];
}

const STAGE_PERCENT = 85;
const COMMIT_PERCENT = 90;
const BLOCK_PERCENT = 95;
/** How much one summary stands for, in percent of the effective window: commits then reach below the staging line. */
const SPAN_PERCENT = 20;
/** How long a request waits for a summary at 95 %. A compaction takes 5 to 30 s. */
const WAIT_MS = 60_000;
/** After so many failures in a row no more is staged until something else made room: the same reason as the breaker's (AC6). */
const MAX_FAILURES = 3;

export function createCollapse(
  ports: StrategyPorts,
  emit: (fact: CompactionFact) => void,
  saved: readonly StagedCollapse[] = [],
): Collapse {
  let staged = [...saved];
  let running: { readonly span: CollapseSpan; readonly work: BackgroundWork<string | null> } | null = null;
  let failures = 0;

  const collect = (): void => {
    if (running === null) return;
    const result = running.work.poll();
    if (result.kind === "running") return;
    const { span } = running;
    running = null;
    const summary = result.kind === "done" ? result.value : null;
    if (summary === null || roughTokenCount(summary) >= span.tokens) {
      failures++;
      return;
    }
    failures = 0;
    staged.push({ uuids: span.messages.map((message) => message.uuid), summary });
    emit({ kind: "collapse_staged", spans: 1, tokens: Math.ceil(span.tokens) });
  };

  const stage = (view: View, wantedTokens: number): void => {
    if (running !== null || failures >= MAX_FAILURES) return;
    const taken = new Set(staged.flatMap(({ uuids }) => uuids));
    // Summaries of summaries lose more, so they come last.
    const span =
      oldestSpan(view.projection, taken, wantedTokens, false) ?? oldestSpan(view.projection, taken, wantedTokens, true);
    if (span === null) return;
    running = { span, work: ports.background("collapse", () => summarise(ports, span, view)) };
  };

  const commit = (view: View): { readonly edits: readonly Edit[]; readonly tokensFreed: number } => {
    const edits: Edit[] = [];
    let tokensFreed = 0;
    for (const { uuids, summary } of staged) {
      const from = view.projection.findIndex((message) => message.uuid === uuids[0]);
      const there = view.projection.slice(from, from + uuids.length);
      // A compaction since may have taken the span away, or a part of it: then the summary is stale.
      if (from < 0 || there.some((message, i) => message.uuid !== uuids[i])) continue;
      const message = asMessage(summary, uuids.length, ports);
      tokensFreed += roughTokenSum(there) - roughTokenSum([message]);
      edits.push({ kind: "replace", from, to: from + uuids.length, messages: [message] });
    }
    staged = [];
    return { edits, tokensFreed: Math.floor(tokensFreed) };
  };

  return {
    before: async (view, tokens, effectiveWindow) => {
      collect();
      const percent = (tokens / effectiveWindow) * 100;
      if (percent < STAGE_PERCENT) {
        failures = 0;
        return [];
      }
      if (staged.length === 0) stage(view, (effectiveWindow * SPAN_PERCENT) / 100);
      if (percent >= BLOCK_PERCENT && staged.length === 0 && running !== null) {
        await running.work.wait(WAIT_MS);
        collect();
      }
      if (percent < COMMIT_PERCENT || staged.length === 0) return [];
      const spans = staged.length;
      const { edits, tokensFreed } = commit(view);
      if (edits.length > 0) emit({ kind: "collapse_committed", spans, tokensFreed });
      return edits;
    },
    drain: (view) => {
      collect();
      const { edits } = commit(view);
      if (edits.length > 0) emit({ kind: "collapse_drained", spans: edits.length });
      const outcome = edits.length > 0 ? "done" : "skipped";
      const detail = edits.length > 0 ? `${edits.length} spans` : "nothing is staged";
      emit({ kind: "recovery_step", step: "collapse-drain", outcome, detail });
      return edits;
    },
    staged: () => staged,
  };
}

/** Null where no usable summary came. */
async function summarise(ports: StrategyPorts, span: CollapseSpan, view: View): Promise<string | null> {
  const reply = await ports.ask({
    purpose: "context_collapse",
    messages: span.messages,
    instruct: summaryInstruction(""),
    system: {
      own: "You summarise a stretch of a longer conversation. You answer with text in the form that is asked for.",
    },
    tools: "none",
    thinking: "off",
    cacheEdits: "none",
    model: "main",
    maxOutput: Math.min(20_000, view.limits.maxOutput),
  });
  const summary = summaryOf(reply);
  return summary.kind === "summary" ? summary.text : null;
}

function asMessage(summary: string, messages: number, { uuid, clock }: StrategyPorts): Message {
  const text = `${messages} messages of this conversation stand here as a summary:\n\n${summary}`;
  return {
    kind: "user",
    uuid: uuid(),
    timestamp: clock.now(),
    content: [{ type: "text", text }],
    isCompactSummary: true,
  };
}

/** The config as collapse mode has it: what the cached path and the notes believe of the projection would be stale at every commit (RC7). The same object in other modes. */
export function collapseConfig(config: CompactionConfig): CompactionConfig {
  if (config.auto.mode !== "collapse") return config;
  return {
    ...config,
    micro: { ...config.micro, cached: { ...config.micro.cached, enabled: false } },
    sessionMemory: { ...config.sessionMemory, enabled: false },
  };
}
