import { expect, test } from "vitest";
import type { Answer } from "../../agent/index.ts";
import { aBoundary, anAssistant, aResultMessage, aToolUse, aUser } from "../../testing/index.ts";
import type { Message } from "../../transcript/index.ts";
import type { RunEvent } from "../record.ts";
import { invariants } from "./all.ts";

const place = { seq: 0, at: 0, turn: 1, round: 1, querySource: "main" } as const;
const human = aUser("please fix the port", { uuid: "human" });
const call = anAssistant([aToolUse("t1", "Read", {})], { uuid: "call", id: "m1" });
const result = aResultMessage("t1", "x".repeat(400), { uuid: "result" });
const history: readonly Message[] = [human, call, result];
const done: Answer = { status: { kind: "done" }, edits: [], next: { kind: "send" } };

/** Puts one invariant on the watch and gives what it reports. */
function watch(name: string, projection: () => readonly Message[] = () => history) {
  const reports: string[] = [];
  const invariant = invariants.find((known) => known.name === name);
  if (invariant === undefined) throw new Error(`no invariant ${name}`);
  const watcher = invariant.watch((detail) => reports.push(detail), { projection });
  const send = (sent: readonly Message[], log: readonly Message[] = history): void =>
    watcher.requestBuilt?.({ wire: { model: "m", max_tokens: 1, messages: [] }, projection: sent, log, pins: [] });
  const edit = (before: readonly Message[], after: readonly Message[], answer: Answer = done): void =>
    watcher.edited?.({ moment: "beforeRequest", answer, before, after });
  const event = (facts: Partial<RunEvent> & { kind: RunEvent["kind"] }): void =>
    watcher.event?.({ ...place, ...facts } as RunEvent);
  return { reports, send, edit, event };
}

const laws: string[] = [];

/** `play` gives what the invariant reports where its law is broken, and in a neighbouring case where it is not. */
function law(name: string, play: (breaks: boolean) => string[]): void {
  laws.push(name);
  test(`O4: ${name} reports a break, and only a break`, () => {
    expect(play(true)).toHaveLength(1);
    expect(play(false)).toEqual([]);
  });
}

law("request-valid", (breaks) => {
  const { reports, event } = watch("request-valid");
  const refused = { kind: "refused", status: 400, errorType: "invalid_request_error", trueTokens: 9 } as const;
  event({ ...refused, injected: false, text: "prompt is too long: 9 tokens > 8 maximum" });
  event({ ...refused, injected: true, text: "messages.1: bad" });
  if (breaks) event({ ...refused, injected: false, text: "messages.1: `tool_use` ids must be unique" });
  return reports;
});

law("pairs-whole", (breaks) => {
  const { reports, event } = watch("pairs-whole");
  event({ kind: "pairing_repaired", repairs: {} });
  if (breaks) event({ kind: "contract_broken", what: "the edit splits t1 from its result" });
  return reports;
});

law("kept-unchanged", (breaks) => {
  const { reports, edit } = watch("kept-unchanged");
  const cleared = aResultMessage("t1", "[gone]", { uuid: "result" });
  const clear: Answer = { ...done, edits: [{ kind: "clear", toolUseIds: ["t1"], marker: "[gone]" }] };
  edit(history, [human, call, cleared], breaks ? done : clear);
  edit(history, [{ ...human }, call, result]);
  return reports;
});

law("boundary-final", (breaks) => {
  const { reports, edit, send } = watch("boundary-final");
  const after = [aBoundary({ uuid: "b1" }), human];
  edit(history, after);
  send(breaks ? [...after, call] : after);
  return reports;
});

law("human-present", (breaks) => {
  const { reports, send } = watch("human-present");
  send([aUser("please fix the port")]);
  send(history);
  const long = aUser(`${"a".repeat(3_000)}${"b".repeat(3_000)}`);
  send([aUser(`${"a".repeat(800)} [cut] ${"b".repeat(800)}`)], [long]);
  if (breaks) send([aUser("something else"), call, result]);
  return reports;
});

law("raw-or-covered", (breaks) => {
  const { reports, edit, send } = watch("raw-or-covered");
  if (!breaks) edit(history, [human]);
  send(breaks ? [human, call] : [human]);
  return reports;
});

law("no-self-compaction", (breaks) => {
  const { reports, event } = watch("no-self-compaction");
  event({ kind: "compact_started", layer: "full", querySource: breaks ? "compact" : "main" });
  return reports;
});

law("one-compaction", (breaks) => {
  const { reports, event } = watch("one-compaction");
  event({ kind: "compact_started", layer: "session-memory" });
  event({ kind: "compact_started", layer: "full" });
  if (!breaks) event({ kind: "compact_failed", layer: "full" });
  event({ kind: "compact_started", layer: "full" });
  return reports;
});

law("failed-untouched", (breaks) => {
  let now = history;
  const { reports, event } = watch("failed-untouched", () => now);
  event({ kind: "compact_started", layer: "full" });
  now = breaks ? [human, call] : [...history, aUser("queued")];
  event({ kind: "compact_aborted", layer: "full" });
  return reports;
});

law("cached-path-local", (breaks) => {
  const { reports, edit } = watch("cached-path-local");
  const pin: Answer = { ...done, edits: [{ kind: "cache-edit", pin: { messageUuid: "result", toolUseIds: ["t1"] } }] };
  edit(history, breaks ? [human, call, { ...result }] : history, pin);
  return reports;
});

law("freed-honest", (breaks) => {
  const { reports, edit, event } = watch("freed-honest");
  const clear: Answer = { ...done, edits: [{ kind: "clear", toolUseIds: ["t1"], marker: "" }] };
  event({ kind: "microcompact", path: "time", cleared: ["t1"], tokensFreed: breaks ? 170 : 100 });
  edit(history, [human, call, aResultMessage("t1", "", { uuid: "result" })], clear);
  return reports;
});

law("bounded-calls", (breaks) => {
  const { reports, event } = watch("bounded-calls");
  event({ kind: "turn_started" });
  for (let i = 0; i < (breaks ? 200 : 80); i++) event({ kind: "request_sent" });
  return reports;
});

test("O4: every invariant has its law here", () => {
  expect(laws.sort()).toEqual(invariants.map((invariant) => invariant.name).sort());
});

test("O4: a message that stands in a request twice is reported", () => {
  const { reports, send } = watch("raw-or-covered");
  send([...history, human]);
  expect(reports).toEqual(["message human is in the request twice"]);
});
