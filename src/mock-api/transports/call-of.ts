import type { Call } from "../call.ts";
import { malformedJson } from "../call.ts";
import type { BodyParser } from "./body-parser.ts";

/** A Fetch API request as the core takes it. */
export async function callOf(request: Request, parse: BodyParser): Promise<Call> {
  const text = request.method === "GET" || request.method === "HEAD" ? "" : await request.text();
  const headers: Record<string, string> = {};
  request.headers.forEach((value, name) => {
    headers[name] = value;
  });
  const { pathname, search } = new URL(request.url);
  return callFrom(request.method, `${pathname}${search}`, headers, text, parse);
}

export function callFrom(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  text: string,
  parse: BodyParser,
): Call {
  const { body, isShared } = parse(text);
  return {
    ...{ method, path, headers, body },
    ...(isShared ? {} : { isParsed: true }),
    ...(body === malformedJson ? { bodyBytes: Buffer.byteLength(text) } : {}),
  };
}
