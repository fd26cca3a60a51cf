import { findModel } from "../tokens/index.ts";
import type { WireRequest } from "../transcript/index.ts";
import type { ApiError } from "./api-error.ts";
import { notFound } from "./api-error.ts";
import type { Call, Reply } from "./call.ts";
import { drawRates } from "./count/rates.ts";
import { createTextCounter } from "./count/true-text.ts";
import { trueTokens } from "./count/true-tokens.ts";
import { createRequestReader } from "./facts/request-facts.ts";
import { createMessagesEndpoint } from "./messages-endpoint.ts";
import type { MockApi } from "./mock-api.ts";
import type { MockApiOptions } from "./options.ts";
import { refusal } from "./refusal.ts";
import { callOf } from "./transports/call-of.ts";
import { toResponse } from "./transports/response.ts";
import { checkKey } from "./validate/auth.ts";

/** A mock of the Messages API for one run; see `MockApi` for what it promises. */
export function createMockApi(options: MockApiOptions): MockApi {
  const texts = createTextCounter(drawRates(options.rng.fork("rates")));
  const reader = createRequestReader(texts);
  const messages = createMessagesEndpoint(options, texts, reader);
  const chunking = options.chunking ?? 700;
  let outside = 0;

  const refuse = (error: ApiError): Reply => {
    const requestId = `req_${options.rng.fork("outside", outside++).hex(24)}`;
    return refusal(error, requestId);
  };
  const route = (call: Call): Reply => {
    const path = call.path.split("?")[0] ?? "";
    const unauthorised = checkKey(call.headers, options.apiKeys);
    if (unauthorised !== undefined) return refuse(unauthorised);
    if (call.method === "POST" && path === "/v1/messages") return messages.create(call);
    return refuse(notFound("Not found"));
  };
  const api: MockApi = {
    serve: route,
    responseOf: (reply, toOurClient) =>
      toResponse(reply, toOurClient, chunking, options.rng.fork("chunks", reply.headers["request-id"] ?? "")),
    handle: async (request) => {
      const call = await callOf(request);
      return api.responseOf(route(call), call.headers["x-longhaul-source"] !== undefined);
    },
    countTrueTokens: (body: WireRequest) => {
      const model = findModel(body.model);
      return model === undefined ? undefined : trueTokens(reader.read(body, model));
    },
  };
  return api;
}
