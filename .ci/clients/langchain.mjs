// ChatAnthropic of LangChain, in the plain loop of its documentation.
import { ChatAnthropic } from "@langchain/anthropic";
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { z } from "zod";
import { expect, expectLoop, models, overflow, url } from "./case.mjs";

const lookup = tool(async ({ key }) => `value of ${key}`, {
  name: "lookup",
  description: "look a key up",
  schema: z.object({ key: z.string() }),
});
const chat = (fields) =>
  new ChatAnthropic({ apiKey: "k", anthropicApiUrl: url, maxRetries: 0, maxTokens: 5_000, ...fields });

for (const { id, budget } of models)
  for (const streaming of [false, true]) {
    const thinking = budget === null ? { type: "adaptive" } : { type: "enabled", budget_tokens: budget };
    const llm = chat({ model: id, streaming, thinking }).bindTools([lookup]);
    const messages = [new HumanMessage("go")];
    const rounds = [];
    while (rounds.length < 15) {
      let answer;
      if (streaming)
        for await (const chunk of await llm.stream(messages))
          answer = answer === undefined ? chunk : answer.concat(chunk);
      else answer = await llm.invoke(messages);
      messages.push(answer);
      const calls = answer.tool_calls ?? [];
      if (calls.length === 0) break;
      const thought = Array.isArray(answer.content) && answer.content.some((block) => block.type === "thinking");
      rounds.push({ calls: calls.length, thought });
      for (const call of calls)
        messages.push(new ToolMessage({ tool_call_id: call.id, content: await lookup.invoke(call.args) }));
    }
    const said = JSON.stringify(messages.at(-1).content);
    expectLoop(`langchain, ${id}, ${streaming ? "streamed" : "plain"}`, rounds, said);
  }
const refused = await chat({ model: "claude-haiku-4-5" })
  .invoke(overflow)
  .catch((error) => error);
expect("langchain: an overflow is a ContextOverflowError", refused.name === "ContextOverflowError");
