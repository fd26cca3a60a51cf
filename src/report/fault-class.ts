/** Kinds of faults by where in the exchange they strike, as the matrix shows them. */
export const faultClasses = ["Size", "Server", "Stream", "Figures", "Answer", "Tool"] as const;
export type FaultClass = (typeof faultClasses)[number];

/** What stands behind each class, for the reader. */
export const faultClassMeaning: Readonly<Record<FaultClass, string>> = {
  Size: "too long, too large",
  Server: "refused or unreachable",
  Stream: "cut, stalled or malformed",
  Figures: "wrong usage, stop reason or cache",
  Answer: "a summary or answer that is none",
  Tool: "a tool that fails or floods",
};

const members: Readonly<Record<Exclude<FaultClass, "Answer" | "Tool">, readonly string[]>> = {
  Size: ["prompt-too-long", "request-too-large", "long-context-denied", "context-window-exceeded-stop"],
  Server: ["rate-limit", "overloaded", "api-error", "timeout", "bad-gateway-html", "auth-expired", "connection-reset"],
  Stream: [
    "stream-cut",
    "stream-error-event",
    "stream-stall",
    "malformed-sse",
    "malformed-json-body",
    "empty-200",
    "html-200",
    "interleaved-blocks",
    "duplicate-message-start",
  ],
  Figures: ["usage-missing", "usage-zero", "usage-wrong", "cache-flush", "wrong-stop-reason"],
};

/** Class of a kind of fault; a kind that no class names strikes the model's answer. */
export function faultClassOf(kind: string): FaultClass {
  if (kind.startsWith("tool-") && kind !== "tool-call-instead-of-summary") return "Tool";
  for (const [name, kinds] of Object.entries(members)) if (kinds.includes(kind)) return name as FaultClass;
  return "Answer";
}
