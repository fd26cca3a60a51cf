// pi's client: streams only; with message threads it first sends a `thread` and, refused, the whole conversation.
import { normalizeContext } from "@earendil-works/pi-ai";
import { stream, streamSimple } from "@earendil-works/pi-ai/api/anthropic-messages";
import { builtinModels } from "@earendil-works/pi-ai/providers/all";
import { expect, expectLoop, models, overflow, url } from "./case.mjs";

const catalogue = builtinModels();
const parameters = { type: "object", properties: { key: { type: "string" } }, required: ["key"] };

for (const { id } of models)
  for (const threads of [false, true]) {
    const known = catalogue.getModel("anthropic", id);
    const model = { ...known, baseUrl: url, compat: { ...known.compat, supportsMessageThreads: threads } };
    const context = {
      systemPrompt: "be brief",
      messages: [{ role: "user", content: "go", timestamp: 1 }],
      tools: [{ name: "lookup", description: "look a key up", parameters }],
    };
    const options = {
      apiKey: "k",
      reasoning: "medium",
      maxRetries: 0,
      ...(threads ? { sessionId: `session ${id}` } : {}),
    };
    const rounds = [];
    while (rounds.length < 15) {
      const answer = await streamSimple(model, normalizeContext(context), options).result();
      context.messages.push(answer);
      const calls = answer.content.filter((block) => block.type === "toolCall");
      if (calls.length === 0) break;
      rounds.push({ calls: calls.length, thought: answer.content.some((block) => block.type === "thinking") });
      for (const {
        id: toolCallId,
        name: toolName,
        arguments: { key },
      } of calls)
        context.messages.push({
          role: "toolResult",
          toolCallId,
          toolName,
          content: [{ type: "text", text: `value of ${key}` }],
          isError: false,
          timestamp: 1,
        });
    }
    const said = JSON.stringify(context.messages.at(-1).content);
    expectLoop(`pi, ${id}, streamed, ${threads ? "threads" : "no threads"}`, rounds, said);
  }
const small = { ...catalogue.getModel("anthropic", "claude-haiku-4-5"), baseUrl: url };
const context = normalizeContext({ messages: [{ role: "user", content: overflow, timestamp: 1 }] });
const refused = await stream(small, context, { apiKey: "k", maxRetries: 0 }).result();
expect(
  "pi: an overflow is an answer that stopped with `error` and the text of the API",
  refused.stopReason === "error" && refused.errorMessage.includes("prompt is too long"),
);
process.exit(process.exitCode ?? 0);
