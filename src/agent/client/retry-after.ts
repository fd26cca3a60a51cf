/**
 * How long the server asks to wait, in milliseconds from `nowMs`, never below 0; null where it asks for nothing readable.
 * `retry-after-ms` beats `retry-after`, which holds seconds or a date (RFC 9110, and as the SDK reads them).
 */
export function retryAfterMs(header: (name: string) => string | null, nowMs: number): number | null {
  const ms = plainNumber(header("retry-after-ms"));
  if (ms !== null) return ms;
  const text = header("retry-after") ?? "";
  const seconds = plainNumber(text);
  if (seconds !== null) return seconds * 1_000;
  // Engines read a date into almost anything: one that is meant has a time of day.
  const date = /\d\d:\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}

function plainNumber(text: string | null): number | null {
  return /^\s*\d+(\.\d+)?\s*$/.test(text ?? "") ? Number(text) : null;
}
