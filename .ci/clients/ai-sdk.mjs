// The AI SDK: a loop of its own, its stream schema is a closed union.
import { createAnthropic } from "@ai-sdk/anthropic";
import { generateText, stepCountIs, streamText, tool } from "ai";
import { z } from "zod";
import { expect, models, overflow, url } from "./case.mjs";

const anthropic = createAnthropic({ baseURL: `${url}/v1`, apiKey: "k" });
const lookup = tool({
  description: "look a key up",
  inputSchema: z.object({ key: z.string() }),
  execute: async ({ key }) => `value of ${key}`,
});

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
  expect(`ai, ${id}, plain`, plain.steps.length === 11 && plain.text.startsWith("All ten"));
  const errors = [];
  const streamed = streamText({ ...base, onError: ({ error }) => errors.push(error) });
  await streamed.consumeStream();
  const steps = await streamed.steps;
  expect(
    `ai, ${id}, streamed`,
    errors.length === 0 && steps.length === 11 && (await streamed.text).startsWith("All ten"),
  );
}
const refused = await generateText({ model: anthropic("claude-haiku-4-5"), prompt: overflow, maxRetries: 0 }).catch(
  (error) => error,
);
expect(
  "ai, overflow",
  refused.name === "AI_APICallError" &&
    refused.statusCode === 400 &&
    /prompt is too long: \d+ tokens/.test(refused.message),
);
