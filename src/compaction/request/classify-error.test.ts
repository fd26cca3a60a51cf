import { expect, test } from "vitest";
import { classifyError } from "./classify-error.ts";

const of = (status: number | null, type: string | null, message: string | null) => {
  const { text: _, ...rest } = classifyError({ status, type, message });
  return rest;
};
const bad = (message: string) => of(400, "invalid_request_error", message);

test.each([
  ["prompt is too long: 207547 tokens > 200000 maximum", { class: "overflow", tokens: 207_547, limit: 200_000 }],
  ["prompt is too long: 207,547 tokens > 200,000 maximum", { class: "overflow", tokens: 207_547, limit: 200_000 }],
  ["prompt is too long: 207.547 tokens > 200.000 maximum", { class: "overflow", tokens: 207_547, limit: 200_000 }],
  ["prompt is too long: 207 547 tokens > 200 000 maximum", { class: "overflow", tokens: 207_547, limit: 200_000 }],
  ["prompt is too long: 207’547 tokens > 200’000 maximum", { class: "overflow", tokens: 207_547, limit: 200_000 }],
  ["prompt is too long: 1 tokens > 0 maximum", { class: "overflow", tokens: 1, limit: 0 }],
  ["ValidationException: Input is too long for requested model.", { class: "overflow" }],
  ["Prompt is too long", { class: "overflow" }],
  ["The input exceeds the model's context window", { class: "overflow" }],
  ["context_length_exceeded: context length exceeded", { class: "overflow" }],
  ["Too many input tokens", { class: "overflow" }],
  [
    "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again",
    { class: "output-overflow", tokens: 209_573, limit: 200_000 },
  ],
  [
    "messages.0.content.1.image.source.base64: image exceeds 10 MB maximum: 11414068 bytes > 10485760 bytes",
    { class: "media" },
  ],
  ["messages.3.content.0.document: too many PDF pages: 700, the maximum is 600", { class: "media" }],
])("RC2: %s", (message, expected) => {
  expect(bad(message)).toEqual(expected);
});

test.each([
  ["max_tokens: 250000 > 128000, which is the maximum allowed number of output tokens for M"],
  ["thinking.enabled.budget_tokens: Input should be greater than or equal to 1024"],
  ["messages: text content blocks must be non-empty"],
  ["This model does not support assistant message prefill. The conversation must end with a user message."],
  ["A maximum of 4 blocks with cache_control may be provided. Found 5."],
  ["system.0.widget: Extra inputs are not permitted"],
])("a 400 that is no overflow: %s", (message) => {
  expect(bad(message)).toEqual({ class: "permanent" });
});

test("a 429 is never an overflow, whatever it says, nor without a body", () => {
  expect(of(429, null, null)).toEqual({ class: "rate-limited" });
  const text =
    "This request would exceed your rate limit of 30,000 input tokens per minute. Please reduce the prompt length";
  expect(of(429, "rate_limit_error", text)).toEqual({ class: "rate-limited" });
  expect(of(429, "rate_limit_error", "prompt is too long: 9 tokens > 8 maximum")).toEqual({ class: "rate-limited" });
});

test("a 429 that no waiting cures is permanent: the plan does not allow such a long context", () => {
  const text = "Extra usage is required for long context requests.";
  expect(of(429, "rate_limit_error", text)).toEqual({ class: "permanent" });
});

test.each([
  [529, "overloaded_error", "overloaded"],
  [529, null, "overloaded"],
  [null, "overloaded_error", "overloaded"],
  [null, "api_error", "transient"],
  [null, null, "transient"],
  [500, "api_error", "transient"],
  [502, null, "transient"],
  [504, "timeout_error", "transient"],
  [408, null, "transient"],
  [401, "authentication_error", "auth"],
  [403, "permission_error", "auth"],
  [402, null, "auth"],
  [404, "not_found_error", "permanent"],
  [400, null, "permanent"],
  [413, "request_too_large", "media"],
  [413, null, "media"],
  [418, "a_new_error", "permanent"],
] as const)("RC5: status %s, type %s is %s", (status, type, expected) => {
  expect(of(status, type, "words").class).toBe(expected);
});

test("an overflow of Vertex is told by its words, though its status is 413", () => {
  expect(of(413, null, "Prompt is too long")).toEqual({ class: "overflow" });
});

test("where no body could be read, the text is ours and names the status", () => {
  expect(classifyError({ status: 502, type: null, message: null }).text).toBe("HTTP 502 without a readable error body");
});

test.each([
  [400, "api_error", "transient"],
  [400, "timeout_error", "transient"],
  [500, "authentication_error", "auth"],
  [500, "permission_error", "auth"],
  [500, "billing_error", "auth"],
  [500, "request_too_large", "media"],
  [500, "invalid_request_error", "permanent"],
  [500, "not_found_error", "permanent"],
  [409, null, "transient"],
  [403, null, "auth"],
  [500, null, "transient"],
  [499, null, "permanent"],
] as const)("RC5: a type that is known counts for more than the status: %s, %s is %s", (status, type, expected) => {
  expect(of(status, type, "words").class).toBe(expected);
});

test("RC2: media are told in the plural, too", () => {
  expect(bad("The document and the image exceed 5 MB")).toEqual({ class: "media" });
});

test("where a stream ends with an error that says nothing, the text is ours and names the type", () => {
  const textOf = (type: string | null) => classifyError({ status: null, type, message: null }).text;
  expect(textOf("api_error")).toBe("the stream ended with an error (api_error)");
  expect(textOf(null)).toBe("the stream ended with an error (untyped)");
});
