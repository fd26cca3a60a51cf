import type { CallError } from "../ports.ts";
import { classifyError } from "./classify-error.ts";

/**
 * What an error thrown by a client means, told by its shape: the official SDK's errors carry the HTTP `status` and the parsed body in `error`.
 * Anything else that was thrown never reached a server, or lost it: transient.
 */
export function classifyThrown(thrown: unknown): CallError {
  const { status, error: body, message } = recordOf(thrown);
  const outer = recordOf(body);
  const inner = recordOf(outer.error);
  if (typeof status !== "number" && body === undefined) {
    return { class: "transient", text: stringOf(message) ?? "the client failed without saying why" };
  }
  return classifyError({
    status: typeof status === "number" ? status : null,
    type: stringOf(inner.type),
    message: stringOf(inner.message) ?? stringOf(outer.message) ?? stringOf(message),
  });
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function stringOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
