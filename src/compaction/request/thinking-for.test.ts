import { expect, test } from "vitest";
import { aModel } from "../../testing/index.ts";
import type { WireBlock, WireMessage } from "../../transcript/index.ts";
import { lacksOpeningThinking, thinkingFor } from "./thinking-for.ts";

const model = (...thinking: ReturnType<typeof aModel>["thinking"]) => ({ ...aModel("claude-opus-4-5"), thinking });

test("V5: thinking is what the model takes, nearest to the wish, and nothing where it takes none of it", () => {
  expect(thinkingFor(model("disabled"), { type: "adaptive" }, 8_000)).toBeNull();
  expect(thinkingFor(model("enabled"), { type: "adaptive" }, 8_000)).toEqual({ type: "enabled", budget_tokens: 4_000 });
  expect(thinkingFor(model("adaptive"), { type: "enabled", budget_tokens: 2_000 }, 8_000)).toEqual({
    type: "adaptive",
  });
  expect(thinkingFor(model("enabled"), { type: "disabled" }, 8_000)).toBeNull();
  expect(thinkingFor(model("enabled"), null, 8_000)).toBeNull();
});

test("V5: a budget of 1 024 is still one, below there is none", () => {
  const wish = { type: "enabled", budget_tokens: 9_000 } as const;
  expect(thinkingFor(model("enabled"), wish, 2_048)).toEqual({ type: "enabled", budget_tokens: 1_024 });
  expect(thinkingFor(model("enabled"), wish, 2_047)).toBeNull();
});

test("RC4: opening thinking lacks where a tool loop is unfinished and its answer begins otherwise, and only there", () => {
  const result: WireBlock = { type: "tool_result" };
  const text: WireBlock = { type: "text", text: "x" };
  const call: WireBlock = { type: "tool_use" };
  const says = (role: WireMessage["role"], ...content: WireBlock[]): WireMessage => ({ role, content });
  const plain = (role: WireMessage["role"]): WireMessage => ({ role, content: "words" });
  for (const [messages, lacks] of [
    [[], false],
    [[says("user", result)], false],
    [[says("assistant", call), says("user", result)], true],
    [[says("assistant", call), says("user", result, text)], true],
    [[says("assistant", call), says("user", text)], false],
    [[says("assistant"), says("user", result)], true],
    [[says("assistant", { type: "thinking" }, call), says("user", result)], false],
    [[says("assistant", { type: "redacted_thinking" }, call), says("user", result)], false],
    [[says("user", call), says("user", result)], false],
    [[says("assistant", call), says("assistant", result)], false],
    [[plain("assistant"), says("user", result)], false],
    [[says("assistant", call), plain("user")], false],
  ] as const)
    expect([messages, lacksOpeningThinking(messages)]).toEqual([messages, lacks]);
});
