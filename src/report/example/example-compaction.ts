import type { ExampleSession } from "./example-session.ts";

/** A compaction of the next kind: session memory, then full, then (with trouble) one that fails until the breaker opens. */
export function compactOnce(session: ExampleSession): void {
  session.compactions += 1;
  const before = session.context();
  const layer = session.compactions % 2 === 1 ? "session-memory" : "full";
  session.emit({ kind: "autocompact_check", tokens: before, threshold: 167_000, decision: "compact" });
  if (session.trouble && session.compactions === 3) failThrice(session, before);
  session.emit({ kind: "sm_extraction_started", tokens: before }, "session_memory");
  session.wait(2_000);
  session.emit(
    { kind: "sm_extraction_finished", outcome: "updated", durationMs: 2_000, lastSummarizedUuid: "m-40" },
    "session_memory",
  );
  session.emit({ kind: "index_adjusted", from: 120, to: 118, why: "tool-pair" });
  session.emit({ kind: "compact_started", trigger: "auto", layer, tokensBefore: before });
  if (layer === "full") askForSummary(session, before);
  const started = layer === "full" ? 41_000 : 900;
  session.wait(started);
  session.origin.summaries = layer === "full" ? 5_200 : 8_400;
  session.origin.toolResults = Math.round(session.origin.toolResults * 0.09);
  session.origin.assistant = Math.round(session.origin.assistant * 0.12);
  session.origin.user = Math.round(session.origin.user * 0.4);
  session.origin.attachments = 21_000;
  session.cold = true;
  writeSummary(session, layer === "full" ? "summariser" : "note-taker");
  session.emit({
    kind: "compact_succeeded",
    trigger: "auto",
    layer,
    tokensBefore: before,
    tokensAfter: session.context(),
    messagesSummarized: 118,
    messagesKept: 22,
    attempts: layer === "full" ? 2 : 0,
    cacheReadTokens: layer === "full" ? 140_000 : 0,
    cacheCreationTokens: layer === "full" ? 4_000 : 0,
    durationMs: started,
    willRetriggerNextTurn: false,
    turnsSinceLast: session.compactions === 1 ? null : 6,
    sameChain: session.compactions === 1 ? null : false,
    lastBoundaryUuid: session.compactions === 1 ? null : "boundary",
  });
  takeCensus(session);
}

function askForSummary(session: ExampleSession, before: number): void {
  if (session.trouble) {
    session.emit({ kind: "fault_injected", fault: "too-long-in-compaction", faultKind: "prompt-too-long" }, "compact");
    session.emit({ kind: "compact_ptl_retry", attempt: 1, droppedMessages: 14, droppedTokens: 21_000, gap: 18_400 });
  }
  const billed = { read: before - 4_000, write: 4_000, uncached: 900, output: 7_400 };
  const trueTokens = Math.round(before * 1.02);
  session.emit(
    { kind: "served", status: 200, trueTokens, usage: null, dollars: 0.18, stopReason: "end_turn", billed },
    "compact",
  );
}

function failThrice(session: ExampleSession, before: number): void {
  for (const attempt of [1, 2, 3]) {
    session.emit({ kind: "compact_started", trigger: "auto", layer: "full", tokensBefore: before });
    session.emit({ kind: "fault_injected", fault: "empty", faultKind: "empty-summary" }, "compact");
    session.wait(12_000);
    session.emit({
      kind: "compact_failed",
      trigger: "auto",
      layer: "full",
      reason: "empty summary",
      attempts: attempt,
      durationMs: 12_000,
    });
  }
  session.emit({ kind: "breaker_opened", failures: 3, lastReason: "empty summary" });
  session.wait(20_000);
  session.emit({ kind: "recovery_step", step: "reactive-compact", outcome: "done", detail: "compacted by /compact" });
  session.emit({ kind: "breaker_closed", by: "manual" });
}

const survival: Readonly<Record<string, number>> = {
  goal: 0.98,
  constraint: 0.9,
  decision: 0.85,
  "file-modified": 0.8,
};

function writeSummary(session: ExampleSession, by: "summariser" | "note-taker"): void {
  const shown = [...session.facts].filter(([, fact]) => fact.visible).map(([id]) => id);
  for (const id of shown) {
    const fact = session.facts.get(id);
    if (fact !== undefined && session.draw() > (survival[fact.kind] ?? 0.6)) fact.visible = false;
  }
  const kept = shown.filter((id) => session.facts.get(id)?.visible === true);
  session.emit({ kind: "summary_written", by, shown, kept, blurred: kept.slice(0, 1), invented: 1 }, "compact");
}

function takeCensus(session: ExampleSession): void {
  const byKind: Record<string, { alive: number; visible: number; fetchable: number }> = {};
  for (const { kind, visible, fetchable } of session.facts.values()) {
    byKind[kind] ??= { alive: 0, visible: 0, fetchable: 0 };
    byKind[kind].alive += 1;
    if (visible) byKind[kind].visible += 1;
    else if (fetchable) byKind[kind].fetchable += 1;
  }
  const lost = [...session.facts].filter(([, fact]) => !fact.visible).map(([id]) => id);
  session.emit({ kind: "fact_census", byKind, lost });
}
