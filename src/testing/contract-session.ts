import type { AgentObserver, LoopEvent, ObjectReply, Strategy, View } from "../agent/index.ts";
import { createObjectClient } from "../agent/index.ts";
import type { ClockPort, CompactionEvent } from "../compaction/index.ts";
import type { Block, WireMessage, WireRequest } from "../transcript/index.ts";
import { findTranscriptProblems, newestHumanMessage } from "../transcript/index.ts";
import { aModel, driveAgent } from "./drive-agent.ts";
import type { MessageReply } from "./scripted-server.ts";
import { eventsOf } from "./scripted-server.ts";

/** What can go wrong with one request of a contract session. Those from `tool-call-summary` on hit only a request for a summary or for notes. */
export const contractFaults = [
  "prompt-too-long",
  "overloaded",
  "api-error",
  "rate-limited",
  "cut",
  "error-event",
  "stall",
  "no-connection",
  "max-tokens",
  "window-full",
  "refusal",
  "bad-request",
  "tool-call-summary",
  "empty-summary",
  "oversized-summary",
  "unclosed-draft",
] as const;
export type ContractFault = (typeof contractFaults)[number];

/** Which requests are hit, by their number from 1. */
export type FaultSchedule = ReadonlyMap<number, ContractFault>;

export interface ContractRun {
  readonly finished: boolean;
  readonly events: readonly (LoopEvent | CompactionEvent)[];
  /** What broke a promise, in words. */
  readonly violations: readonly string[];
  readonly faultsSeen: ReadonlySet<ContractFault>;
  readonly requests: number;
}

export const contractRounds = 24;
const windowTokens = 42_000;
const outputChars = 4_000;

/**
 * A short session in a small window, over the loop itself: the user asks, the model reads file after file, the window fills many times over.
 * The server counts a token for four characters and refuses what is longer than the window. Deterministic.
 */
export async function playContractSession(strategy: Strategy, faults: FaultSchedule = new Map()): Promise<ContractRun> {
  const violations: string[] = [];
  const faultsSeen = new Set<ContractFault>();
  let requests = 0;
  let wanted = 0;
  let calls = 0;

  const answerTo = (request: WireRequest, source: string): { reply: Reply; fault?: ContractFault } => {
    requests++;
    const tokens = Math.ceil(JSON.stringify([request.system ?? "", request.tools ?? [], request.messages]).length / 4);
    const scheduled = faults.get(requests);
    const fault = scheduled !== undefined && fits(scheduled, source) ? scheduled : undefined;
    if (fault !== undefined) faultsSeen.add(fault);
    const tooLong = tokens > windowTokens || fault === "prompt-too-long";
    if (tooLong) return { reply: { kind: "too-long", tokens: Math.max(tokens, windowTokens + 1) } };
    const content: Block[] =
      source === "main"
        ? wanted < contractRounds
          ? [
              { type: "text", text: "Next file." },
              { type: "tool_use", id: `t${++calls}`, name: "Read", input: {} },
            ]
          : [{ type: "text", text: "All is done." }]
        : [
            {
              type: "text",
              text: "<analysis>draft</analysis>\n<summary>\nThe user wants files read; some are.\n</summary>",
            },
          ];
    const message: MessageReply = { kind: "message", content, inputTokens: tokens, outputTokens: 40 };
    return fault === undefined ? { reply: message } : { reply: spoiled(message, fault, tokens), fault };
  };

  const watch: AgentObserver = {
    requestBuilt: ({ wire, projection, log }) => {
      for (const { kind, index } of findTranscriptProblems(wire.messages))
        violations.push(`${kind} at message ${index}`);
      const uuids = projection.map(({ uuid }) => uuid);
      if (new Set(uuids).size < uuids.length) violations.push("a message stands twice in the projection");
      const human = newestHumanMessage(log)?.content[0];
      const said = human?.type === "text" ? human.text : "";
      if (!wire.messages.some((message) => holds(message, said)))
        violations.push(`the newest human message is gone: ${said}`);
    },
  };

  return driveAgent(
    [],
    async ({ agent, events }) => {
      let finished = false;
      for (let turn = 1; turn <= contractRounds && !finished; turn++) {
        const result = await agent.turn(`Request ${turn}: please read on.`);
        finished = result.kind === "completed" && wanted >= contractRounds;
      }
      for (const event of events) if (event.kind === "contract_broken") violations.push(event.what);
      return { finished, events, violations, faultsSeen, requests };
    },
    (clock) => ({
      strategy: frozen(strategy),
      model: aModel("claude-sonnet-4-5"),
      fallbackModel: aModel("claude-haiku-4-5"),
      windowCap: windowTokens,
      observer: watch,
      config: { outputCapTokens: 4_000, maxIterations: 200 },
      tools: { run: async () => ({ content: `file ${++wanted}: ${"x".repeat(outputChars)}`, isError: false }) },
      client: createObjectClient({
        clock,
        answer: async ({ request, source }, _headers, signal) => {
          const { reply, fault } = answerTo(request, source);
          return toObjects(reply, fault, requests, clock, signal);
        },
      }),
    }),
  );
}

function holds({ content }: WireMessage, said: string): boolean {
  if (typeof content === "string") return content.includes(said);
  return content.some((block) => typeof block.text === "string" && block.text.includes(said));
}

type Reply =
  | MessageReply
  | { readonly kind: "too-long"; readonly tokens: number }
  | { readonly kind: "http"; readonly status: number; readonly type: string };

function fits(fault: ContractFault, source: string): boolean {
  return !/summary|draft/.test(fault) || source !== "main";
}

function spoiled(message: MessageReply, fault: ContractFault, tokens: number): Reply {
  const text = (words: string): MessageReply => ({ ...message, content: [{ type: "text", text: words }] });
  switch (fault) {
    case "overloaded":
      return { kind: "http", status: 529, type: "overloaded_error" };
    case "api-error":
      return { kind: "http", status: 500, type: "api_error" };
    case "rate-limited":
      return { kind: "http", status: 429, type: "rate_limit_error" };
    case "bad-request":
      return { kind: "http", status: 400, type: "invalid_request_error" };
    case "cut":
      return { ...message, cutAfterEvents: 1 + (tokens % 9) };
    case "error-event":
      return {
        ...message,
        errorAfterEvents: { events: 1 + (tokens % 9), type: "overloaded_error", message: "Overloaded" },
      };
    case "stall":
      return { ...message, stallAfterEvents: 1 + (tokens % 9) };
    case "max-tokens":
      return { ...message, stopReason: "max_tokens" };
    case "window-full":
      return { ...message, stopReason: "model_context_window_exceeded" };
    case "refusal":
      return { ...text("I cannot."), stopReason: "refusal" };
    case "tool-call-summary":
      return { ...message, content: [{ type: "tool_use", id: "s1", name: "Read", input: {} }] };
    case "empty-summary":
      return text(" ");
    case "oversized-summary":
      return text(`<summary>${"long ".repeat(40_000)}</summary>`);
    case "unclosed-draft":
      return text("<analysis>I think that");
    default:
      return message;
  }
}

async function toObjects(
  reply: Reply,
  fault: ContractFault | undefined,
  nth: number,
  clock: ClockPort,
  signal: AbortSignal,
): Promise<ObjectReply> {
  await clock.sleep(1_000, signal);
  if (fault === "no-connection") throw new Error("reset");
  const refused = (status: number, type: string, message: string): ObjectReply => ({
    kind: "refused",
    status,
    headers: {},
    body: { type: "error", error: { type, message } },
  });
  if (reply.kind === "http") return refused(reply.status, reply.type, "as the schedule says");
  if (reply.kind === "too-long") {
    return refused(
      400,
      "invalid_request_error",
      `prompt is too long: ${reply.tokens} tokens > ${windowTokens} maximum`,
    );
  }
  return { kind: "events", events: played(reply, nth, clock, signal) };
}

async function* played(
  reply: MessageReply,
  nth: number,
  clock: ClockPort,
  signal: AbortSignal,
): AsyncGenerator<{ type: string }> {
  const { cutAfterEvents, stallAfterEvents, errorAfterEvents } = reply;
  const all = eventsOf(reply, nth);
  yield* all.slice(0, cutAfterEvents ?? stallAfterEvents ?? errorAfterEvents?.events ?? all.length);
  if (errorAfterEvents !== undefined) {
    const { type, message } = errorAfterEvents;
    const event: { type: string; error: object } = { type: "error", error: { type, message } };
    yield event;
  }
  if (stallAfterEvents !== undefined) await clock.sleep(Number.POSITIVE_INFINITY, signal);
}

/** The strategy, shown nothing that it could change without a throw. */
function frozen(strategy: Strategy): Strategy {
  return {
    ...strategy,
    start: (ports) => {
      const session = strategy.start(ports);
      const { beforeRequest, afterResponse, onRejected, onTurnEnd } = session;
      return {
        ...session,
        ...(beforeRequest && { beforeRequest: (view, phase) => beforeRequest(still(view), phase) }),
        ...(afterResponse && { afterResponse: (view, usage, stop) => afterResponse(still(view), usage, stop) }),
        ...(onRejected && { onRejected: (view, error, attempt) => onRejected(still(view), error, attempt) }),
        ...(onTurnEnd && { onTurnEnd: (view) => onTurnEnd(still(view)) }),
      };
    },
  };
}

function still(view: View): View {
  return Object.freeze({ ...view, projection: freeze(view.projection), pending: freeze(view.pending) });
}

function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) freeze(member);
  return value;
}
