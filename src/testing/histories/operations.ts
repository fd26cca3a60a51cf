import type { CompactionOutcome } from "../../compaction/index.ts";
import { createCompactor } from "../../compaction/index.ts";
import { canonicalJson } from "../../determinism/index.ts";
import { roughTokenSum } from "../../tokens/index.ts";
import type { Usage } from "../../transcript/index.ts";
import {
  groupByApiRound,
  isHumanMessage,
  lastBoundaryIndex,
  messagesAfterLastBoundary,
} from "../../transcript/index.ts";
import { promise } from "./broken-promise.ts";
import { freeze } from "./draw-messages.ts";
import { breakerKeepsItsWord, microKeepsItsWord, nothingChanged, resultsIn } from "./history-checks.ts";
import type { HistoryState } from "./history-state.ts";
import { requestIsValid, sizeIsPlain } from "./laws.ts";

/** One request of the loop: what comes before it, its answer or its refusal, and what comes after. */
async function request(h: HistoryState): Promise<void> {
  const pending = h.rng.chance(0.2) ? h.source.human() : null;
  const before = h.before(pending);
  const state = h.compactor.state();
  const commits = { ...h.world.commits };
  const { value, aborted } = await h.guarded((signal) =>
    h.compactor.beforeRequest(before.messages, h.context(pending, signal)),
  );
  const { outcome } = value;
  const base = microKeepsItsWord(value, before.messages, h.seen);
  const now = h.compactor.state();
  breakerKeepsItsWord(outcome, state, now, h.round, h.setup.config);
  const pinned = value.micro.kind === "cache-edit" ? value.micro.pin.toolUseIds : [];
  const deleted = new Set([...(before.deleted ?? []), ...pinned]);
  h.end(outcome, { ...before, messages: base, deleted }, aborted, commits);
  const live = messagesAfterLastBoundary(h.messages);
  const said = messagesAfterLastBoundary(value.messages);
  const same = live.length === said.length && live.every((message, i) => message === said[i]);
  promise(same, "one transcript", () => "its messages are not those of its plans");
  sizeIsPlain(value, now, before, h.model.contextWindow, h.setup.config.micro.marker);
  h.hash.add(`${value.kind} ${value.micro.kind} ${value.tokens}`);
  h.rewritten = false;
  if (pending !== null) h.append([pending]);
  if (value.kind === "blocked" || aborted) return;
  requestIsValid(h.messages, "main request");
  await send(h);
}

async function send(h: HistoryState): Promise<void> {
  const rng = h.rng;
  const tokens = h.server.tokensOf(messagesAfterLastBoundary(h.messages));
  if (tokens > h.model.contextWindow || rng.chance(0.01)) return refused(h, tokens);
  if (rng.chance(0.05)) return; // lost on the way: nothing is known of it
  for (const id of resultsIn(messagesAfterLastBoundary(h.messages))) h.seen.add(id);
  h.append([...h.source.response(h.model.id, usageOf(h, tokens)), ...h.source.aside()]);
  h.compactor.afterResponse(h.messages, h.context(null));
  h.tally.operations++;
  h.round++;
}

async function refused(h: HistoryState, tokens: number): Promise<void> {
  const error = h.rng.chance(0.05)
    ? ({ class: "media", text: "image exceeds the maximum" } as const)
    : h.server.refusal(Math.max(tokens, h.model.contextWindow + 1));
  await h.compact("reactive", (signal) => h.compactor.onTooLong(h.messages, error, h.context(null, signal)));
}

async function manual(h: HistoryState): Promise<void> {
  const focus = h.rng.chance(0.5) ? "Look at the parser." : "";
  await h.compact("manual", (signal) => h.compactor.compact(h.messages, focus, h.context(null, signal)));
}

/** A second compaction while one runs is told so (one at a time). */
async function twoAtOnce(h: HistoryState): Promise<void> {
  let second: Promise<CompactionOutcome> | null = null;
  await h.compact("manual", (signal) => {
    const first = h.compactor.compact(h.messages, "", h.context(null, signal));
    second = h.compactor.compact(h.messages, "", h.context(null, signal));
    return first;
  });
  const outcome = await (second as Promise<CompactionOutcome> | null);
  promise(outcome?.kind === "nothing-to-do", "one at a time", () => `the second ended ${outcome?.kind}`);
}

async function idle(h: HistoryState): Promise<void> {
  await h.clock.sleep(h.rng.integer(1, 200) * 60_000);
}

async function wait(h: HistoryState): Promise<void> {
  await h.clock.sleep(h.rng.integer(1, 40_000));
}

async function switchModel(h: HistoryState): Promise<void> {
  h.server.model = h.rng.pick(h.setup.models);
}

/** The process ends and another goes on: from the state and, often, from messages that were written and read. */
async function resume(h: HistoryState): Promise<void> {
  const state = h.compactor.state();
  h.compactor = createCompactor(h.setup.config, h.world.ports);
  h.compactor.restore(JSON.parse(JSON.stringify(state)));
  promise(canonicalJson(h.compactor.state()) === canonicalJson(state), "state survives", () => JSON.stringify(state));
  if (h.rng.chance(0.5)) h.messages = freeze(JSON.parse(JSON.stringify(h.messages)));
}

/** The person goes back to something said earlier: what came after it is gone. */
async function rewind(h: HistoryState): Promise<void> {
  const from = lastBoundaryIndex(h.messages) + 1;
  const said = h.messages.flatMap((message, i) => (i > from && isHumanMessage(message) ? [i] : []));
  if (said.length === 0) return;
  h.messages = h.messages.slice(0, h.rng.pick(said) + 1);
  h.rewritten = true;
}

/** A whole round from the middle is taken out, and its size told (AC5). */
async function snip(h: HistoryState): Promise<void> {
  const from = lastBoundaryIndex(h.messages) + 1;
  const groups = groupByApiRound(h.messages.slice(from));
  if (groups.length < 4) return;
  const at = h.rng.integer(1, groups.length - 3);
  const taken = new Set(groups[at]);
  if ([...taken].some(isHumanMessage)) return;
  h.messages = h.messages.filter((message, i) => i < from || !taken.has(message));
  h.snipped += roughTokenSum([...taken]);
  h.rewritten = true;
}

/** The compactor's own agents ask before their requests, too: nothing is done for them (AC5, MC4). */
async function fork(h: HistoryState): Promise<void> {
  const querySource = h.rng.pick(["compact", "session_memory", "context_collapse"] as const);
  const state = h.compactor.state();
  h.world.begin(null, null);
  const { micro, outcome, messages } = await h.compactor.beforeRequest(h.messages, {
    ...h.context(null),
    querySource,
  });
  promise(
    micro.kind === "none" && outcome === null && messages === h.messages,
    "forks are left alone",
    () => querySource,
  );
  // Snipped tokens are booked whoever asks.
  const after = { ...h.compactor.state(), freed: state.freed };
  nothingChanged(state, after, false);
}

/** Mostly honest; else none, nonsense, or off. */
function usageOf(h: HistoryState, tokens: number): Usage | null {
  const rng = h.rng;
  const usage = { input_tokens: tokens, output_tokens: rng.integer(1, 900) };
  switch (rng.weighted(honesty)) {
    case "honest":
      return usage;
    case "none":
      return null;
    case "zero":
      return { input_tokens: 0, output_tokens: 0 };
    case "nonsense":
      return { input_tokens: Number.NaN, output_tokens: -1, cache_read_input_tokens: null };
    case "off":
      return { ...usage, input_tokens: Math.floor(tokens * rng.pick([0.1, 0.7, 1.4, 9])) };
  }
}

/** What may happen next, by weight. */
export const steps: readonly (readonly [(h: HistoryState) => Promise<void>, number])[] = [
  [request, 60],
  [manual, 3],
  [twoAtOnce, 1],
  [idle, 3],
  [wait, 6],
  [switchModel, 3],
  [resume, 4],
  [rewind, 1],
  [snip, 3],
  [fork, 2],
];

const honesty = [
  ["honest", 14],
  ["none", 3],
  ["zero", 1],
  ["nonsense", 1],
  ["off", 1],
] as const;
