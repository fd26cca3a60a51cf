import type { CompactionContext, CompactionOutcome, Compactor } from "../../compaction/index.ts";
import { applyPlan, createCompactor } from "../../compaction/index.ts";
import type { Rng, StableHash, VirtualClock } from "../../determinism/index.ts";
import type { ModelInfo } from "../../tokens/index.ts";
import type { Message, UserMessage } from "../../transcript/index.ts";
import { promise } from "./broken-promise.ts";
import type { MessageSource } from "./draw-messages.ts";
import { createMessageSource, freeze } from "./draw-messages.ts";
import { nothingChanged, reasonIsForeign } from "./history-checks.ts";
import type { Server } from "./history-server.ts";
import { createServer } from "./history-server.ts";
import type { HistoryWorld } from "./history-world.ts";
import { createHistoryWorld } from "./history-world.ts";
import type { Before } from "./laws.ts";
import { planKeepsItsWord, requestIsValid } from "./laws.ts";
import type { HistorySetup } from "./setup.ts";
import { drawSetup } from "./setup.ts";

/** What one history came to. */
export interface HistoryTally {
  operations: number;
  /** Adopted compactions by layer. */
  readonly compactions: { full: number; "session-memory": number; drop: number };
  failed: number;
  aborted: number;
}

/** One conversation at play, and what is known of it: enough to judge every step. */
export class HistoryState {
  readonly rng: Rng;
  readonly clock: VirtualClock;
  readonly hash: StableHash;
  readonly tally: HistoryTally;
  readonly setup: HistorySetup;
  readonly server: Server;
  readonly world: HistoryWorld;
  readonly source: MessageSource;
  compactor: Compactor;
  messages: readonly Message[];
  /** Uuids that an adopted compaction took out. */
  readonly gone: Set<string> = new Set();
  /** Results that went out with a request that succeeded. */
  readonly seen: Set<string> = new Set();
  turn = 1;
  round = 1;
  rewritten = false;
  snipped = 0;
  /** What a question broke: the library takes whatever a port throws for a failure of the port, so it waits here for the operation's end. */
  brokenInAsk: unknown = null;
  /** Of the compaction that runs: its calls, and how large the last one was. Null while none may. */
  asked: { calls: number; retries: number; size: number } | null = null;

  constructor(rng: Rng, clock: VirtualClock, hash: StableHash, tally: HistoryTally) {
    this.rng = rng;
    this.clock = clock;
    this.hash = hash;
    this.tally = tally;
    this.setup = drawSetup(rng);
    this.server = createServer(rng, clock, this.setup, this.setup.models[0] as ModelInfo);
    const takeSnippedTokens = (): number => {
      const tokens = this.snipped;
      this.snipped = 0;
      return tokens;
    };
    this.world = createHistoryWorld(rng, clock, this.setup, this.server, takeSnippedTokens);
    this.source = createMessageSource(rng, () => clock.now());
    this.compactor = createCompactor(this.setup.config, this.world.ports);
    this.messages = [this.source.human()];
    this.server.deleted = () => this.deleted();
    this.server.watch = ({ purpose, messages }, size) => {
      try {
        requestIsValid(messages, `request of ${purpose}`);
        if (purpose === "compact") this.watchCompaction(messages, size);
      } catch (error) {
        this.brokenInAsk ??= error;
      }
    };
  }

  async compact(
    trigger: "manual" | "reactive",
    work: (signal: AbortSignal) => Promise<CompactionOutcome>,
  ): Promise<void> {
    const before = this.before(null);
    const state = this.compactor.state();
    const commits = { ...this.world.commits };
    const { value: outcome, aborted } = await this.guarded(work);
    if (trigger === "reactive" && state.triedReactive) {
      promise(outcome.kind === "nothing-to-do", "reactive once", () => `a second try ended ${outcome.kind}`);
    }
    if (outcome.kind !== "compacted") nothingChanged(state, this.compactor.state(), trigger === "reactive");
    this.end(outcome, before, aborted, commits);
    this.hash.add(outcome.kind);
  }

  /** Takes over what a compaction made, or makes sure that it made nothing. */
  end(
    outcome: CompactionOutcome | null,
    before: Before,
    aborted: boolean,
    commits: { readonly resets: number; readonly forgets: number },
  ): void {
    this.messages = before.messages;
    const { resets, forgets } = this.world.commits;
    if (outcome?.kind === "compacted") {
      const { plan } = outcome;
      const committed = forgets === commits.forgets + 1 && resets === commits.resets + (this.setup.ports.files ? 1 : 0);
      promise(!this.world.commits.afterAbort, "no commit after an abort", () => plan.layer);
      promise(committed, "one commit", () => `${plan.layer}: ${JSON.stringify([commits, this.world.commits])}`);
      const after = freeze(applyPlan(before.messages, plan));
      // `on-send` loses the block of a request that failed, as the original does: what was deleted is then not known here.
      const known = !this.rewritten && this.setup.config.micro.cached.commit === "on-response";
      planKeepsItsWord(known ? before : { ...before, deleted: null }, after, plan, this.setup.config);
      requestIsValid(after, `after ${plan.layer}`);
      const standing = new Set(after.map(({ uuid }) => uuid));
      for (const { uuid } of before.messages) if (!standing.has(uuid)) this.gone.add(uuid);
      this.messages = this.setup.keepsLog ? [...before.messages.slice(-300), ...after] : after;
      this.tally.compactions[plan.layer]++;
      return;
    }
    promise(
      resets === commits.resets && forgets === commits.forgets,
      "no commit",
      () => `${outcome?.kind}, but the world was changed`,
    );
    if (outcome?.kind === "aborted") this.tally.aborted++;
    if (outcome?.kind === "failed") {
      this.tally.failed++;
      reasonIsForeign(outcome.reason);
      promise(!aborted || outcome.reason === "inflated", "an abort is no failure", () => outcome.reason);
    }
    if (outcome?.kind === "aborted") promise(aborted, "nobody aborted", () => "but it says so");
  }

  /** Runs one operation that may be aborted: before it begins, at a touch of the world, or after a while. */
  async guarded<T>(
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<{ readonly value: T; readonly aborted: boolean }> {
    const rng = this.rng;
    const controller = new AbortController();
    const how = rng.weighted(aborts);
    this.world.begin(controller, how === "touch" ? rng.integer(1, 8) : null);
    if (how === "before") controller.abort();
    const stop = how === "time" ? this.clock.timer(rng.integer(1, 60_000), () => controller.abort()) : null;
    this.asked = { calls: 0, retries: 0, size: Number.POSITIVE_INFINITY };
    const value = await work(controller.signal);
    this.asked = null;
    stop?.();
    this.tally.operations++;
    for (const fact of this.world.facts()) if (fact.kind === "sm_compact_skipped") reasonIsForeign(fact.reason);
    return { value, aborted: controller.signal.aborted };
  }

  watchCompaction(messages: readonly Message[], size: number): void {
    const asked = this.asked;
    if (asked === null) throw new Error("a compaction asked while none was running");
    const { fork, direct, tooLong } = this.setup.config.full;
    const most = (fork.enabled ? 1 : 0) + (direct.enabled ? direct.attempts : 0) + tooLong.maxRetries + 1;
    promise(++asked.calls <= most, "bounded calls", () => `${asked.calls} of ${most}`);
    const retries = this.world.facts().filter(({ kind }) => kind === "compact_ptl_retry").length;
    if (retries > asked.retries) promise(size < asked.size, "every retry smaller", () => `${asked.size} to ${size}`);
    asked.retries = retries;
    asked.size = size;
    const back = messages.find(({ uuid }) => this.gone.has(uuid));
    promise(back === undefined, "nothing from before a boundary", () => `${back?.uuid} is asked about`);
  }

  before(pending: UserMessage | null): Before {
    const { overheadTokens, ports } = this.setup;
    return {
      estimated: !ports.count,
      messages: this.messages,
      deleted: this.deleted(),
      pending,
      overheadTokens,
      gone: this.gone,
    };
  }

  deleted(): ReadonlySet<string> {
    return new Set(this.compactor.pins().flatMap(({ toolUseIds }) => toolUseIds));
  }

  context(pending: UserMessage | null, signal?: AbortSignal): CompactionContext {
    if (pending !== null) this.turn++;
    return {
      model: this.model,
      overheadTokens: this.setup.overheadTokens,
      querySource: "main",
      turn: this.turn,
      round: this.round,
      requestMaxTokens: 1_000,
      autonomous: false,
      pending,
      ...(signal === undefined ? {} : { signal }),
    };
  }

  get model(): ModelInfo {
    return this.server.model;
  }

  append(messages: readonly Message[]): void {
    this.messages = [...this.messages, ...messages];
    this.tally.operations++;
  }
}

const aborts = [
  ["none", 40],
  ["before", 1],
  ["touch", 3],
  ["time", 3],
] as const;
