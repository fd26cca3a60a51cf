import type { WireRequest } from "../../transcript/index.ts";
import type { ApiError } from "../api-error.ts";
import { invalid } from "../api-error.ts";
import type { BlockFacts } from "../facts/block-facts.ts";
import type { RequestFacts } from "../facts/request-facts.ts";
import { GenerationCache } from "../generation-cache.ts";
import { isForced } from "../validate/sampling.ts";

/** Signed compaction blocks that this server gave out: signature to summary (K4). */
export interface CompactionRegistry {
  add(signature: string, content: string): void;
  find(signature: string): string | undefined;
}

export function createCompactionRegistry(): CompactionRegistry {
  const given = new GenerationCache<string, string>(1_000);
  return { add: (signature, content) => given.set(signature, content), find: (signature) => given.get(signature) };
}

/** Distinct tools that a block can record. Modelled: the figure is not published. */
const mostToolReferences = 512;

export function isCompactionOnDemand(body: WireRequest): boolean {
  return (body.compaction ?? null) !== null;
}

/** Whether the compaction blocks in a request are what this server gave out, unchanged, one, and first. */
export function checkCompactionBlocks({ messages }: RequestFacts, registry: CompactionRegistry): ApiError | undefined {
  const signed: { readonly block: BlockFacts; readonly at: string; readonly isFirst: boolean }[] = [];
  messages.forEach((message, m) => {
    if (message.compactions === 0) return;
    for (const [i, block] of message.blocks.entries())
      if (block.type === "compaction" && typeof block.wire.signature === "string")
        signed.push({ block, at: `messages.${m}.content.${i}`, isFirst: m === 0 && i === 0 });
  });
  if (signed.length > 1)
    return invalid(
      `${signed[1]?.at}: only one \`compaction\` block with content may be sent`,
      "compaction_block_ambiguous",
    );
  const only = signed[0];
  if (only === undefined) return undefined;
  if (!only.isFirst)
    return invalid(
      `${only.at}: a \`compaction\` block must be the first block of the conversation`,
      "compaction_block_misplaced",
    );
  const given = registry.find(only.block.wire.signature as string);
  if (given === undefined)
    return invalid(`${only.at}: Invalid \`signature\` in \`compaction\` block`, "compaction_signature_invalid");
  if (given !== only.block.wire.content)
    return invalid(
      `${only.at}: the content of the \`compaction\` block is not what was signed`,
      "compaction_content_mismatch",
    );
  const changes = only.block.wire.tool_changes;
  if (Array.isArray(changes) && changes.length > 0)
    return invalid(
      `${only.at}: the \`tool_changes\` of the \`compaction\` block are not what was returned`,
      "compaction_tool_changes_mismatch",
    );
  return undefined;
}

/** Whether a compaction may be asked for here. */
export function checkCompactionRequest({ body, messages, tools }: RequestFacts): ApiError | undefined {
  if (!isCompactionOnDemand(body)) return undefined;
  const output = body.output_config as { readonly format?: unknown } | null | undefined;
  const clash = [
    ["context_management", (body.context_management ?? null) !== null],
    ["stop_sequences", ((body.stop_sequences ?? []) as readonly string[]).length > 0],
    ["output_config.format", (output?.format ?? body.output_format ?? null) !== null],
    ["tool_choice", isForced(body.tool_choice?.type)],
  ].find(([, isGiven]) => isGiven);
  if (clash !== undefined) return invalid(`compaction: cannot be combined with \`${clash[0]}\``);
  const said = messages.some(
    (message) => message.role !== "system" && message.blocks.some((block) => block.type !== "compaction"),
  );
  if (!said) return invalid("compaction: there is nothing to summarize", "compaction_nothing_to_summarize");
  const last = messages.findLast((message) => message.role !== "system");
  if (last?.role === "assistant" && last.toolUses > 0)
    return invalid("compaction: the conversation ends in an unfinished assistant turn", "compaction_incomplete_turn");
  if (tools.length > mostToolReferences)
    return invalid(
      `compaction: more than ${mostToolReferences} tools are referenced`,
      "compaction_too_many_tool_references",
    );
  return undefined;
}
