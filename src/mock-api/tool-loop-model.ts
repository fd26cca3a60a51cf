import type { WireBlock, WireMessage, WireTool } from "../transcript/index.ts";
import type { AnswerBlock, ModelPort } from "./ports.ts";

/**
 * A model that knows no task: after each message of the user it calls the tools that it is offered, two at once, for so many rounds, and then says that
 * it is done. For trying clients whose tools are their own. Inputs are made to fit each tool's schema.
 */
export function createToolLoop(rounds: number): ModelPort {
  return ({ messages, tools = [] }) => {
    const round = roundsSince(messages);
    const thinking: AnswerBlock = { kind: "thinking", thinking: `Round ${round + 1} of ${rounds}.` };
    const usable = tools.filter((tool) => tool.input_schema !== undefined);
    if (usable.length === 0 || round >= rounds)
      return { content: [thinking, { kind: "text", text: `All ${round} rounds are done.` }], trace: [] };
    const calls = [2 * round, 2 * round + 1].map((n): AnswerBlock => {
      const tool = usable[n % usable.length] as WireTool;
      return { kind: "tool-call", name: tool.name, input: objectFor(tool.input_schema, n) };
    });
    return { content: [thinking, { kind: "text", text: `Round ${round + 1}` }, ...calls], trace: [] };
  };
}

/** Answers since the user last said something that is no tool result. */
function roundsSince(messages: readonly WireMessage[]): number {
  let rounds = 0;
  for (let i = messages.length - 1; i >= 0; i--) {
    const { role, content } = messages[i] as WireMessage;
    if (role === "assistant") rounds++;
    else if (role === "user" && (typeof content === "string" || !content.some(isResult))) break;
  }
  return rounds;
}

function isResult(block: WireBlock): boolean {
  return block.type === "tool_result";
}

type Schema = Readonly<Record<string, unknown>>;

function objectFor(schema: unknown, n: number): Readonly<Record<string, unknown>> {
  const { properties = {}, required = Object.keys(properties as object) } = (schema ?? {}) as {
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly required?: readonly string[];
  };
  return Object.fromEntries(required.map((name) => [name, valueFor(properties[name] ?? {}, `${name} ${n}`, n)]));
}

function valueFor(schema: Schema, text: string, n: number): unknown {
  if (Array.isArray(schema.enum)) return schema.enum[n % schema.enum.length];
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case "number":
    case "integer":
      return n;
    case "boolean":
      return n % 2 === 0;
    case "array":
      return schema.items === undefined ? [] : [valueFor(schema.items as Schema, text, n)];
    case "object":
      return objectFor(schema, n);
    case "null":
      return null;
    default:
      return text;
  }
}
