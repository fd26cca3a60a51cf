// The AI SDK: a loop of its own, its stream schema is a closed union.
import { createAnthropic } from "@ai-sdk/anthropic";
import { generateText, stepCountIs, streamText, tool } from "ai";
import { z } from "zod";
import { expect, expectLoop, models, overflow, url } from "./case.mjs";

const anthropic = createAnthropic({ baseURL: `${url}/v1`, apiKey: "k" });
const lookup = tool({
  description: "look a key up",
  inputSchema: z.object({ key: z.string() }),
  execute: async ({ key }) => `value of ${key}`,
});
const roundsOf = (steps) =>
  steps
    .filter((step) => step.toolCalls.length > 0)
    .map((step) => ({ calls: step.toolCalls.length, thought: Boolean(step.reasoningText) }));

for (const { id, budget } of models) {
  const thinking = budget === null ? { type: "adaptive" } : { type: "enabled", budgetTokens: budget };
  const base = {
    model: anthropic(id),
    tools: { lookup },
    stopWhen: stepCountIs(20),
    prompt: "go",
    maxRetries: 0,
    providerOptions: { anthropic: { thinking } },
  };
  const plain = await generateText(base);
  expectLoop(`ai, ${id}, plain`, roundsOf(plain.steps), plain.text);
  const errors = [];
  const streamed = streamText({ ...base, onError: ({ error }) => errors.push(error) });
  await streamed.consumeStream();
  expectLoop(`ai, ${id}, streamed`, roundsOf(await streamed.steps), await streamed.text);
  expect(`ai, ${id}, streamed: no error`, errors.length === 0);
}
const refused = await generateText({ model: anthropic("claude-haiku-4-5"), prompt: overflow, maxRetries: 0 }).catch(
  (error) => error,
);
expect(
  "ai: an overflow is an AI_APICallError with status 400 and the text of the API",
  refused.name === "AI_APICallError" &&
    refused.statusCode === 400 &&
    /prompt is too long: \d+ tokens/.test(refused.message),
);
