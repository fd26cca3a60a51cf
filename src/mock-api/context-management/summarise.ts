import type { WireRequest } from "../../transcript/index.ts";
import type { ModelContext, ModelPort } from "../ports.ts";

/** What a compaction by the server brought. `summary` is null where the model wrote none. */
export interface ServerSummary {
  readonly summary: string | null;
  /** The whole text that the model wrote: it is paid for. */
  readonly written: string;
  /** The request that was summarised, with the instruction. */
  readonly request: WireRequest;
  readonly trace: readonly unknown[];
}

/** The server's own prompt. Own words; `instructions` of the request replace it (K4). */
const instruction =
  "Write a summary of the conversation so far, so that the work can go on from it alone: what the user wants, what was decided and why, what was found and changed, what is still open, and the next step. Put the summary between <summary> and </summary>.";

export function summarise(
  body: WireRequest,
  instructions: string | null | undefined,
  model: ModelPort,
  context: ModelContext,
): ServerSummary {
  const asked =
    instructions === undefined || instructions === null || instructions.trim() === ""
      ? instruction
      : `${instructions}\n\nPut the summary between <summary> and </summary>.`;
  const request: WireRequest = { ...body, messages: [...body.messages, { role: "user", content: asked }] };
  const said = model(request, { ...context, source: "compact" });
  const written = said.content.map((block) => (block.kind === "text" ? block.text : "")).join("");
  const start = written.indexOf("<summary>");
  const end = written.lastIndexOf("</summary>");
  const inner = start < 0 ? written : written.slice(start + "<summary>".length, end > start ? end : undefined);
  const summary = inner.trim();
  return { summary: summary === "" ? null : summary, written, request, trace: said.trace };
}
