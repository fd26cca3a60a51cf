import type { EventOf, RunEvent } from "../events.ts";

type Origin = { -readonly [K in keyof EventOf<"request_sent">["origin"]]: number };
type Source = EventOf<"request_sent">["querySource"];
type WithoutPlace<E> = E extends RunEvent ? Omit<E, "seq" | "at" | "turn" | "round" | "querySource"> : never;
type FactKind = EventOf<"fact_born">["factKind"];

/** A session in the making. */
export interface ExampleSession {
  readonly events: RunEvent[];
  readonly origin: Origin;
  readonly facts: Map<string, { readonly kind: FactKind; readonly fetchable: boolean; visible: boolean }>;
  readonly trouble: boolean;
  turn: number;
  round: number;
  compactions: number;
  /** The prompt cache holds nothing of the next request. */
  cold: boolean;
  draw(): number;
  wait(ms: number): void;
  context(): number;
  born(kind: FactKind, fetchable: boolean): void;
  emit(event: WithoutPlace<RunEvent>, source?: Source): void;
}

export function startSession(draw: () => number, trouble: boolean): ExampleSession {
  let at = 0;
  const session: ExampleSession = {
    events: [],
    origin: { system: 14_200, tools: 12_900, user: 0, assistant: 0, toolResults: 0, summaries: 0, attachments: 2_000 },
    facts: new Map(),
    trouble,
    turn: 0,
    round: 0,
    compactions: 0,
    cold: true,
    draw,
    wait: (ms) => {
      at += ms;
    },
    context: () => Object.values(session.origin).reduce((sum, tokens) => sum + tokens, 0),
    born: (kind, fetchable) => {
      const fact = `${kind}-${session.facts.size}`;
      session.facts.set(fact, { kind, fetchable, visible: true });
      session.emit({ kind: "fact_born", fact, factKind: kind, fetchable });
    },
    emit: (event, source = "main") => {
      const { turn, round } = session;
      session.events.push({ seq: session.events.length, at, turn, round, querySource: source, ...event } as RunEvent);
    },
  };
  return session;
}

const toolNames = ["Read", "Bash", "Grep", "Edit", "WebFetch"] as const;

/** One round: a request, retried where a fault says so, its answer and a tool. */
export function askOnce(session: ExampleSession): void {
  const faulty = session.trouble && [31, 32, 58, 97].includes(session.round);
  if (faulty) failOnce(session, session.round === 58 ? "stream-cut" : "overloaded");
  send(session, faulty ? 2 : 1);
  const durationMs = 4_000 + Math.round(session.draw() * 9_000);
  session.wait(durationMs);
  const output = 300 + Math.round(session.draw() * 900);
  serve(session, output, durationMs, faulty ? 2 : 1);
  session.origin.assistant += output;
  useTool(session);
  needFact(session);
}

function send(session: ExampleSession, attempt: number): void {
  session.emit({ kind: "autocompact_check", tokens: session.context(), threshold: 167_000, decision: "below" });
  session.emit({
    kind: "request_sent",
    attempt,
    estimate: session.context(),
    messages: session.round * 2,
    origin: { ...session.origin },
  });
}

function failOnce(session: ExampleSession, fault: "overloaded" | "stream-cut"): void {
  send(session, 1);
  session.emit({ kind: "fault_injected", fault: `${fault}-1`, faultKind: fault });
  const trueTokens = Math.round(session.context() * 1.03);
  const text = fault === "overloaded" ? "Overloaded" : "the stream ended before message_stop";
  if (fault === "overloaded") {
    session.emit({ kind: "refused", status: 529, errorType: "overloaded_error", text, trueTokens, injected: true });
  }
  const retryInMs = 2_000 + Math.round(session.draw() * 6_000);
  const error = { class: fault === "overloaded" ? "overloaded" : "transient", text } as const;
  session.emit({ kind: "request_failed", attempt: 1, error, retryInMs });
  session.wait(retryInMs);
}

function serve(session: ExampleSession, output: number, durationMs: number, attempt: number): void {
  const estimate = session.context();
  const trueTokens = Math.round(estimate * (0.97 + session.draw() * 0.09));
  const read = session.cold ? 27_000 : Math.max(0, trueTokens - 4_200);
  const billed = { read, write: trueTokens - read, uncached: 40, output };
  session.cold = false;
  const dollars = (billed.read * 0.3 + billed.write * 3.75 + billed.uncached * 3 + output * 15) / 1_000_000;
  session.emit({ kind: "served", status: 200, trueTokens, usage: null, dollars, stopReason: "tool_use", billed });
  session.emit({
    kind: "response_received",
    attempt,
    messageId: `msg-${session.round}`,
    stopReason: "tool_use",
    usage: null,
    durationMs,
  });
}

function useTool(session: ExampleSession): void {
  const name = toolNames[session.round % toolNames.length] ?? "Read";
  const tokens = session.round % 23 === 0 ? 14_000 : 1_500 + Math.round(session.draw() * 5_500);
  const toolUseId = `toolu-${session.round}`;
  const durationMs = 300 + Math.round(session.draw() * 12_000);
  session.emit({ kind: "tool_started", toolUseId, name });
  session.wait(durationMs);
  const isError = session.round % 19 === 0;
  session.emit({ kind: "tool_finished", toolUseId, name, chars: tokens * 4, isError, durationMs });
  session.origin.toolResults += tokens;
  session.born(session.round % 2 === 0 ? "file-read" : "exact-value", session.round % 2 === 0);
  if (session.round % 5 === 0) session.born("decision", false);
  if (session.round % 9 === 0) session.born("rejected-approach", false);
  if (session.round % 4 === 0) session.born("file-modified", true);
  session.emit({ kind: "step_done", goal: `goal-${session.turn}`, step: `step-${session.round}` });
}

function needFact(session: ExampleSession): void {
  if (session.round % 11 !== 0) return;
  const gone = [...session.facts].find(([, fact]) => !fact.visible);
  if (gone === undefined) return;
  const [fact, { kind: factKind, fetchable }] = gone;
  session.emit({ kind: "fact_needed", fact, factKind, found: "missing" });
  if (fetchable) session.emit({ kind: "refetch", fact, factKind, path: "src/server.ts" });
  else if (session.trouble) session.emit({ kind: "violation", fact, factKind });
  session.facts.delete(fact);
}
