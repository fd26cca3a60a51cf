/** When a refusal lets the client come back, in milliseconds since the epoch; null where it does not say. */
export function retryAtOf(headers: Readonly<Record<string, string>>, now: number): number | null {
  const ms = headers["retry-after-ms"];
  if (ms !== undefined) return now + Number(ms);
  const after = headers["retry-after"];
  if (after === undefined) return null;
  const seconds = Number(after);
  return Number.isNaN(seconds) ? Date.parse(after) : now + seconds * 1_000;
}
