import type { WireRequest } from "../transcript/index.ts";
import type { Answer, OutBlock } from "./answer/answer.ts";
import { shapeAnswer } from "./answer/shape-answer.ts";
import { positionsOf } from "./cache/positions.ts";
import type { CacheOutcome } from "./cache/prompt-cache.ts";
import { adoptCompaction } from "./context-management/adopt-compaction.ts";
import type { Compact } from "./context-management/config.ts";
import { compactTrigger } from "./context-management/config.ts";
import { isCompactionOnDemand } from "./context-management/on-demand.ts";
import type { ServerSummary } from "./context-management/summarise.ts";
import { summarise } from "./context-management/summarise.ts";
import type { RequestFacts } from "./facts/request-facts.ts";
import type { FaultScene } from "./faults/active-faults.ts";
import { bendSummary } from "./faults/bend-summary.ts";
import { digitsOf } from "./identity.ts";
import type { ModelContext } from "./ports.ts";
import type { Prepared } from "./prepare.ts";
import type { ServerState } from "./server-state.ts";
import { decodeMs, firstTokenMs } from "./stream/events-of.ts";
import { isThinkingOn } from "./validate/thinking-config.ts";

/** An answer with all that was spent on it. */
export interface Generated {
  readonly answer: Answer;
  /** Top-level figures: a compaction by the server is not in them. */
  readonly input: CacheOutcome;
  /** Every sampling pass, where there was a compaction among them (`usage.iterations`). */
  readonly iterations: readonly Iteration[];
  /** Milliseconds until the first token. */
  readonly startMs: number;
}

export interface Iteration {
  readonly type: "message" | "compaction";
  readonly input: CacheOutcome;
  readonly outputTokens: number;
}

/** Answers a request that was let in: the cache is read and written, the model is asked, the server compacts where it was told to. */
export function generate(prepared: Prepared, scene: FaultScene, window: number, state: ServerState): Generated {
  const { facts, positions, compact } = prepared;
  if (isCompactionOnDemand(facts.body)) return compactOnDemand(prepared, scene, state);
  const trigger = compact?.trigger?.value ?? compactTrigger;
  if (compact !== undefined && positions.total > trigger)
    return compactThenAnswer(compact, prepared, scene, window, state);
  const { input, answer, startMs } = answerOnce(facts, prepared, scene, window, state);
  return { input, answer, iterations: [], startMs };
}

type Pass = Pick<Generated, "answer" | "input" | "startMs">;

function answerOnce(
  facts: RequestFacts,
  { positions }: Pick<Prepared, "positions">,
  scene: FaultScene,
  window: number,
  state: ServerState,
): Pass {
  const { rng } = scene.context;
  const { body, model } = facts;
  const { input, startMs } = readCache(facts, { positions }, state);
  if (body.max_tokens === 0) return { input, startMs, answer: { ...silence, stopReason: "max_tokens" } };
  let said = state.options.model(state.viewer.view(facts), modelContext(scene, state));
  const fault = state.faults.strike("summary", scene);
  if (fault !== undefined) said = bendSummary(fault, said, body, positions.total * charsPerToken);
  const limits = {
    maxTokens: body.max_tokens,
    roomInWindow: Math.max(0, window - positions.total),
    thinkingOn: isThinkingOn(body.thinking, model),
    tokenizer: facts.tokenizer,
  };
  return { input, startMs, answer: shapeAnswer(said, body, limits, state.texts, rng.fork("answer")) };
}

/** Rough, to size an oversized summary. */
const charsPerToken = 4;

const silence: Answer = {
  blocks: [],
  stopReason: "end_turn",
  stopSequence: null,
  outputTokens: 0,
  thinkingTokens: 0,
  trace: [],
};
const nothingPaid: CacheOutcome = { read: 0, write5m: 0, write1h: 0, uncached: 0 };

function readCache(
  facts: RequestFacts,
  { positions }: Pick<Prepared, "positions">,
  { cache, options }: ServerState,
): Pick<Generated, "input" | "startMs"> {
  const now = options.now();
  const minTokens = facts.model.minCacheableTokens ?? leastCacheable;
  const input = cache.lookUp(positions, minTokens, now);
  const startMs = firstTokenMs(positions.total - input.read, input.read);
  cache.commit(positions, minTokens, now, now + startMs);
  return { input, startMs };
}

/** Tokens: where no minimum is published for a model. */
const leastCacheable = 1_024;

function modelContext({ context }: FaultScene, { options }: ServerState): ModelContext {
  return { source: context.key.source, rng: context.rng.fork("model"), nowMs: options.now(), round: context.key.round };
}

interface SummaryPass {
  readonly made: ServerSummary;
  readonly iteration: Iteration;
  readonly ms: number;
}

function summaryPass(
  prepared: Prepared,
  instructions: string | null | undefined,
  scene: FaultScene,
  state: ServerState,
): SummaryPass {
  const { facts } = prepared;
  const { input, startMs } = readCache(facts, prepared, state);
  const made = summarise(state.viewer.view(facts), instructions, state.options.model, modelContext(scene, state));
  const prompt = state.reader.read(made.request, facts.model).last.tokens - facts.last.tokens;
  const outputTokens = Math.max(1, state.texts.of(made.written).tokens[facts.tokenizer]);
  const iteration: Iteration = {
    type: "compaction",
    input: { ...input, uncached: input.uncached + Math.max(0, prompt) },
    outputTokens,
  };
  return { made, iteration, ms: startMs + decodeMs(outputTokens) };
}

/** K4, `compaction: {type: "summarize"}`: one signed block, nothing at the top level of usage. A failure is an answer without content. */
function compactOnDemand(prepared: Prepared, scene: FaultScene, state: ServerState): Generated {
  const { body } = prepared.facts;
  const { instructions } = body.compaction as { readonly instructions?: string | null };
  const { made, iteration, ms } = summaryPass(prepared, instructions, scene, state);
  const content = iteration.outputTokens > body.max_tokens ? null : made.summary;
  const blocks: OutBlock[] = [];
  if (content !== null) {
    const signature = `Ec${digitsOf(scene.context.rng, "compaction", 60)}==`;
    state.compactions.add(signature, content);
    blocks.push({ kind: "compaction", content, signature, whole: true, tokens: 0 });
  }
  const answer: Answer = { ...silence, blocks, stopReason: "compaction", trace: made.trace };
  return { answer, input: nothingPaid, iterations: [iteration], startMs: ms };
}

/** K4, `compact_20260112`: the summary goes before the answer, or, where a pause is asked for, alone. */
function compactThenAnswer(
  compact: Compact,
  prepared: Prepared,
  scene: FaultScene,
  window: number,
  state: ServerState,
): Generated {
  const { facts } = prepared;
  const { made, iteration, ms } = summaryPass(prepared, compact.instructions, scene, state);
  const block: OutBlock = { kind: "compaction", content: made.summary, signature: null, whole: false, tokens: 0 };
  if (compact.pause_after_compaction === true && made.summary !== null) {
    const answer: Answer = { ...silence, blocks: [block], stopReason: "compaction", trace: made.trace };
    return { answer, input: nothingPaid, iterations: [iteration], startMs: ms };
  }
  const body: WireRequest = adoptCompaction({
    ...facts.body,
    messages: [...facts.body.messages, { role: "assistant", content: [{ type: "compaction", content: made.summary }] }],
  });
  const after = made.summary === null ? facts : state.reader.read(body, facts.model);
  const pass = answerOnce(after, { positions: positionsOf(after, new Map()) }, scene, window, state);
  const answer: Answer = {
    ...pass.answer,
    blocks: [block, ...pass.answer.blocks],
    trace: [...made.trace, ...pass.answer.trace],
  };
  const message: Iteration = { type: "message", input: pass.input, outputTokens: answer.outputTokens };
  return { answer, input: pass.input, iterations: [iteration, message], startMs: ms + pass.startMs };
}
