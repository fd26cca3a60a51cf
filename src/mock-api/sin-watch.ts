import type { QuerySource, WireMessage } from "../transcript/index.ts";
import type { ApiError } from "./api-error.ts";
import type { RequestFacts } from "./facts/request-facts.ts";
import type { RequestContext } from "./request-context.ts";
import type { ClientSin } from "./sins.ts";

/** Watches what clients do after they were refused or cut off (F3). One memory for each source. */
export interface SinWatch {
  /** A request has come: what it does against the last answer to its source. `tokens` are its true tokens. */
  arrived(context: RequestContext, facts: RequestFacts, tokens: number, now: number): void;
  refused(
    context: RequestContext,
    facts: RequestFacts,
    tokens: number,
    error: Pick<ApiError, "status" | "message">,
    retryAt: number | null,
  ): void;
  /** `cut`: what of a streamed answer arrived, where it did not arrive whole. */
  served(context: RequestContext, cut: CutAnswer | null): void;
}

/** What was sent of an answer that was cut. */
export interface CutAnswer {
  /** Of blocks whose end was sent. A client that has run a whole call keeps it, and what stood before it (compaction.md RC4). */
  readonly whole: { readonly toolUseIds: readonly string[]; readonly texts: readonly string[] };
  /** Of the block in which the stream was cut: nobody keeps that. */
  readonly broken: { readonly toolUseId: string | null; readonly text: string };
}

interface Memory {
  readonly refusal?: {
    readonly status: number;
    readonly isTooLong: boolean;
    readonly tokens: number;
    readonly print: string;
  };
  readonly retryAt?: number;
  readonly cut?: CutAnswer;
}

/** Statuses of a refusal that the same request will meet again. */
const deterministic: readonly number[] = [400, 401, 403, 404, 413];
const hopeless: readonly number[] = [401, 403, 404];
/** Milliseconds by which a client's timer may be early. */
const earlyTolerance = 5;

export function createSinWatch(report: (sin: ClientSin, detail: string, context: RequestContext) => void): SinWatch {
  const memories = new Map<QuerySource, Memory>();
  return {
    arrived: (context, facts, tokens, now) => {
      const memory = memories.get(context.key.source);
      if (memory === undefined) return;
      const { refusal, retryAt, cut } = memory;
      if (retryAt !== undefined && now < retryAt - earlyTolerance)
        report(
          "ignored-retry-after",
          `came ${Math.round(retryAt - now)} ms before the time that retry-after gave`,
          context,
        );
      if (refusal?.isTooLong === true && tokens > refusal.tokens)
        report("longer-after-too-long", `${tokens} tokens after ${refusal.tokens} were refused as too long`, context);
      if (refusal !== undefined && deterministic.includes(refusal.status) && refusal.print === printOf(facts)) {
        const sin = hopeless.includes(refusal.status) ? "retried-hopeless" : "identical-after-refusal";
        report(sin, `sent again what was refused with ${refusal.status}`, context);
      }
      if (cut !== undefined && holdsCutAnswer(facts.body.messages, cut))
        report("took-cut-for-complete", "the conversation goes on from an answer whose end was never sent", context);
    },
    refused: (context, facts, tokens, error, retryAt) => {
      const isTooLong = /too long|exceed context limit/i.test(error.message);
      memories.set(context.key.source, {
        refusal: { status: error.status, isTooLong, tokens, print: printOf(facts) },
        ...(retryAt === null ? {} : { retryAt }),
      });
      const sin = sinBehind(error.message);
      if (sin !== undefined) report(sin, error.message.slice(0, 200), context);
    },
    served: (context, cut) => {
      if (cut === null) memories.delete(context.key.source);
      else memories.set(context.key.source, { cut });
    },
  };
}

/** What a client must have done to be told so. */
function sinBehind(message: string): ClientSin | undefined {
  if (message.includes("ids were found without `tool_result` blocks")) return "lost-tool-result";
  if (message.includes("cannot be modified") || message.includes("Invalid `signature`")) return "edited-thinking";
  return message.startsWith("A maximum of 4 blocks with cache_control") ? "too-many-breakpoints" : undefined;
}

/** Tells requests apart without reading them whole: hashes of the parts are there already. */
function printOf({ body, messages, system, tools }: RequestFacts): string {
  let a = 0;
  for (const { blocks } of messages) for (const block of blocks) a = Math.imul(a ^ block.a, 0x85ebca6b) ^ block.b;
  for (const block of [...system, ...tools]) a = Math.imul(a ^ block.a, 0x85ebca6b) ^ block.b;
  return `${body.model}/${body.max_tokens}/${body.stream === true}/${JSON.stringify(body.thinking)}/${messages.length}/${a}`;
}

/** Whether the conversation goes on from what was cut, as if that had been an answer. */
function holdsCutAnswer(messages: readonly WireMessage[], { whole, broken }: CutAnswer): boolean {
  const last = messages.findLast((message) => message.role === "assistant");
  if (last === undefined) return false;
  const blocks = typeof last.content === "string" ? [{ type: "text", text: last.content }] : last.content;
  const texts = blocks.flatMap((block) => (block.type === "text" ? [block.text as string] : []));
  const calls = blocks.flatMap((block) => (block.type === "tool_use" ? [block.id as string] : []));
  if (broken.text !== "" && texts.includes(broken.text)) return true;
  if (broken.toolUseId !== null && calls.includes(broken.toolUseId)) return true;
  return !calls.some((id) => whole.toolUseIds.includes(id)) && texts.some((text) => whole.texts.includes(text));
}
