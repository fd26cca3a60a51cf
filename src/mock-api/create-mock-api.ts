import { findModel } from "../tokens/index.ts";
import type { ApiError } from "./api-error.ts";
import { notFound } from "./api-error.ts";
import type { Call, Reply } from "./call.ts";
import { trueTokens } from "./count/true-tokens.ts";
import { countTokens } from "./count-tokens-endpoint.ts";
import { digitsOf } from "./identity.ts";
import { createMessage } from "./messages-endpoint.ts";
import type { MockApi } from "./mock-api.ts";
import { listModels, retrieveModel } from "./models-endpoint.ts";
import type { MockApiOptions } from "./options.ts";
import { refusal } from "./refusal.ts";
import { createServerState } from "./server-state.ts";
import { createBodyParser } from "./transports/body-parser.ts";
import { callOf } from "./transports/call-of.ts";
import { toResponse } from "./transports/response.ts";
import { checkKey } from "./validate/auth.ts";

/** Mean bytes of a chunk where the options do not say: a few chunks for an ordinary answer. */
const defaultChunk = 700;

/** A mock of the Messages API for one run; see `MockApi` for what it promises. */
export function createMockApi(options: MockApiOptions): MockApi {
  const state = createServerState(options);
  const chunking = options.chunking ?? defaultChunk;
  const parse = createBodyParser();
  let others = 0;

  /** Everything but POST /v1/messages: named by order. */
  const answerOther = (call: Call, path: string, requestId: string): Reply => {
    const refuse = (error: ApiError): Reply => refusal(error, requestId);
    const give = (value: unknown): Reply => ({
      status: 200,
      headers: { "request-id": requestId },
      body: { kind: "json", value },
      latency: { first: quickMs, before: [] },
    });
    const settle = (result: ApiError | { readonly found: unknown }): Reply =>
      "found" in result ? give(result.found) : refuse(result);
    const unauthorised = checkKey(call.headers, options.apiKeys);
    if (unauthorised !== undefined) return refuse(unauthorised);
    if (call.method === "POST" && path === "/v1/messages/count_tokens") return settle(countTokens(call, state));
    if (call.method === "GET" && path === "/v1/models") return settle(listModels(call.path));
    if (call.method === "GET" && path.startsWith("/v1/models/"))
      return settle(retrieveModel(path.slice("/v1/models/".length)));
    return refuse(notFound("Not found"));
  };

  const api: MockApi = {
    serve: (call) => {
      const path = call.path.split("?")[0] ?? "";
      const isMessage = call.method === "POST" && path === "/v1/messages";
      if (isMessage && checkKey(call.headers, options.apiKeys) === undefined) return createMessage(call, state);
      return answerOther(call, path, `req_${digitsOf(options.rng, `other/${others++}`, 24)}`);
    },
    responseOf: (reply, toOurClient) =>
      toResponse(reply, toOurClient, chunking, options.rng.fork("chunks", reply.headers["request-id"] ?? "")),
    respond: async (call) => {
      const toOurClient = call.headers["x-longhaul-source"] !== undefined;
      const reply = api.serve(call);
      if (reply.latency.first === "never" && !toOurClient) await neverSettles;
      return api.responseOf(reply, toOurClient);
    },
    handle: async (request) => api.respond(await callOf(request, parse)),
    countTrueTokens: (body) => {
      const model = findModel(body.model);
      return model === undefined ? undefined : trueTokens(state.reader.read(body, model));
    },
  };
  return api;
}

/** Virtual milliseconds of an answer that needs no model. Modelled. */
const quickMs = 150;

const neverSettles = new Promise<never>(() => {});
