import type { ModelInfo } from "../tokens/index.ts";
import { findModel, models } from "../tokens/index.ts";
import type { ApiError } from "./api-error.ts";
import { invalid, notFound } from "./api-error.ts";

/** GET /v1/models, a page at a time (`limit`, `after_id`, `before_id`). */
export function listModels(path: string): ApiError | { readonly found: unknown } {
  const query = new URLSearchParams(path.split("?")[1] ?? "");
  const limit = Number(query.get("limit") ?? defaultLimit);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1_000)
    return invalid("limit: Input should be between 1 and 1000");
  const after = query.get("after_id");
  const before = query.get("before_id");
  const end = before === null ? models.length : models.findIndex((model) => model.id === before);
  const start =
    after === null
      ? Math.max(0, before === null ? 0 : end - limit)
      : models.findIndex((model) => model.id === after) + 1;
  const page = models.slice(start, Math.min(end, start + limit));
  return {
    found: {
      data: page.map(wireModel),
      first_id: page[0]?.id ?? null,
      last_id: page.at(-1)?.id ?? null,
      has_more: before === null ? start + page.length < models.length : start > 0,
    },
  };
}

/** GET /v1/models/{id}. */
export function retrieveModel(id: string): ApiError | { readonly found: unknown } {
  const model = findModel(decoded(id));
  return model === undefined ? notFound(`model: ${id}`) : { found: wireModel(model) };
}

const defaultLimit = 20;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Dates are not in the model table: one fixed date stands for all. */
const createdAt = "2026-01-01T00:00:00Z";

function wireModel(model: ModelInfo): Readonly<Record<string, unknown>> {
  const yes = { supported: true };
  const no = { supported: false };
  const takes = (type: ModelInfo["thinking"][number]): { supported: boolean } => ({
    supported: model.thinking.includes(type),
  });
  const [, line = null] = /^claude-(haiku|sonnet|opus|fable|mythos)/.exec(model.id) ?? [];
  return {
    id: model.id,
    type: "model",
    display_name: model.id.replace(/^claude-/, "Claude ").replaceAll("-", " "),
    created_at: createdAt,
    deprecated_at: null,
    retires_at: null,
    lifecycle: "active",
    line,
    max_input_tokens: model.contextWindow,
    max_tokens: model.maxOutput,
    allowed_fallback_models: null,
    capabilities: {
      batch: no,
      citations: no,
      code_execution: no,
      compaction: { supported: true, summarize: yes },
      context_management: {
        supported: true,
        clear_thinking_20251015: yes,
        clear_tool_uses_20250919: yes,
        compact_20260112: yes,
      },
      effort: { supported: true, low: yes, medium: yes, high: yes, xhigh: yes, max: yes },
      image_input: yes,
      pdf_input: yes,
      server_tools: { supported: false, code_execution: no, web_search: no },
      structured_outputs: no,
      thinking: {
        supported: true,
        types: {
          adaptive: takes("adaptive"),
          between_tools: takes("between_tools"),
          disabled: takes("disabled"),
          enabled: takes("enabled"),
        },
      },
    },
  };
}
