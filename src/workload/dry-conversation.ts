import type { Rng } from "../determinism/index.ts";
import type { WireBlock, WireMessage } from "../transcript/index.ts";
import type { ModelTrace } from "./trace.ts";
import type { UserAction, Workload } from "./workload.ts";

/** A whole session between user, model and world, without an API, a strategy or a fault: the longest context that there can be. */
export interface DryConversation {
  readonly messages: readonly WireMessage[];
  readonly actions: readonly UserAction[];
  /** Answers of the model. */
  readonly rounds: number;
  readonly trace: readonly ModelTrace[];
  /** Virtual milliseconds that passed in waiting and in tools. */
  readonly durationMs: number;
}

export interface DryOptions {
  /** Stands in for a strategy: what of the history the next request shows. Default: all of it. */
  readonly show?: (messages: readonly WireMessage[], round: number) => readonly WireMessage[];
  /** Ends the session after so many answers, finished or not. Default: four times as many as planned. */
  readonly mostRounds: number;
  readonly rng: Rng;
}

/** Drives a workload by itself. A turn is never broken off; a text without a tool call ends it. */
export function converse(workload: Workload, options: DryOptions): DryConversation {
  const messages: WireMessage[] = [];
  const actions: UserAction[] = [];
  const trace: ModelTrace[] = [];
  let rounds = 0;
  let nowMs = 0;
  let lastText: string | null = null;
  for (
    let action = workload.user.next(null);
    action !== null && rounds < options.mostRounds;
    action = workload.user.next(lastText)
  ) {
    actions.push(action);
    if (action.kind === "wait") nowMs += action.ms;
    if (action.kind !== "say") continue;
    messages.push({ role: "user", content: action.content.map((block): WireBlock => ({ ...block })) });
    for (let going = true; going && rounds < options.mostRounds; ) {
      rounds++;
      const shown = options.show?.(messages, rounds) ?? messages;
      const request = {
        model: "dry",
        max_tokens: 8000,
        system: workload.system,
        tools: workload.tools,
        messages: shown,
        thinking: { type: "adaptive" } as const,
      };
      const reply = workload.model(request, { source: "main", rng: options.rng.fork("request", rounds), nowMs });
      trace.push(...reply.trace);
      const content = reply.content.map((block, i): WireBlock => {
        if (block.kind === "tool-call")
          return { type: "tool_use", id: `toolu_${rounds}_${i}`, name: block.name, input: block.input };
        return block.kind === "text"
          ? { type: "text", text: block.text }
          : { type: "thinking", thinking: block.thinking, signature: "dry" };
      });
      messages.push({ role: "assistant", content });
      const results = content
        .filter(({ type }) => type === "tool_use")
        .map((call): WireBlock => {
          const id = String(call.id);
          const outcome = workload.runTool({ id, name: String(call.name), input: call.input }, nowMs);
          nowMs += outcome.latencyMs;
          return {
            type: "tool_result",
            tool_use_id: id,
            content: outcome.content,
            ...(outcome.isError ? { is_error: true } : {}),
          };
        });
      if (results.length > 0) messages.push({ role: "user", content: results });
      going = results.length > 0;
      lastText = reply.content.flatMap((block) => (block.kind === "text" ? [block.text] : [])).join("\n");
    }
  }
  return { messages, actions, rounds, trace, durationMs: nowMs };
}
