import { costOf } from "../tokens/index.ts";
import type { Usage } from "../transcript/index.ts";
import type { Envelope } from "./answer/message.ts";
import { wireMessage, wireUsage } from "./answer/message.ts";
import { shapeAnswer } from "./answer/shape-answer.ts";
import type { ApiError } from "./api-error.ts";
import { positionsOf } from "./cache/positions.ts";
import { createPromptCache } from "./cache/prompt-cache.ts";
import type { Call, Reply } from "./call.ts";
import type { TextCounter } from "./count/true-text.ts";
import type { RequestReader } from "./facts/request-facts.ts";
import type { MockApiOptions } from "./options.ts";
import { refusal } from "./refusal.ts";
import type { RequestContext } from "./request-context.ts";
import { createRequestNamer } from "./request-context.ts";
import { decodeMs, eventsOf, firstTokenMs } from "./stream/events-of.ts";
import { checkBasics } from "./validate/basics.ts";
import { checkSize } from "./validate/size.ts";

export interface MessagesEndpoint {
  create(call: Call): Reply;
}

/** POST /v1/messages: name, validate, count, price, answer. */
export function createMessagesEndpoint(
  options: MockApiOptions,
  texts: TextCounter,
  reader: RequestReader,
): MessagesEndpoint {
  const namer = createRequestNamer(options.rng);
  const cache = createPromptCache();
  const profile = options.profile ?? "anthropic";

  const refuse = (error: ApiError, context: RequestContext, tokens: number, injected: boolean): Reply => {
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
    return refusal(error, context.requestId);
  };

  return {
    create: (call) => {
      const now = options.now();
      const basics = checkBasics(call);
      if ("status" in basics) return refusal(basics, `req_${options.rng.fork("bad", now).hex(24)}`);
      const { body, model } = basics;
      const context = namer.next(call.headers, body);
      const facts = reader.read(body, model);
      const positions = positionsOf(facts, new Map());
      const window = Math.min(model.contextWindow, options.windowOverride ?? model.contextWindow);
      const inputTokens = positions.total;
      const tooBig = checkSize(facts, { profile, betas: new Set(), window, inputTokens, version: "" });
      if (tooBig !== undefined) return refuse(tooBig, context, inputTokens, false);

      const minTokens = model.minCacheableTokens ?? 1_024;
      const input = cache.lookUp(positions, minTokens, now);
      const startMs = firstTokenMs(inputTokens - input.read, input.read);
      cache.commit(positions, minTokens, now, now + startMs);
      const said = options.model(body, { source: context.key.source, rng: context.rng.fork("model"), nowMs: now });
      const thinkingOn = body.thinking !== undefined && body.thinking.type !== "disabled";
      const limits = {
        maxTokens: body.max_tokens,
        roomInWindow: window - inputTokens,
        thinkingOn,
        tokenizer: facts.tokenizer,
      };
      const answer = shapeAnswer(said, body, limits, texts, context.rng.fork("answer"));
      const usage = wireUsage(input, answer, { geo: null, speed: null, more: {} });
      const envelope: Envelope = {
        id: `msg_${context.rng.fork("message").hex(24)}`,
        model: body.model,
        usage,
        diagnostics: null,
        beta: {},
      };
      const write = input.write5m + input.write1h;
      options.observer?.({
        kind: "served",
        ...context.key,
        at: now,
        requestId: context.requestId,
        status: 200,
        trueTokens: inputTokens,
        usage: usage as Usage,
        dollars: costOf(usage as Usage, model).dollars,
        billed: { read: input.read, write, uncached: input.uncached, output: answer.outputTokens },
        stopReason: answer.stopReason,
        trace: answer.trace,
      });
      const headers = { "request-id": context.requestId };
      if (body.stream === true) {
        const { events, latency } = eventsOf(envelope, answer, startMs, context.rng.fork("stream"));
        return { status: 200, headers, body: { kind: "events", events }, latency };
      }
      const latency = { first: startMs + decodeMs(answer.outputTokens), before: [] };
      return { status: 200, headers, body: { kind: "json", value: wireMessage(envelope, answer) }, latency };
    },
  };
}
