import type { Usage } from "../transcript/index.ts";
import type { Answer } from "./answer/answer.ts";
import type { Envelope, WireUsage } from "./answer/message.ts";
import { wireMessage, wireUsage } from "./answer/message.ts";
import type { Reply } from "./call.ts";
import type { FaultScene } from "./faults/active-faults.ts";
import { bendUsage } from "./faults/bend-usage.ts";
import { breakReply } from "./faults/break-stream.ts";
import type { Generated, Iteration } from "./generate.ts";
import { digitsOf } from "./identity.ts";
import type { OpenRequest } from "./open-request.ts";
import type { Prepared } from "./prepare.ts";
import type { ServerState } from "./server-state.ts";
import type { CutAnswer } from "./sin-watch.ts";
import { decodeMs, eventsOf } from "./stream/events-of.ts";
import type { Admitted } from "./validate/admit.ts";
import { newVersion } from "./validate/sampling.ts";

export interface Rendered {
  readonly reply: Reply;
  /** As sent. */
  readonly usage: Usage | null;
  /** What arrives, where not all of it does. */
  readonly cut: CutAnswer | null;
}

/** Gives an answer its wire form, with the faults of the last phases; registers the thinking whose end is sent. */
export function render(
  request: OpenRequest,
  admitted: Admitted,
  prepared: Prepared,
  generated: Generated,
  scene: FaultScene,
  state: ServerState,
): Rendered {
  const { context } = scene;
  const { answer, startMs } = generated;
  const id = `msg_${digitsOf(context.rng, "message", 24)}`;
  let usage: WireUsage | null = usageOf(request, admitted, generated);
  const bent = state.faults.strike("usage", scene);
  if (bent !== undefined) usage = bendUsage(bent, usage);
  const { positions } = prepared;
  const envelope: Envelope = {
    id,
    model: request.body.model,
    isOldVersion: request.rules.version !== newVersion,
    usage,
    diagnostics: state.missReasons.explain(request.body, request.body.model, positions, generated.input.read),
    beta: betaFields(request, admitted, prepared),
  };
  state.missReasons.remember(id, request.body.model, positions);
  const headers = { "request-id": context.requestId, ...state.rateLimit.headers(state.options.now()) };
  let reply: Reply;
  let delivered = Number.POSITIVE_INFINITY;
  if (scene.streamed) {
    const { events, latency } = eventsOf(envelope, answer, startMs, context.rng.fork("stream"));
    reply = { status: 200, headers, body: { kind: "events", events }, latency };
  } else {
    const latency = { first: startMs + decodeMs(answer.outputTokens), before: [] };
    reply = { status: 200, headers, body: { kind: "json", value: wireMessage(envelope, answer) }, latency };
  }
  const events = reply.body.kind === "events" ? reply.body.events : [];
  const broken = state.faults.strike("bytes", scene);
  if (broken !== undefined) {
    const result = breakReply(broken, reply);
    reply = result.reply;
    delivered = result.delivered;
  }
  const whole = scene.streamed
    ? events.slice(0, delivered).filter((event) => event.type === "content_block_stop").length
    : delivered === 0
      ? 0
      : answer.blocks.length;
  register(answer, whole, id, request, admitted, state);
  const isWhole = scene.streamed ? delivered >= events.length : delivered > 0;
  return {
    reply,
    usage: usage as Usage | null,
    cut: isWhole ? null : cutAnswer(answer, whole, events.slice(0, delivered)),
  };
}

function usageOf(request: OpenRequest, admitted: Admitted, { input, answer, iterations }: Generated): WireUsage {
  const { body, isBeta } = request;
  const more: Record<string, unknown> = {};
  if (request.model.cacheEditing && admitted.deletedTokens > 0)
    more.cache_deleted_input_tokens = admitted.deletedTokens;
  if (isBeta) {
    more.iterations = iterations.length === 0 ? null : iterations.map((part) => wireIteration(part, body.model));
    more.fallback_credit = null;
  }
  const geo = typeof body.inference_geo === "string" ? body.inference_geo : null;
  const speed = typeof body.speed === "string" ? body.speed : null;
  return wireUsage(input, answer, { geo, speed, more });
}

function wireIteration({ type, input, outputTokens }: Iteration, model: string): unknown {
  return {
    type,
    ...(type === "message" ? { model } : {}),
    input_tokens: input.uncached,
    cache_creation_input_tokens: input.write5m + input.write1h,
    cache_read_input_tokens: input.read,
    cache_creation: { ephemeral_5m_input_tokens: input.write5m, ephemeral_1h_input_tokens: input.write1h },
    output_tokens: outputTokens,
  };
}

function betaFields(
  request: OpenRequest,
  admitted: Admitted,
  { applied }: Prepared,
): Readonly<Record<string, unknown>> {
  if (!request.isBeta) return {};
  const fields: Record<string, unknown> = { context_management: applied === null ? null : { applied_edits: applied } };
  if (request.rules.betas.has("thinking-binding-controls-2026-08-01"))
    fields.input_transformations = admitted.dropped.map(({ path, reason }) => ({
      type: "thinking_dropped",
      path,
      reason,
    }));
  return fields;
}

/** V5: a thinking block is known from the moment when its end is sent. */
function register(
  answer: Answer,
  whole: number,
  id: string,
  request: OpenRequest,
  { past }: Admitted,
  state: ServerState,
): void {
  let { held, lastHeld } = past;
  for (const block of answer.blocks.slice(0, whole)) {
    if (block.kind !== "thinking") continue;
    const { signature } = block;
    state.thinking.add({
      signature,
      text: block.thinking,
      model: request.body.model,
      prefix: past.prefix,
      held,
      lastHeld,
      response: id,
    });
    held++;
    lastHeld = signature;
  }
}

function cutAnswer(
  answer: Answer,
  whole: number,
  events: readonly { readonly type: string; readonly [field: string]: unknown }[],
): CutAnswer {
  const sent = answer.blocks.slice(0, whole);
  const cutBlock = answer.blocks[whole];
  let text = "";
  for (const event of events) {
    const delta = event.delta as { readonly text?: string } | undefined;
    if (event.index === whole && delta?.text !== undefined) text += delta.text;
  }
  return {
    whole: {
      toolUseIds: sent.flatMap((block) => (block.kind === "tool_use" ? [block.id] : [])),
      texts: sent.flatMap((block) => (block.kind === "text" ? [block.text] : [])),
    },
    broken: { toolUseId: cutBlock?.kind === "tool_use" ? cutBlock.id : null, text },
  };
}
