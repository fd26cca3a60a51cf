import type { ModelInfo } from "../../tokens/index.ts";
import { findModel } from "../../tokens/index.ts";
import type { WireRequest } from "../../transcript/index.ts";
import type { ApiError } from "../api-error.ts";
import { invalid, notFound } from "../api-error.ts";
import type { Call } from "../call.ts";
import { malformedJson } from "../call.ts";
import type { RequestFacts } from "../facts/request-facts.ts";

/** A body whose V1 fields are right. */
export interface Basics {
  readonly body: WireRequest;
  readonly model: ModelInfo;
}

/** Bytes of a body that the edge lets through. */
const bodyLimit = 32 * 1024 * 1024;

const tooLarge: ApiError = {
  status: 413,
  type: "request_too_large",
  message: "Request exceeds the maximum size",
  fromEdge: true,
};

/** V1: the size of a body that could be read. Measured on what it holds, so that every transport refuses the same requests. */
export function checkBodySize({ last }: RequestFacts): ApiError | undefined {
  return last.bytes > bodyLimit ? tooLarge : undefined;
}

/** V1: JSON, model, max_tokens. What needs the whole form known is in `sampling.ts`. */
export function checkBasics(call: Call): ApiError | Basics {
  if (call.body === malformedJson && (call.bodyBytes ?? 0) > bodyLimit) return tooLarge;
  const { body } = call;
  if (body === malformedJson) return invalid("The request body is not valid JSON.");
  if (body === null || typeof body !== "object" || Array.isArray(body))
    return invalid("Input should be a valid dictionary or object to extract fields from");
  const fields = body as Readonly<Record<string, unknown>>;
  const id = fields.model;
  if (id === undefined) return invalid("model: Field required");
  if (typeof id !== "string") return invalid("model: Input should be a valid string");
  const model = findModel(id);
  if (model === undefined) return notFound(`model: ${id}`);
  const maxTokens = fields.max_tokens;
  if (maxTokens === undefined) return invalid("max_tokens: Field required");
  if (typeof maxTokens !== "number" || !Number.isInteger(maxTokens))
    return invalid("max_tokens: Input should be a valid integer");
  if (maxTokens < 0) return invalid("max_tokens: Input should be greater than or equal to 0");
  if (maxTokens > model.maxOutput)
    return invalid(
      `max_tokens: ${maxTokens} > ${model.maxOutput}, which is the maximum allowed number of output tokens for ${id}`,
    );
  return { body: body as WireRequest, model };
}
