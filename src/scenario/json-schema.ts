import { scenarioSchema } from "./schema.ts";
import type { SchemaNode } from "./schema-walk.ts";
import { unwrapped } from "./schema-walk.ts";

/** The published JSON Schema of a scenario file (draft 2020-12), as the text of `scenarios/scenario.schema.json`: for editors (Y1). */
export function scenarioJsonSchema(): string {
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "A longhaul scenario",
    ...nodeSchema(scenarioSchema as SchemaNode),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

type Json = Readonly<Record<string, unknown>>;

function nodeSchema(node: SchemaNode): Json {
  return { ...typeSchema(node), ...Object.assign({}, ...(node.pipe ?? []).map(actionSchema)) };
}

function typeSchema(node: SchemaNode): Json {
  switch (node.type) {
    case "string":
    case "number":
    case "boolean":
      return { type: node.type };
    case "unknown":
      return {};
    case "literal":
      return { const: node.literal };
    case "picklist":
      return { enum: node.options };
    case "exact_optional":
    case "optional":
      return { ...wrappedSchema(node), ...(node.default === undefined ? {} : { default: node.default }) };
    case "nullable":
      return { anyOf: [wrappedSchema(node), { type: "null" }] };
    case "array":
      return { type: "array", ...(node.item === undefined ? {} : { items: nodeSchema(node.item) }) };
    case "record":
      return { type: "object", ...(node.value === undefined ? {} : { additionalProperties: nodeSchema(node.value) }) };
    case "union":
    case "variant":
      return { anyOf: (node.options as readonly SchemaNode[]).map(nodeSchema) };
    case "strict_object":
      return objectSchema(node);
    default:
      throw new RangeError(`no JSON Schema for a ${node.type}: add it where scenario files use it`);
  }
}

function wrappedSchema(node: SchemaNode): Json {
  return node.wrapped === undefined ? {} : nodeSchema(node.wrapped);
}

function objectSchema(node: SchemaNode): Json {
  const entries = Object.entries(node.entries ?? {}).filter(([, entry]) => unwrapped(entry).type !== "never");
  const required = entries.filter(([, entry]) => !entry.type.endsWith("optional")).map(([key]) => key);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([key, entry]) => [key, nodeSchema(entry)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

type Action = NonNullable<SchemaNode["pipe"]>[number];

/** A step of a pipe; the first step is the schema itself and adds nothing. */
function actionSchema(action: Action, index: number, pipe: readonly Action[]): Json {
  if (index === 0) return {};
  switch (action.type) {
    case "integer":
      return { type: "integer" };
    case "min_value":
      return { minimum: action.requirement };
    case "max_value":
      return { maximum: action.requirement };
    case "min_length":
      return pipe[0]?.type === "array" ? { minItems: action.requirement } : { minLength: action.requirement };
    case "url":
      return { format: "uri" };
    case "description":
      return { description: action.description };
    default:
      throw new RangeError(`no JSON Schema for the check ${action.type}: add it where scenario files use it`);
  }
}
