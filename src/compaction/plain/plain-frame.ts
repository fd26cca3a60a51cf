import type { ModelInfo } from "../../tokens/index.ts";
import { findModel } from "../../tokens/index.ts";
import type { WireBlock, WireRequest, WireThinking, WireTool } from "../../transcript/index.ts";
import type { MainThread } from "../request/fork-request.ts";
import { overheadOf } from "../request/overhead.ts";
import { UnknownModel } from "./plain-error.ts";
import type { PlainRequest } from "./plain-options.ts";

/** The fixed part of a plain session's requests, read once. */
export interface PlainFrame {
  readonly parts: MainThread["frame"];
  readonly maxTokens: number;
  /** Estimate of system prompt and tools, in tokens. */
  readonly overheadTokens: number;
  /** The body of a request of the conversation itself. */
  mainBody(wire: WireRequest): object;
  /** The body of a request beside it: without what would force, shape or cut its answer. */
  forkBody(wire: WireRequest): object;
}

/** Throws `UnknownModel`. */
export function readFrame(request: Omit<PlainRequest, "messages">, given?: ModelInfo): PlainFrame {
  const { system = "", tools = [], thinking = null, cache_control: _, stream: __, ...rest } = request as Fields;
  const model = given ?? findModel(request.model);
  if (model === undefined) throw new UnknownModel(request.model);
  const overhead = overheadOf(system, tools);
  const body = (shared: object, wire: WireRequest): object => ({
    ...shared,
    max_tokens: wire.max_tokens,
    messages: wire.messages,
    ...(wire.system && { system: wire.system }),
    ...(wire.tools && { tools: wire.tools }),
    ...(wire.thinking && { thinking: fits(thinking, wire) ? thinking : wire.thinking }),
  });
  return {
    parts: { pins: [], carryPins: false, system, tools, model, answersAs: model.id, thinking },
    maxTokens: request.max_tokens,
    overheadTokens: overhead.system + overhead.tools,
    mainBody: (wire) => body(rest, wire),
    forkBody: (wire) => body(withoutAnswerShape(rest, wire.tools !== undefined), wire),
  };
}

/** What the session reads of a request; all else passes through. */
interface Fields {
  readonly system?: string | readonly WireBlock[];
  readonly tools?: readonly WireTool[];
  readonly thinking?: WireThinking | null;
  readonly [field: string]: unknown;
}

/** The caller's own thinking goes out as written, unless it has to rest (RC4) or its budget is too large for a fork. */
function fits(
  own: WireThinking | null,
  { thinking, max_tokens }: Pick<WireRequest, "thinking" | "max_tokens">,
): boolean {
  if (own?.type !== thinking?.type) return false;
  return own?.type !== "enabled" || own.budget_tokens < max_tokens;
}

function withoutAnswerShape(fields: Readonly<Record<string, unknown>>, hasTools: boolean): object {
  const { stop_sequences: _, output_format: __, tool_choice: choice, output_config: output, ...rest } = fields;
  const { type } = (choice ?? {}) as { readonly type?: string };
  const { format: ___, ...effort } = (output ?? {}) as Readonly<Record<string, unknown>>;
  return {
    ...rest,
    ...(hasTools && (type === "auto" || type === "none") && { tool_choice: choice }),
    ...(Object.keys(effort).length > 0 && { output_config: effort }),
  };
}
