import fc from "fast-check";
import { expect, test } from "vitest";
import { aModel, createVirtualClock, disorderedTranscript, validTranscript } from "../testing/index.ts";
import { roughEstimator, roughTokenCount, roughTokenSum } from "../tokens/index.ts";
import type { Message } from "../transcript/index.ts";
import {
  ensureToolResultPairing,
  findTranscriptProblems,
  messagesAfterLastBoundary,
  normalizeForApi,
} from "../transcript/index.ts";
import type { ConfigInput } from "./check-config.ts";
import type { Compactor } from "./compactor.ts";
import { createCompactor } from "./compactor.ts";
import type { CompactionContext, CompactorPorts } from "./context.ts";
import type { CompactionFact } from "./events.ts";
import { createCachedEdits } from "./micro/cached-edits.ts";
import { applyMicroPlan, planMicrocompact } from "./micro/microcompact.ts";
import type { CompactionOutcome } from "./plan.ts";
import { applyPlan } from "./plan.ts";
import type { AskReply, AskRequest } from "./ports.ts";
import { resolveConfig } from "./resolve-config.ts";
import { notesTemplate } from "./session-memory/notes-template.ts";

const cases = { numRuns: Number(process.env.LONGHAUL_CASES ?? 1000) };
const transcripts = fc.oneof(
  validTranscript({ maxRounds: 4, boundaries: true }),
  disorderedTranscript({ maxRounds: 4 }),
);
const model = aModel("claude-opus-4-6");
const summary: AskReply = {
  kind: "answer",
  text: "<summary>What happened so far.</summary>",
  stopReason: "end_turn",
  toolCalls: [],
  usage: null,
};

const context = (more: Partial<CompactionContext> = {}): CompactionContext => ({
  model,
  overheadTokens: 100,
  querySource: "main",
  turn: 1,
  round: 1,
  requestMaxTokens: 1_000,
  autonomous: false,
  ...more,
});

function withCompactor<T>(
  config: ConfigInput,
  ask: (request: AskRequest) => AskReply,
  play: (compactor: Compactor, facts: readonly CompactionFact[]) => Promise<T>,
  ports: Partial<CompactorPorts> = {},
): Promise<T> {
  const clock = createVirtualClock(0);
  let ids = 0;
  const facts: CompactionFact[] = [];
  const compactor = createCompactor(resolveConfig(config).config, {
    clock,
    ids: { uuid: () => `made${ids++}` },
    estimator: roughEstimator,
    emit: (fact) => {
      facts.push(fact);
    },
    ask: async (request) => ask(request),
    ...ports,
  });
  return clock.run(() => play(compactor, facts));
}

const planOf = (outcome: CompactionOutcome) => (outcome.kind === "compacted" ? outcome.plan : null);

test("MC2, MC3, MC5: a second microcompact finds nothing more; the cached path changes no message and names results that stand there", () => {
  const paths = { none: 0, time: 0, cached: 0 };
  fc.assert(
    fc.property(transcripts, fc.integer({ min: 1, max: 2 }), fc.boolean(), (messages, keepRecent, late) => {
      const { config } = resolveConfig({
        micro: { timeBased: { keepRecent }, cached: { triggerThreshold: 1, keepRecent } },
      });
      const nowMs = late ? 1e9 : 0;
      const frozen = structuredClone(messages);
      const edits = createCachedEdits(config.micro);
      const input = { nowMs, source: "main", model, cachedModelId: null } as const;
      const plan = (given: readonly Message[]) =>
        planMicrocompact({ ...input, messages: given }, edits, config.micro, roughEstimator);
      plan(messages);
      edits.commit();
      const second = plan(messages);
      const after = applyMicroPlan(messages, second);
      expect(messages).toEqual(frozen);
      if (second.kind === "cache-edit") {
        paths.cached++;
        expect(after).toBe(messages);
        const live = JSON.stringify(messagesAfterLastBoundary(messages));
        expect(second.pin.toolUseIds.every((id) => live.includes(`"tool_use_id":"${id}"`))).toBe(true);
        expect(plan(messages)).toEqual({ ...second, isNew: false });
      } else if (second.kind === "clear") {
        paths.time++;
        expect(plan(after)).toEqual({ kind: "none" });
        expect(applyMicroPlan(after, second)).toBe(after);
      } else paths.none++;
    }),
    cases,
  );
  expect(Math.min(paths.time, paths.cached)).toBeGreaterThan(cases.numRuns / 20);
});

test("FC9, SM6, RC2: whatever the transcript, a compaction's result is a valid request, and what it names as kept is the very message", async () => {
  const layers = { full: 0, "session-memory": 0, drop: 0 };
  await fc.assert(
    fc.asyncProperty(transcripts, fc.constantFrom("full", "notes", "drop"), fc.nat(), async (messages, way, seed) => {
      const covered = messages[seed % (messages.length || 1)]?.uuid ?? null;
      const config = {
        auto: { thrashGuard: null },
        sessionMemory: { keep: { minTokens: 10, minTextBlockMessages: 1, maxTokens: 100 } },
      } as const;
      const failing = (): AskReply => ({ kind: "error", error: { class: "transient", text: "no" } });
      const outcome = await withCompactor(config, way === "drop" ? failing : () => summary, (compactor) => {
        if (way === "notes") {
          const notes = notesTemplate.replace("# Current State", "# Current State\nThe lexer is done.");
          const memory = { ...compactor.state().memory, notes, lastSummarizedUuid: covered };
          compactor.restore({ ...compactor.state(), memory });
        }
        const tooLong = { class: "overflow", text: "Prompt is too long" } as const;
        return way === "drop"
          ? compactor.onTooLong(messages, tooLong, context())
          : compactor.compact(messages, "", context());
      });
      const plan = planOf(outcome);
      if (plan === null) return;
      layers[plan.layer]++;
      const after = applyPlan(messages, plan);
      const before = new Map(messagesAfterLastBoundary(messages).map((message) => [message.uuid, message]));
      const kept = after.filter(({ uuid }) => before.has(uuid));
      expect(kept.every((message) => message === before.get(message.uuid))).toBe(true);
      expect(plan.boundary.keptUuids).toEqual(kept.map(({ uuid }) => uuid));
      const wire = ensureToolResultPairing(normalizeForApi(messagesAfterLastBoundary(after))).messages;
      expect(findTranscriptProblems(wire)).toEqual([]);
    }),
    cases,
  );
  expect(Math.min(...Object.values(layers))).toBeGreaterThan(cases.numRuns / 50);
});

/** Each port, and how it breaks: by throwing, by never answering, or not at all. */
const troubles = [
  "none",
  "ask refuses",
  "ask throws",
  "hook throws",
  "hook hangs",
  "file throws",
  "file hangs",
  "memory file throws",
  "announce throws",
  "count throws",
  "notes throw",
] as const;

test("FC11, FC12: whichever port fails, and at whatever step it is aborted, a compaction that comes to nothing leaves everything deeply equal", async () => {
  const ends = { compacted: 0, failed: 0, aborted: 0, "nothing-to-do": 0 };
  const fallible = validTranscript({ maxRounds: 3 });
  await fc.assert(
    fc.asyncProperty(
      fallible,
      fc.constantFrom(...troubles),
      fc.nat(14),
      fc.boolean(),
      async (messages, trouble, abortAt, reactive) => {
        const clock = createVirtualClock(0);
        const abort = new AbortController();
        let touches = 0;
        const touch = (): void => {
          if (++touches === abortAt) abort.abort();
        };
        const world = { files: ["/repo/a.ts"], forgotten: 0, notes: "some notes" };
        const foreign = async <T>(what: string, value: T): Promise<T> => {
          touch();
          if (trouble === `${what} throws`) throw new Error(what);
          await clock.sleep(trouble === `${what} hangs` ? Number.POSITIVE_INFINITY : 10);
          touch();
          return value;
        };
        const breaking = <T>(what: string, value: T): T => {
          touch();
          if (trouble === what) throw new Error(what);
          return value;
        };
        let ids = 0;
        const compactor = createCompactor(resolveConfig({ auto: { thrashGuard: null } }).config, {
          clock,
          ids: { uuid: () => `made${ids++}` },
          estimator: roughEstimator,
          emit: () => {},
          ask: (request) =>
            foreign<AskReply>(
              "ask",
              request.signal?.aborted
                ? { kind: "aborted" }
                : trouble === "ask refuses"
                  ? { kind: "error", error: { class: "transient", text: "no" } }
                  : summary,
            ),
          hooks: { preCompact: () => foreign("hook", "x"), sessionStart: () => foreign("hook", "y") },
          readFiles: {
            snapshot: () => world.files.map((path) => ({ path, readAtMs: 0 })),
            read: () => foreign("file", "content"),
            reset: (paths) => {
              world.files = [...paths];
            },
          },
          memoryFile: () => breaking("memory file throws", null),
          announce: {
            plan: () => breaking("announce throws", "the plan"),
            skills: () => [],
            runningAgents: () => null,
            deferredTools: () => null,
            agents: () => null,
            mcpInstructions: () => null,
          },
          count: (given) => foreign("count", given.length),
          notes: {
            path: "/notes.md",
            read: () => breaking("notes throw", world.notes),
            write: (text) => {
              world.notes = text;
            },
          },
          forgetCaches: () => {
            world.forgotten++;
          },
        });
        const before = structuredClone({ messages, world, state: compactor.state() });
        const asked = context({ signal: abort.signal });
        const outcome = await clock.run(() =>
          reactive
            ? compactor.onTooLong(messages, { class: "media", text: "image too large" }, asked)
            : compactor.compact(messages, "", asked),
        );
        ends[outcome.kind]++;
        if (outcome.kind === "compacted") return;
        const triedReactive = reactive || before.state.triedReactive;
        expect({ messages, world, state: compactor.state() }).toEqual({
          ...before,
          state: { ...before.state, triedReactive },
        });
        if (abort.signal.aborted && outcome.kind === "failed") expect(trouble).toMatch(/throw/);
      },
    ),
    cases,
  );
  expect(Math.min(ends.compacted, ends.failed, ends.aborted)).toBeGreaterThan(cases.numRuns / 50);
});

test("PT4: each retry of a summary is smaller than the one before, whichever way the estimate is off", async () => {
  let retried = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(validTranscript({ maxRounds: 5 }), disorderedTranscript({ maxRounds: 5 })),
      fc.integer({ min: 25, max: 400 }),
      fc.integer({ min: 100, max: 3_000 }),
      fc.boolean(),
      async (transcript, percentOff, limit, named) => {
        const messages = transcript.map(grown);
        const sizes: number[] = [];
        const ask = ({ messages: sent, instruct }: AskRequest): AskReply => {
          const size = roughTokenSum(sent);
          sizes.push(size);
          const tokens = Math.ceil(((size + roughTokenCount(instruct)) * percentOff) / 100);
          if (tokens <= limit) return summary;
          const text = named ? `prompt is too long: ${tokens} tokens > ${limit} maximum` : "Prompt is too long";
          return { kind: "error", error: { class: "overflow", text } };
        };
        await withCompactor({ full: { maxSummaryTokens: 100 } }, ask, (compactor) =>
          compactor.compact(messages, "all of it", context()),
        );
        retried += Math.max(0, sizes.length - 1);
        expect(sizes.length).toBeLessThanOrEqual(4);
        expect(sizes.every((size, i) => i === 0 || size < (sizes[i - 1] as number))).toBe(true);
      },
    ),
    cases,
  );
  expect(retried).toBeGreaterThan(cases.numRuns / 4);
});

/** Long enough that results can be cut, too. */
function grown(message: Message): Message {
  if (message.kind !== "user") return message;
  return {
    ...message,
    content: message.content.map((block) =>
      block.type === "tool_result" && typeof block.content === "string"
        ? { ...block, content: block.content.padEnd(2_000, block.content || "x") }
        : block,
    ),
  };
}
