import type { ModelInfo } from "./model-info.ts";
import table from "./models.json" with { type: "json" };

/** All models of `models.json`, in its order: newest first within a family. */
export const models: readonly ModelInfo[] = (table.models as readonly ModelRow[]).map(toModelInfo);

/** The model of that id, or of a dated snapshot of it (`claude-opus-4-5-20251101`); undefined where it is not known. */
export function findModel(id: string): ModelInfo | undefined {
  return models.find(
    (model) => model.id === id || (id.startsWith(`${model.id}-`) && /^-\d{8}$/.test(id.slice(model.id.length))),
  );
}

/** As the file has it: what most models share is left out there. */
type ModelRow = Omit<ModelInfo, "prefixBound" | "forcedToolChoice" | "longContext" | "thinking"> & {
  readonly thinking: readonly string[];
  readonly prefixBound?: boolean;
  readonly forcedToolChoice?: boolean;
  readonly longContext?: { readonly aboveTokens: number; readonly times: number };
};

function toModelInfo(row: ModelRow): ModelInfo {
  return {
    id: row.id,
    contextWindow: row.contextWindow,
    maxOutput: row.maxOutput,
    dollarsPerMTok: row.dollarsPerMTok,
    minCacheableTokens: row.minCacheableTokens,
    thinking: row.thinking.filter(isThinkingType),
    prefixBound: row.prefixBound ?? false,
    forcedToolChoice: row.forcedToolChoice ?? true,
    tokenizer: row.tokenizer,
    prefill: row.prefill,
    cacheEditing: row.cacheEditing,
    longContext: row.longContext ?? null,
  };
}

function isThinkingType(type: string): type is ModelInfo["thinking"][number] {
  return type === "adaptive" || type === "enabled" || type === "disabled" || type === "between_tools";
}
