import { cacheControl, contentBlock, systemMessageBlock, textBlock } from "./block-shapes.ts";
import type { Field, FormProblem, Need, Shape } from "./shape.ts";
import {
  anything,
  dictionary,
  flag,
  integer,
  isObject,
  listOf,
  matching,
  numberWithin,
  object,
  oneOf,
  optional,
  orNull,
  tagged,
  text,
  textOr,
} from "./shape.ts";

/** Form of a request body. Source: `MessageCreateParamsBase`, plain and beta, of SDK 1.14 (A6). */

const effort = oneOf("low", "medium", "high", "xhigh", "max");
const format = object({ type: oneOf("json_schema"), schema: dictionary });
const type: Shape = anything;

const binding = optional(orNull(object({ prefix_mismatch_behavior: optional(orNull(oneOf("error", "drop_block"))) })), [
  "thinking-binding-controls-2026-08-01",
]);
const display = optional(orNull(oneOf("summarized", "omitted", "updates")));

const thinking = tagged({
  enabled: object({ type, budget_tokens: integer(0), display, block_binding: binding }),
  adaptive: object({ type, display, block_binding: binding }),
  disabled: object({ type }),
  between_tools: object({ type }),
});

const parallel = optional(flag);
const toolChoice = tagged({
  auto: object({ type, disable_parallel_tool_use: parallel }),
  any: object({ type, disable_parallel_tool_use: parallel }),
  tool: object({ type, name: text, disable_parallel_tool_use: parallel }),
  none: object({ type }),
});

const customTool = object({
  type: optional(anything),
  name: matching(/^[a-zA-Z0-9_-]{1,128}$/, "^[a-zA-Z0-9_-]{1,128}$", 128),
  input_schema: schemaOfObject,
  description: optional(text),
  cache_control: optional(cacheControl),
  allowed_callers: optional(listOf(text)),
  defer_loading: optional(orNull(flag)),
  eager_input_streaming: optional(orNull(flag)),
  input_examples: optional(listOf(dictionary)),
  strict: optional(orNull(flag)),
});

function schemaOfObject(value: unknown): FormProblem | undefined {
  if (!isObject(value)) return { path: "", text: "Input should be a valid dictionary" };
  if (value.type === undefined) return { path: "type", text: "Field required" };
  return value.type === "object" ? undefined : { path: "type", text: "Input should be 'object'" };
}

/** Tools that the API itself defines are known by the beginning of their type; their settings are not modelled. */
const definedTools =
  /^(bash|browser_toolset|code_execution|computer|computer_toolset|memory|text_editor|web_search|web_fetch|tool_search_tool_(bm25|regex)|advisor|mcp_toolset)(_\d{8})?$/;

const tool: Shape = (value, needs) => {
  if (isObject(value) && typeof value.type === "string" && definedTools.test(value.type)) {
    const problem = orNull(cacheControl)(value.cache_control ?? null, needs);
    return problem === undefined ? undefined : { path: `cache_control.${problem.path}`, text: problem.text };
  }
  if (isObject(value) && value.type === null)
    return tagged({ custom: customTool })({ ...value, type: "custom" }, needs);
  return tagged({ custom: customTool }, "custom")(value, needs);
};

const tokens = object({ type: oneOf("input_tokens"), value: integer(0) });
const contextManagement = object({
  edits: optional(
    listOf(
      tagged({
        clear_tool_uses_20250919: object({
          type,
          trigger: optional(tagged({ input_tokens: tokens, tool_uses: object({ type, value: integer(0) }) })),
          keep: optional(object({ type: oneOf("tool_uses"), value: integer(0) })),
          clear_at_least: optional(orNull(tokens)),
          exclude_tools: optional(orNull(listOf(text))),
          clear_tool_inputs: optional(
            orNull((value) => (typeof value === "boolean" ? undefined : listOf(text)(value, []))),
          ),
        }),
        clear_thinking_20251015: object({
          type,
          keep: optional((value, needs) =>
            value === "all"
              ? undefined
              : tagged({ thinking_turns: object({ type, value: integer(1) }), all: object({ type }) })(value, needs),
          ),
        }),
        compact_20260112: object({
          type,
          trigger: optional(orNull(tokens)),
          instructions: optional(orNull(text)),
          pause_after_compaction: optional(flag),
        }),
      }),
    ),
  ),
});

const contextBetas = ["context-management-2025-06-27", "compact-2026-01-12"];

/** Everything but `messages`, `tools` and `system`, which are remembered piece by piece. */
const topLevel: Readonly<Record<string, Field>> = {
  model: text,
  max_tokens: integer(0),
  messages: anything,
  system: optional(anything),
  tools: optional(anything),
  stream: optional(orNull(flag)),
  stop_sequences: optional(orNull(listOf(text))),
  temperature: optional(orNull(numberWithin(0, 1))),
  top_p: optional(orNull(numberWithin(0, 1))),
  top_k: optional(orNull(integer(0))),
  metadata: optional(orNull(object({ user_id: optional(orNull(text)) }))),
  service_tier: optional(orNull(oneOf("auto", "standard_only"))),
  speed: optional(orNull(oneOf("standard", "fast"))),
  inference_geo: optional(orNull(text)),
  container: optional(orNull(textOr(dictionary))),
  diagnostics: optional(orNull(object({ previous_message_id: optional(orNull(text)) }))),
  cache_control: optional(cacheControl),
  thinking: optional(orNull(thinking)),
  tool_choice: optional(orNull(toolChoice)),
  output_config: optional(
    orNull(
      object({
        effort: optional(orNull(effort)),
        format: optional(orNull(format)),
        task_budget: optional(
          orNull(object({ type: oneOf("tokens"), total: integer(1), remaining: optional(orNull(integer(0))) })),
          ["task-budgets-2026-03-13"],
        ),
      }),
    ),
  ),
  output_format: optional(orNull(format), ["structured-outputs-"]),
  context_management: optional(orNull(contextManagement), contextBetas),
  compaction: optional(orNull(object({ type: oneOf("summarize"), instructions: optional(orNull(text)) })), [
    "compact-2026-09-04",
  ]),
  mcp_servers: optional(listOf(dictionary), ["mcp-client-"]),
  fallbacks: optional(orNull(textOr(listOf(dictionary))), ["server-side-fallback-"]),
  fallback_credit_token: optional(orNull(textOr(dictionary)), ["fallback-credit-"]),
  billing_policy: optional(orNull(dictionary)),
  thread: optional(anything), // refused before the form is looked at, unless it is null
  user_profile_id: optional(text),
  workspace_id: optional(text),
};

export const requestShape: Shape = object(topLevel);
export const toolShape: Shape = tool;
export const systemShape: Shape = textOr(listOf(textBlock));

const turn = (role: string): Shape => object({ role: oneOf(role), content: textOr(listOf(contentBlock)) });
const systemTurn = object({
  role: oneOf("system"),
  content: optional(textOr(listOf(systemMessageBlock))),
  clear_at: optional(orNull(oneOf("next_user_message", "never")), ["mid-conversation-system-clear-at-2026-08-21"]),
  output_config: optional(orNull(object({ effort: optional(orNull(effort)) })), [
    "mid-conversation-output-config-2026-07-01",
  ]),
});
const turns: Readonly<Record<string, Shape>> = { user: turn("user"), assistant: turn("assistant"), system: systemTurn };

/** One message, by its role (V2). */
export const messageShape: Shape = (value: unknown, needs: Need[]) => {
  if (!isObject(value))
    return { path: "", text: "Input should be a valid dictionary or object to extract fields from" };
  const role = value.role;
  if (role === undefined) return { path: "role", text: "Field required" };
  const shape = typeof role === "string" && Object.hasOwn(turns, role) ? turns[role] : undefined;
  return shape === undefined
    ? { path: "role", text: "Input should be 'user', 'assistant' or 'system'" }
    : shape(value, needs);
};
