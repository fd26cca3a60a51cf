import type { AgentObserver } from "../agent/index.ts";
import { createAgent, createStrategy } from "../agent/index.ts";
import type { CompactionConfig } from "../compaction/index.ts";
import {
  autoCompactThreshold,
  blockingLimit,
  effectiveWindow,
  resolveConfig,
  usedWindow,
} from "../compaction/index.ts";
import type { Clock, Rng } from "../determinism/index.ts";
import { createRng, createVirtualClock } from "../determinism/index.ts";
import type { MockEvent } from "../mock-api/index.ts";
import { createMockApi } from "../mock-api/index.ts";
import type { ModelInfo } from "../tokens/index.ts";
import { findModel } from "../tokens/index.ts";
import type { Message } from "../transcript/index.ts";
import type { ModelTrace } from "../workload/index.ts";
import { watchInvariants } from "./judges.ts";
import { placeOf } from "./place.ts";
import type { PlayedSession } from "./played-session.ts";
import type { RecordHeader, RunRecord } from "./record.ts";
import type { Recorder } from "./recorder.ts";
import { createRecorder } from "./recorder.ts";
import type { RunSpec } from "./run-spec.ts";
import type { MakeAgent, Seat } from "./seat.ts";
import { createSeat } from "./seat.ts";
import { createTools } from "./tools.ts";
import { connect } from "./transport.ts";
import { playUser } from "./user-turns.ts";
import { longhaulVersion } from "./version.ts";
import { watchWorld } from "./world-events.ts";
import { createNotes, createReadFiles } from "./world-ports.ts";

export interface RunOptions {
  /** Called after each complete answer to a main request. */
  readonly onProgress?: (progress: { readonly round: number; readonly rounds: number; readonly atMs: number }) => void;
  /** Called once at the end with all that was ever said, uncompacted (O3). */
  readonly onLog?: (log: readonly Message[]) => void;
}

/** 2026-01-05T09:00:00Z, a Monday morning: when every simulated session begins. */
const START_MS = 1_767_603_600_000;

/** A spec that names what does not exist, in one line. */
export class RunSpecError extends Error {
  override name = "RunSpecError";
}

/** A run's spec without its session, which is given beside it. */
export interface PlaySpec extends Omit<RunSpec, "session"> {
  /** What is played, in a word, and how many rounds it has. */
  readonly profile: string;
  readonly rounds: number;
}

/**
 * Plays one session from its first message to its end and gives its record: equal specs give equal records (D1).
 * Throws `RunSpecError` or the library's `ConfigError` before anything has run; later failures are events of the record.
 */
export async function playSession(spec: PlaySpec, played: PlayedSession, options: RunOptions = {}): Promise<RunRecord> {
  const model = withWindow(modelNamed(spec.model.id), spec);
  const fallback = spec.model.fallback === null ? null : withWindow(modelNamed(spec.model.fallback), spec);
  const { config } = resolveConfig(configInput(spec), spec.strategy.env, model);
  const readFiles = createReadFiles(played.readFile);
  const strategy = createStrategy(spec.strategy.name, { config, world: { readFiles, notes: createNotes() } });

  const clock = createVirtualClock(START_MS);
  const rng = createRng(spec.seed).fork("run");
  const recorder = createRecorder(START_MS);
  const api = createMockApi({
    model: played.model,
    rng: rng.fork("mock-api"),
    now: () => clock.now(),
    faults: spec.faults,
    profile: spec.model.provider,
    observer: (event) => addServerEvent(recorder, event),
    ...windowOf(spec),
  });
  const connection = await connect(spec.transport, api, clock);
  try {
    const observers: AgentObserver[] = [];
    const uuid = uuids(rng.fork("uuid"));
    const tools = createTools(played, spec.toolFaults, rng.fork("tools"), clock, recorder, readFiles, () => place());
    const sit: MakeAgent = (known, store, resume) => {
      const sitting = withWindow(known, spec);
      return createAgent({
        client: connection.client,
        clock,
        uuid,
        random: (key) => rng.fork("retry", key).next(),
        strategy,
        tools,
        toolDefinitions: played.tools,
        system: played.system,
        model: sitting,
        ...(fallback === null ? {} : { fallbackModel: fallback }),
        thinking: { type: "adaptive" },
        windowCap: usedWindow(sitting, config),
        store,
        ...(resume === null ? {} : { resume }),
        readFile: async (path) => played.readFile(path),
        emit: (event) => recorder.add(event),
        observer: {
          requestBuilt: (sent) => {
            for (const observer of observers) observer.requestBuilt?.(sent);
          },
          edited: (change) => {
            for (const observer of observers) observer.edited?.(change);
          },
        },
      });
    };
    const agent = createSeat(sit, model);
    const place = () => placeOf(agent, clock);
    observers.push(watchWorld(played, recorder, place));
    observers.push(watchInvariants(recorder, { projection: () => agent.projection() }, place));
    reportProgress(recorder, spec, options);
    await clock.run(async () => {
      await session(spec, agent, played, clock, recorder);
      agent.close();
    });
    options.onLog?.(agent.log());
  } finally {
    await connection.close();
  }
  return recorder.finish(headerOf(spec, model, config));
}

/** The session itself, and how it ended: all goals done, the user stuck, or the last turn failed. */
async function session(
  spec: PlaySpec,
  agent: Seat,
  played: PlayedSession,
  clock: Clock,
  recorder: Recorder,
): Promise<void> {
  const done = new Set<string>();
  recorder.onEvent((event) => {
    if (event.kind === "goal_done") done.add(event.goal);
  });
  const outcome = await playUser({ agent, played, clock, recorder, steps: spec.user });
  const how =
    done.size >= played.goals.length ? "completed" : outcome === "failed" || outcome === "blocked" ? "failed" : "stuck";
  const detail = `${done.size} of ${played.goals.length} goals done, last turn ${outcome}`;
  recorder.add({ kind: "run_ended", ...placeOf(agent, clock), how, detail });
}

function addServerEvent(recorder: Recorder, event: MockEvent): void {
  const at = { at: event.at, turn: event.turn, round: event.round, querySource: event.source };
  switch (event.kind) {
    case "served": {
      const { status, trueTokens, usage, dollars, billed, stopReason } = event;
      recorder.add({ kind: "served", ...at, status, trueTokens, usage, dollars, billed, stopReason });
      for (const trace of event.trace) recorder.add({ ...(trace as ModelTrace), ...at });
      return;
    }
    case "refused": {
      const { status, errorType, text, trueTokens, injected } = event;
      recorder.add({ kind: "refused", ...at, status, errorType, text, trueTokens, injected });
      return;
    }
    case "fault_injected":
      recorder.add({ kind: "fault_injected", ...at, fault: event.fault, faultKind: event.faultKind });
      return;
    case "client_sin":
      recorder.add({ kind: "client_sin", ...at, sin: event.sin, detail: event.detail });
  }
}

function reportProgress(recorder: Recorder, spec: PlaySpec, { onProgress }: RunOptions): void {
  if (onProgress === undefined) return;
  let round = 0;
  recorder.onEvent((event) => {
    if (event.kind !== "response_received" || event.querySource !== "main") return;
    onProgress({ round: ++round, rounds: spec.rounds, atMs: event.at });
  });
}

function uuids(rng: Rng): () => string {
  let n = 0;
  return () => rng.fork(n++).uuid();
}

/** Tokens: more than any session holds. */
const unlimitedTokens = 1_000_000_000;

/** The model as the client believes it to be. */
function withWindow(model: ModelInfo, spec: PlaySpec): ModelInfo {
  return spec.model.window === "unlimited" ? { ...model, contextWindow: unlimitedTokens } : model;
}

/** The server's window where the scenario names one; otherwise each model has its own. */
function windowOf({ model }: PlaySpec): { readonly windowOverride?: number | "unlimited" } {
  const window = model.trueWindow ?? model.window;
  return window === null ? {} : { windowOverride: window };
}

type ConfigInput = NonNullable<Parameters<typeof resolveConfig>[0]>;

/** The scenario's config with the window of its model; what the config itself says of the window comes first. */
function configInput({ model, strategy }: PlaySpec): ConfigInput {
  const input = strategy.config as ConfigInput;
  return typeof model.window !== "number"
    ? input
    : { ...input, limits: { contextWindowCap: model.window, ...input.limits } };
}

function modelNamed(id: string): ModelInfo {
  const model = findModel(id);
  if (model === undefined)
    throw new RunSpecError(`there is no model "${id}"; \`longhaul list models\` shows those that are known`);
  return model;
}

function headerOf(spec: PlaySpec, model: ModelInfo, config: CompactionConfig): RecordHeader {
  return {
    kind: "header",
    schema: 1,
    longhaul: longhaulVersion,
    scenario: spec.scenario,
    seed: spec.seed,
    profile: spec.profile,
    rounds: spec.rounds,
    model: model.id,
    strategy: spec.strategy.name,
    transport: spec.transport,
    config: { spec, compaction: config },
    lines: {
      window: usedWindow(model, config),
      effectiveWindow: effectiveWindow(model, config),
      warning: autoCompactThreshold(model, config) - config.limits.warningBufferTokens,
      autoCompact: autoCompactThreshold(model, config),
      blocking: blockingLimit(model, config),
    },
  };
}
