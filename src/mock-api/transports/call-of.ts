import type { Call } from "../call.ts";
import { malformedJson } from "../call.ts";

/** A Fetch API request as the core takes it. */
export async function callOf(request: Request): Promise<Call> {
  const text = request.method === "GET" || request.method === "HEAD" ? "" : await request.text();
  const headers: Record<string, string> = {};
  request.headers.forEach((value, name) => {
    headers[name] = value;
  });
  const { pathname, search } = new URL(request.url);
  return callFrom(request.method, `${pathname}${search}`, headers, text);
}

export function callFrom(method: string, path: string, headers: Readonly<Record<string, string>>, text: string): Call {
  return { method, path, headers, body: parsed(text), bodyBytes: Buffer.byteLength(text) };
}

function parsed(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return malformedJson;
  }
}
