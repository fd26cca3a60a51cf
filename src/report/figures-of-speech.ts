/** Figures as a person reads them, always with their unit. The same on every machine: no locale is asked. */

/** 167 400 tokens → "167.4K"; below a thousand as it is. */
export function tokensShort(tokens: number): string {
  const size = Math.abs(tokens);
  if (size >= 999_950) return `${trim(tokens / 1_000_000, size >= 99_950_000 ? 0 : 2)}M`;
  if (size >= 1_000) return `${trim(tokens / 1_000, size >= 99_950 ? 0 : 1)}K`;
  return String(Math.round(tokens));
}

/** 167400 → "167,400". */
export function whole(value: number): string {
  const digits = String(Math.round(Math.abs(value)));
  return (value <= -0.5 ? "−" : "") + digits.replace(/\B(?=(\d{3})+$)/g, ",");
}

/** "$8.42"; under ten cents with two significant digits. */
export function dollars(value: number): string {
  if (value === 0) return "$0";
  if (Math.abs(value) < 0.0001) return "< $0.0001";
  if (Math.abs(value) < 0.1) return `$${trim(value, 4)}`;
  return `$${group(value.toFixed(2))}`;
}

/** A share of one as a percentage: 0.914 → "91 %", near the ends with a decimal so that 99.6 % is not called all. */
export function percent(share: number): string {
  const value = share * 100;
  const edge = (value > 99 && value < 100) || (value > 0 && value < 1);
  return `${trim(value, edge ? 1 : 0)}\u00a0%`;
}

/** Milliseconds → "850 ms", "4.2 s", "12 min 5 s", "3 h 12 min". */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${trim(ms / 1_000, 1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min${seconds % 60 === 0 ? "" : ` ${seconds % 60} s`}`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? "" : ` ${minutes % 60} min`}`;
}

/** Milliseconds since the start → "3:12:05". */
export function clockTime(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const two = (n: number): string => String(n).padStart(2, "0");
  return `${Math.floor(seconds / 3_600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** "1 round", "2 rounds"; the plural is given where it is not the word with an s. */
export function count(n: number, one: string, many: string = `${one}s`): string {
  return `${whole(n)} ${n === 1 ? one : many}`;
}

/** "never", "once", "twice", "3 times". */
export function times(n: number): string {
  return n === 0 ? "never" : n === 1 ? "once" : n === 2 ? "twice" : `${whole(n)} times`;
}

/** "a", "a and b", "a, b and c"; "" for nothing. */
export function list(items: readonly string[]): string {
  if (items.length < 2) return items.join("");
  return `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

/** A number with at most so many decimals, no trailing zeros. */
export function trim(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  const short = text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  return group(short === "-0" ? "0" : short).replace("-", "−");
}

/** Milliseconds of a measurement → "1.24 µs". */
export function shortTime(ms: number): string {
  if (ms < 0.001) return `${significant(ms * 1_000_000)} ns`;
  if (ms < 1) return `${significant(ms * 1_000)} µs`;
  if (ms < 1_000) return `${significant(ms)} ms`;
  return `${significant(ms / 1_000)} s`;
}

function significant(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function group(text: string): string {
  const [digits = "", ...rest] = text.split(".");
  return [digits.replace(/\B(?=(\d{3})+$)/g, ","), ...rest].join(".");
}
