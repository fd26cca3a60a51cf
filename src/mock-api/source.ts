import type { QuerySource, WireRequest } from "../transcript/index.ts";

const querySources: readonly string[] = ["main", "compact", "session_memory", "context_collapse", "subagent"];

/** Who asks: what our own client says, or, for a foreign client, what the form of the request tells (F1). */
export function sourceOf(headers: Readonly<Record<string, string>>, body: WireRequest | undefined): QuerySource {
  const said = headers["x-longhaul-source"];
  if (said !== undefined && querySources.includes(said)) return said as QuerySource;
  return body !== undefined && isCompactionRequest(body) ? "compact" : "main";
}

/** A compaction request asks for `<summary>` at the end of the last user message. */
export function isCompactionRequest(body: WireRequest): boolean {
  const last = body.messages.at(-1);
  if (last === undefined || last.role !== "user") return false;
  const text =
    typeof last.content === "string" ? last.content : last.content.findLast((block) => block.type === "text")?.text;
  return typeof text === "string" && text.slice(-promptTail).includes("<summary>");
}

/** Characters: the instruction of a compaction prompt stands within them. */
const promptTail = 12_000;
