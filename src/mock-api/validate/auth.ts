import type { ApiError } from "../api-error.ts";

/** A2: `x-api-key` or a bearer token, not empty, without spaces, and one of `allowed` where these are given. */
export function checkKey(
  headers: Readonly<Record<string, string>>,
  allowed: readonly string[] | undefined,
): ApiError | undefined {
  const key = headers["x-api-key"] ?? /^Bearer (.*)$/i.exec(headers.authorization ?? "")?.[1];
  if (key !== undefined && /^\S+$/.test(key) && (allowed === undefined || allowed.includes(key))) return undefined;
  return { status: 401, type: "authentication_error", message: "invalid x-api-key" };
}
