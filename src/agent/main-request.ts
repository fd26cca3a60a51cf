import { buildRequest } from "../compaction/index.ts";
import type { WireRequest } from "../transcript/index.ts";
import type { Session } from "./session.ts";

/** The next main request; what had to be repaired or left out is told once, not with every request that repeats it (M5, M7, RC4). */
export function buildMainRequest(session: Session, maxTokens: number): WireRequest {
  const { conversation } = session;
  const parts = {
    ...session.frame(),
    messages: conversation.projection(),
    rebound: { upTo: conversation.latestChangeUuid() },
    maxTokens,
    previousLength: session.previousLength,
  };
  const { wire, repairs, dropped } = buildRequest(parts, (given) => session.history(given, conversation.rewrites()));
  session.previousLength = wire.messages.length;
  const told = session.told;
  const key = JSON.stringify(repairs);
  if (key !== told.repairs && key !== "{}") session.emit({ kind: "pairing_repaired", repairs });
  if (dropped.rebound > told.rebound) {
    session.emit({ kind: "thinking_dropped", blocks: dropped.rebound - told.rebound, why: "rebound" });
  }
  if (dropped.otherModel > told.otherModel) {
    session.emit({ kind: "thinking_dropped", blocks: dropped.otherModel - told.otherModel, why: "other-model" });
  }
  session.told = { repairs: key, ...dropped };
  return wire;
}
