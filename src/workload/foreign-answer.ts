import type { Rng } from "../determinism/index.ts";
import type { WireRequest, WireTool } from "../transcript/index.ts";
import { blocksOf } from "./request-view.ts";
import type { AnswerBlock, ModelReply } from "./workload.ts";

/**
 * The answer to a request that knows nothing of this world: some rounds of calls of the request's own tools, with inputs that fit their schemas,
 * then a text. It depends on the request alone.
 */
export function answerForeign(request: WireRequest, rng: Rng): ModelReply {
  const asked = request.messages.findLastIndex(
    (message) => message.role === "user" && blocksOf(message.content).some((block) => block.type === "text"),
  );
  const rounds = request.messages.slice(asked + 1).filter((message) => message.role === "assistant").length;
  const draw = rng.fork("foreign", asked, rounds);
  const tools =
    request.tool_choice?.type === "none" ? [] : (request.tools ?? []).filter((tool) => tool.input_schema !== undefined);
  const planned = rng.fork("foreign", asked).integer(1, 4);
  if (tools.length === 0 || rounds >= planned)
    return { content: [say(`That is done, after ${rounds} tool rounds.`)], trace: [] };
  const tool = draw.pick(tools);
  return {
    content: [say("Let me look."), { kind: "tool-call", name: tool.name, input: inputFor(tool, draw) }],
    trace: [],
  };
}

function say(text: string): AnswerBlock {
  return { kind: "text", text };
}

type Schema = Readonly<Record<string, unknown>>;

function inputFor(tool: WireTool, rng: Rng): Readonly<Record<string, unknown>> {
  const value = valueFor((tool.input_schema ?? {}) as Schema, (tool.input_schema ?? {}) as Schema, rng, 0);
  return isSchema(value) ? value : {};
}

/** Nested schemas deeper than this get the plainest value. */
const deepest = 6;

function valueFor(schema: Schema, root: Schema, rng: Rng, depth: number): unknown {
  if (typeof schema.$ref === "string")
    return depth > deepest ? null : valueFor(refersTo(schema.$ref, root), root, rng, depth + 1);
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return rng.pick(schema.enum as unknown[]);
  const union = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(union)) return valueFor((union[0] ?? {}) as Schema, root, rng, depth + 1);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case "string":
      return sized(schema, rng);
    case "integer":
    case "number":
      return within(schema, rng);
    case "boolean":
      return rng.chance(0.5);
    case "null":
      return null;
    case "array": {
      const count = typeof schema.minItems === "number" ? schema.minItems : depth > deepest ? 0 : 1;
      return Array.from({ length: count }, (_, i) =>
        valueFor((schema.items ?? { type: "string" }) as Schema, root, rng.fork(i), depth + 1),
      );
    }
    default:
      return objectFor(schema, root, rng, depth);
  }
}

function objectFor(schema: Schema, root: Schema, rng: Rng, depth: number): Readonly<Record<string, unknown>> {
  const properties = isSchema(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const entries = Object.entries(properties).filter(([name]) => required.includes(name));
  return Object.fromEntries(
    entries.map(([name, property]) => [
      name,
      valueFor(isSchema(property) ? property : {}, root, rng.fork(name), depth + 1),
    ]),
  );
}

function refersTo(reference: string, root: Schema): Schema {
  let at: unknown = root;
  for (const part of reference.replace(/^#\//, "").split("/")) at = isSchema(at) ? at[part] : undefined;
  return isSchema(at) ? at : {};
}

function sized(schema: Schema, rng: Rng): string {
  if (schema.format === "uri") return "https://example.com/page";
  if (schema.format === "date") return "2026-01-01";
  if (schema.format === "date-time") return "2026-01-01T00:00:00Z";
  const shortest = typeof schema.minLength === "number" ? schema.minLength : 0;
  const longest = typeof schema.maxLength === "number" ? schema.maxLength : Infinity;
  const word = rng.pick(["README.md", "src/index.ts", "status", "main"]);
  return (word.length >= shortest ? word : word.padEnd(shortest, "x")).slice(0, longest);
}

function within(schema: Schema, rng: Rng): number {
  const bound = (name: string, otherwise: number): number =>
    typeof schema[name] === "number" ? schema[name] : otherwise;
  const low = Math.ceil(bound("minimum", bound("exclusiveMinimum", 0) + 1));
  return rng.integer(
    low,
    Math.max(low, Math.min(low + 9, Math.floor(bound("maximum", bound("exclusiveMaximum", low + 10) - 1)))),
  );
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
