import type { Agent, AgentOptions, LoopEvent } from "../agent/index.ts";
import { createAgent, createSdkClient, none } from "../agent/index.ts";
import type { CompactionEvent } from "../compaction/index.ts";
import type { VirtualClock } from "../determinism/index.ts";
import { createVirtualClock } from "../determinism/index.ts";
import type { ModelInfo } from "../tokens/index.ts";
import { findModel } from "../tokens/index.ts";
import type { ToolUseBlock, WireRequest } from "../transcript/index.ts";
import type { Reply, ScriptedServer } from "./scripted-server.ts";
import { scriptedServer } from "./scripted-server.ts";

export interface DrivenAgent {
  readonly agent: Agent;
  readonly server: ScriptedServer;
  readonly events: (LoopEvent | CompactionEvent)[];
  readonly clock: VirtualClock;
  /** Calls that ran, in the order of their start. */
  readonly ran: ToolUseBlock[];
}

export function aModel(id: string): ModelInfo {
  const model = findModel(id);
  if (model === undefined) throw new Error(`no model ${id}`);
  return model;
}

/** Runs `play` with an agent on the real SDK, whose fetch is a scripted server, on virtual time. */
export async function driveAgent<T>(
  script: readonly Reply[] | ((request: WireRequest, nth: number, headers: Headers) => Reply),
  play: (driven: DrivenAgent) => Promise<T>,
  overrides: Partial<AgentOptions> | ((clock: VirtualClock) => Partial<AgentOptions>) = {},
): Promise<T> {
  const clock = createVirtualClock(1_000_000);
  const server = scriptedServer(clock, script);
  const events: (LoopEvent | CompactionEvent)[] = [];
  const ran: ToolUseBlock[] = [];
  let ids = 0;
  const given = typeof overrides === "function" ? overrides(clock) : overrides;
  const agent = createAgent({
    client: createSdkClient({ apiKey: "key", baseUrl: "http://scripted", fetch: server.fetch, clock }),
    clock,
    uuid: () => `uuid-${++ids}`,
    random: () => 0,
    strategy: none,
    tools: {
      run: async (call, signal) => {
        ran.push(call);
        const { ms = 10 } = call.input as { readonly ms?: number };
        await clock.sleep(ms, signal);
        return { content: `output of ${call.id}`, isError: false };
      },
    },
    toolDefinitions: [{ name: "Read", description: "reads", input_schema: { type: "object" } }],
    system: "You are careful.",
    model: aModel("claude-opus-4-5"),
    thinking: null,
    emit: (event) => {
      // A loop that does not end is told soon, here and below.
      if (events.push(event) > 5_000) throw new Error("the agent does not come to an end");
    },
    ...given,
    config: { maxIterations: 200, ...given.config },
  });
  return clock.run(() => play({ agent, server, events, clock, ran }));
}
