import { expect, test } from "vitest";
import { createRng } from "../../determinism/index.ts";
import { malformedJson } from "../call.ts";
import { createMockApi } from "../create-mock-api.ts";
import { providerProfiles } from "../options.ts";
import { answers, callWith, createRig, messageOf, refusalText, text, user } from "../test-rig.ts";

const long = user("word ".repeat(60_000));

test("V8: input above the window is refused with the numbers; at the window it is accepted", () => {
  const tokens = createRig().api.countTrueTokens({
    model: "claude-opus-4-6",
    max_tokens: 1,
    messages: [long],
  }) as number;
  const tight = createRig({ windowOverride: tokens - 1 });
  expect(refusalText(tight.send({ messages: [long] }))).toBe(
    `prompt is too long: ${tokens} tokens > ${tokens - 1} maximum`,
  );
  expect(createRig({ windowOverride: tokens }).send({ messages: [long] }).status).toBe(200);
});

test("V8: the old output check counts input and max_tokens together, others answer and stop at the window", () => {
  const fields = { model: "claude-opus-4-5", max_tokens: 21_333, messages: [long] };
  const window = (createRig().api.countTrueTokens(fields) as number) + 1;
  const old = createRig({ windowOverride: window, profile: "legacy-output-check" }).send(fields);
  expect(refusalText(old)).toBe(
    `input length and \`max_tokens\` exceed context limit: ${window - 1} + 21333 > ${window}, decrease input length or \`max_tokens\` and try again`,
  );
  const long200 = { kind: "text" as const, text: "a long answer that does not fit ".repeat(20) };
  const now = createRig({ windowOverride: window, model: () => ({ content: [long200], trace: [] }) }).send(fields);
  expect(messageOf(now)).toMatchObject({ stop_reason: "model_context_window_exceeded", usage: { output_tokens: 1 } });
});

test("V9: every profile refuses an overflow in its own words", () => {
  const said = providerProfiles.map((profile) => {
    const reply = createRig({ profile, windowOverride: 100 }).send({ messages: [long] });
    return [profile, reply.status, refusalText(reply)?.replace(/\d+ tokens/, "N tokens")];
  });
  expect(said).toEqual([
    ["anthropic", 400, "prompt is too long: N tokens > 100 maximum"],
    ["bedrock", 400, "Input is too long for requested model."],
    ["vertex", 413, "Prompt is too long"],
    ["no-gap", 400, "prompt is too long"],
    ["strict-roles", 400, "prompt is too long: N tokens > 100 maximum"],
    ["legacy-output-check", 400, "prompt is too long: N tokens > 100 maximum"],
  ]);
});

test("V1: a body above 32 MB is refused by the edge, whose error has no outer type", () => {
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "A".repeat(8_380_000) } };
  const { api } = createRig();
  const four = [1, 2, 3, 4].map((n) => user([text(`image ${n}`), image]));
  expect(api.serve(callWith({ messages: four })).status).toBe(200);
  const reply = api.serve(callWith({ messages: [...four, user("word ".repeat(10_000))] }));
  expect(reply.status).toBe(413);
  const value = { error: { type: "request_too_large", message: "Request exceeds the maximum size" } };
  expect(reply.body).toEqual({ kind: "json", value });
  const garbage = { ...callWith({}), body: malformedJson };
  expect(api.serve({ ...garbage, bodyBytes: 32 * 1024 * 1024 + 1 }).status).toBe(413);
  expect(api.serve({ ...garbage, bodyBytes: 32 * 1024 * 1024 }).status).toBe(400);
});

test("V1: what is not JSON, or no object, is refused", () => {
  const { api } = createRig();
  for (const body of [malformedJson, undefined, null, [], "text", 3]) {
    const reply = api.serve({ ...callWith({}), body });
    expect(reply.status).toBe(400);
  }
});

test("A2: a key is needed, well formed, and one of those allowed", () => {
  const api = createMockApi({ model: answers, rng: createRng(1), now: () => 0, apiKeys: ["good"] });
  const status = (headers: Record<string, string>): number => api.serve({ ...callWith({}), headers }).status;
  expect(status({ "x-api-key": "good" })).toBe(200);
  expect(status({ authorization: "Bearer good" })).toBe(200);
  expect(
    [{}, { "x-api-key": "" }, { "x-api-key": "bad" }, { authorization: "Basic good" }, { "x-api-key": "go od" }].map(
      status,
    ),
  ).toEqual([401, 401, 401, 401, 401]);
});

test("A2: other endpoints are not found, query strings are ignored, versions are the two that exist", () => {
  const { api } = createRig();
  expect(api.serve({ ...callWith({}), path: "/v1/messages?beta=true" }).status).toBe(200);
  expect(api.serve({ ...callWith({}), path: "/v1/complete" }).status).toBe(404);
  expect(api.serve({ ...callWith({}), method: "GET" }).status).toBe(404);
  expect(refusalText(api.serve(callWith({}, { "anthropic-version": "2020-01-01" })))).toContain(
    "is not a valid version",
  );
});

test("A3, A4: a refusal names its request and says whether to retry", () => {
  const reply = createRig().send({ max_tokens: -1 });
  const { request_id, ...rest } = (reply.body as { value: Record<string, unknown> }).value;
  expect(rest).toMatchObject({ type: "error", error: { type: "invalid_request_error" } });
  expect(reply.headers["request-id"]).toBe(request_id);
  expect(reply.headers["x-should-retry"]).toBe("false");
});

test("A3: with a limit of input tokens a minute, what does not fit is refused until the bucket has refilled", () => {
  const rig = createRig({ inputTokensPerMinute: 30_000 });
  const words = { messages: [user("word ".repeat(22_000))] };
  const first = rig.send(words);
  expect(first.status).toBe(200);
  expect(Number(first.headers["anthropic-ratelimit-input-tokens-remaining"])).toBeLessThan(15_000);
  const second = rig.send(words);
  expect(second.status).toBe(429);
  expect(refusalText(second)).toContain("rate limit of 30,000 input tokens per minute");
  rig.now += Number(second.headers["retry-after"]) * 1_000;
  expect(rig.send(words).status).toBe(200);
});
