import { costOf } from "../tokens/index.ts";
import type { Usage } from "../transcript/index.ts";
import type { ApiError } from "./api-error.ts";
import type { Call, Reply } from "./call.ts";
import { isCompactionOnDemand } from "./context-management/on-demand.ts";
import { trueTokens } from "./count/true-tokens.ts";
import type { FaultScene } from "./faults/active-faults.ts";
import { bendAnswer } from "./faults/bend-answer.ts";
import { refuseByFault } from "./faults/refuse.ts";
import { retryAtOf } from "./faults/retry-at.ts";
import type { Generated } from "./generate.ts";
import { generate } from "./generate.ts";
import type { OpenRequest } from "./open-request.ts";
import { openRequest } from "./open-request.ts";
import type { Prepared } from "./prepare.ts";
import { prepare } from "./prepare.ts";
import { refusal } from "./refusal.ts";
import { render } from "./render.ts";
import type { RequestContext } from "./request-context.ts";
import type { ServerState } from "./server-state.ts";
import { isCompactionRequest } from "./source.ts";
import type { Admitted } from "./validate/admit.ts";
import { admit, windowOf } from "./validate/admit.ts";
import { checkSize } from "./validate/size.ts";

/** POST /v1/messages: name it, check it, count it, answer it; faults act where they would in life. */
export function createMessage(call: Call, state: ServerState): Reply {
  const { namer, options, sins, faults, profile } = state;
  const opened = openRequest(call, state);
  const context = namer.next(call.headers, "status" in opened ? undefined : opened.body);
  if ("status" in opened) return refuse(opened, context, 0, state);
  const { facts, model, body } = opened;
  const now = options.now();
  const window = windowOf(model, options.windowOverride);
  const scene: FaultScene = {
    context,
    trueTokens: trueTokens(facts),
    streamed: body.stream === true,
    isCompaction: context.key.source === "compact" || isCompactionRequest(body),
  };
  sins.arrived(context, facts, scene.trueTokens, now);
  const struck = faults.strike("refuse", scene);
  if (struck !== undefined) {
    const { requestId } = context;
    const injected = refuseByFault(struck, {
      requestId,
      model: body.model,
      trueTokens: scene.trueTokens,
      window,
      profile,
      now,
      isServerCompaction: isCompactionOnDemand(body),
    });
    sins.refused(context, facts, scene.trueTokens, injected.error, retryAtOf(injected.reply.headers, now));
    report(injected.error, context, scene.trueTokens, true, state);
    return injected.reply;
  }
  const refuseHere = (error: ApiError, tokens: number): Reply => {
    sins.refused(context, facts, tokens, error, retryAtOf(error.headers ?? {}, now));
    return refuse(error, context, tokens, state);
  };
  const admitted = admit(facts, opened.rules, state);
  if (!("kind" in admitted)) return refuseHere(admitted, scene.trueTokens);
  if (admitted.dropped.length === 0) state.reader.accept(facts, opened.conditions);
  const prepared = prepare(opened, admitted.lost, state);
  const tokens = prepared.positions.total;
  const refused = checkSize(body, tokens, window, profile) ?? state.rateLimit.take(tokens, body.model, now);
  if (refused !== undefined) return refuseHere(refused, tokens);
  if (faults.strike("cache", scene) !== undefined) state.cache.flush();
  return answer(opened, admitted, prepared, scene, window, state);
}

function answer(
  request: OpenRequest,
  admitted: Admitted,
  prepared: Prepared,
  scene: FaultScene,
  window: number,
  state: ServerState,
): Reply {
  let generated = generate(prepared, scene, window, state);
  const struck = state.faults.strike("answer", scene);
  if (struck !== undefined) generated = { ...generated, answer: bendAnswer(struck, generated.answer) };
  const rendered = render(request, admitted, prepared, generated, scene, state);
  state.sins.served(scene.context, rendered.cut);
  const { iterations } = generated;
  state.options.observer?.({
    kind: "served",
    ...scene.context.key,
    at: state.options.now(),
    requestId: scene.context.requestId,
    status: 200,
    trueTokens: prepared.positions.total,
    usage: rendered.usage,
    dollars: dollarsOf(request, generated),
    billed: {
      read: sum(generated, (part) => part.read),
      write: sum(generated, (part) => part.write5m + part.write1h),
      uncached: sum(generated, (part) => part.uncached),
      output:
        iterations.length === 0
          ? generated.answer.outputTokens
          : iterations.reduce((n, part) => n + part.outputTokens, 0),
    },
    stopReason: generated.answer.stopReason,
    trace: generated.answer.trace,
  });
  return rendered.reply;
}

function passesOf({
  input,
  answer: { outputTokens },
  iterations,
}: Generated): readonly Pick<Generated["iterations"][number], "input" | "outputTokens">[] {
  return iterations.length === 0 ? [{ input, outputTokens }] : iterations;
}

function sum(generated: Generated, figure: (input: Generated["input"]) => number): number {
  return passesOf(generated).reduce((total, pass) => total + figure(pass.input), 0);
}

function dollarsOf({ body, model }: OpenRequest, generated: Generated): number {
  const geo = body.inference_geo === "us" ? { inferenceGeo: "us" as const } : {};
  return passesOf(generated).reduce((total, { input, outputTokens }) => {
    const usage: Usage = {
      input_tokens: input.uncached,
      cache_read_input_tokens: input.read,
      cache_creation_input_tokens: input.write5m + input.write1h,
      cache_creation: { ephemeral_5m_input_tokens: input.write5m, ephemeral_1h_input_tokens: input.write1h },
      output_tokens: outputTokens,
    };
    return total + costOf(usage, model, geo).dollars;
  }, 0);
}

function refuse(error: ApiError, context: RequestContext, tokens: number, state: ServerState): Reply {
  report(error, context, tokens, false, state);
  return refusal(error, context.requestId);
}

function report(
  error: { readonly status: number; readonly type: string; readonly message: string },
  context: RequestContext,
  tokens: number,
  injected: boolean,
  { options }: ServerState,
): void {
  options.observer?.({
    kind: "refused",
    ...context.key,
    at: options.now(),
    requestId: context.requestId,
    status: error.status,
    errorType: error.type,
    text: error.message,
    trueTokens: tokens,
    injected,
  });
}
