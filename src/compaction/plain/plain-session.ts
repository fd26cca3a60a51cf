import { roughEstimator } from "../../tokens/index.ts";
import type { Message } from "../../transcript/index.ts";
import { ConfigError } from "../check-config.ts";
import { createCompactor } from "../compactor.ts";
import type { CompactionConfig } from "../config.ts";
import { defaultConfig } from "../config.ts";
import type { CompactionContext } from "../context.ts";
import type { CompactionOutcome } from "../plan.ts";
import { applyPlan } from "../plan.ts";
import { capThatFits } from "../request/cap-that-fits.ts";
import { classifyThrown } from "../request/thrown-error.ts";
import { plainAsk } from "./plain-ask.ts";
import { ConversationFull, SessionBusy } from "./plain-error.ts";
import { readFrame } from "./plain-frame.ts";
import type { PlainCall, PlainRequest, PlainResponse, PlainSessionOptions } from "./plain-options.ts";
import type { PlainState } from "./plain-state.ts";
import { emptyThread } from "./plain-state.ts";
import { createPlainThread } from "./plain-thread.ts";

/**
 * The conversation of a loop that is not ours (CF2): it keeps the transcript, and the four layers have their say before each request. Contract:
 * - one `send` or `compact` at a time: a second one meanwhile throws `SessionBusy`;
 * - an answer stands in the transcript before `send` resolves with it: only results, and what a person says, are added;
 * - a `send` that rejects has lost nothing of what was added: the next one sends it;
 * - a request that is too long is compacted and sent again, once until an answer comes (RC2); every other error of `create` is thrown as it came.
 */
export interface PlainSession<Request extends PlainRequest, Response extends PlainResponse> {
  /** Puts messages at the end, in the SDK's form. */
  add(...messages: readonly Request["messages"][number][]): void;
  /** Sends the conversation. Throws `ConversationFull` where nothing may be sent any more (AC3). */
  send(options?: { readonly signal?: AbortSignal }): Promise<Response>;
  /** Compacts now, whatever the size; `focus` says what the summary must keep. */
  compact(focus?: string, options?: { readonly signal?: AbortSignal }): Promise<CompactionOutcome>;
  /** What stands now: boundary and summary in the place of what they replaced. */
  transcript(): readonly Message[];
  /** The notes of session memory, null before the first. */
  notes(): string | null;
  /** Plain data, fit for JSON. */
  state(): PlainState;
}

/** Throws `UnknownModel`, or `ConfigError` for a mode that needs the agent. */
export function createPlainSession<Request extends PlainRequest, Response extends PlainResponse>(
  options: PlainSessionOptions<Request, Response>,
): PlainSession<Request, Response> {
  const { clock, uuid, resume, autonomous = false } = options;
  const create = (body: object, call: PlainCall): Promise<Response> => options.create(body as Request, call);
  const frame = readFrame(options.request, options.model);
  const thread = createPlainThread(frame, { clock, uuid }, resume ?? emptyThread);
  let { turn, round } = resume ?? { turn: 0, round: 0 };
  let busy = false;

  const compactor = createCompactor(plainConfig(options.config ?? defaultConfig), {
    estimator: roughEstimator,
    ...options.world,
    ask: plainAsk((request) => frame.forkBody(thread.forkRequest(request)), create),
    clock,
    ids: { uuid },
    emit: (fact) => options.onEvent?.({ ...fact, at: clock.now(), turn, round, querySource: "main" }),
  });
  if (resume !== undefined) compactor.restore(resume.compactor);

  const contextFor = (signal: AbortSignal | undefined): CompactionContext => ({
    model: frame.parts.model,
    overheadTokens: frame.overheadTokens,
    querySource: "main",
    turn,
    round,
    requestMaxTokens: frame.maxTokens,
    autonomous,
    pending: thread.state().waiting,
    ...(signal && { signal }),
  });
  const adopt = (outcome: CompactionOutcome): boolean => {
    if (outcome.kind !== "compacted") return false;
    thread.rewrite(applyPlan(thread.state().messages, outcome.plan));
    return true;
  };
  const alone = async <T>(work: () => Promise<T>): Promise<T> => {
    if (busy) throw new SessionBusy();
    busy = true;
    try {
      return await work();
    } finally {
      busy = false;
    }
  };

  async function send(signal: AbortSignal | undefined): Promise<Response> {
    if (thread.state().waiting !== null) turn++;
    round++;
    const before = await compactor.beforeRequest(thread.state().messages, contextFor(signal));
    thread.rewrite(before.messages);
    if (before.kind === "blocked") throw new ConversationFull(before.text, before.tokens, before.limit);
    thread.takeWaiting();
    const response = await request(frame.maxTokens, signal);
    thread.answered(response);
    compactor.afterResponse(thread.state().messages, contextFor(signal));
    return response;
  }

  /** Each way of making a request smaller is tried once, so this ends. */
  async function request(maxTokens: number, signal: AbortSignal | undefined): Promise<Response> {
    try {
      const body = frame.mainBody(thread.mainRequest(maxTokens));
      return await create(body, { source: "main", ...(signal && { signal }) });
    } catch (thrown) {
      if (signal?.aborted) throw thrown;
      const error = classifyThrown(thrown);
      const fitting = maxTokens === frame.maxTokens ? capThatFits(error, maxTokens) : null;
      if (fitting !== null) return request(fitting, signal);
      if (error.class !== "overflow" && error.class !== "output-overflow" && error.class !== "media") throw thrown;
      const refused = error.class === "media" ? error : { ...error, class: "overflow" as const };
      const outcome = await compactor.onTooLong(thread.state().messages, refused, contextFor(signal));
      if (!adopt(outcome)) throw thrown;
      return request(frame.maxTokens, signal);
    }
  }

  return {
    add: (...messages) => thread.add(messages),
    send: ({ signal } = {}) => alone(() => send(signal)),
    compact: (focus = "", { signal } = {}) =>
      alone(async () => {
        const outcome = await compactor.compact(thread.state().messages, focus, contextFor(signal));
        adopt(outcome);
        return outcome;
      }),
    transcript: () => thread.state().messages,
    notes: () => compactor.notes(),
    state: () => ({ version: 1, ...thread.state(), turn, round, compactor: compactor.state() }),
  };
}

/** Cache edits are not in the public API, and a collapse needs the agent's own loop (RC7). */
function plainConfig(config: CompactionConfig): CompactionConfig {
  if (config.auto.mode === "collapse")
    throw new ConfigError("auto.mode", "collapse", "proactive or reactive-only here");
  return { ...config, micro: { ...config.micro, cached: { ...config.micro.cached, enabled: false } } };
}
