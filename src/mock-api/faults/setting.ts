import type { Fault } from "../fault.ts";

/** A setting of a fault that is a number, or what holds where it is left out. */
export function numberOf(fault: Fault, name: string, otherwise: number): number {
  const value = fault.with?.[name];
  return typeof value === "number" ? value : otherwise;
}

export function textOf(fault: Fault, name: string, otherwise: string): string {
  const value = fault.with?.[name];
  return typeof value === "string" ? value : otherwise;
}

export function flagOf(fault: Fault, name: string, otherwise: boolean): boolean {
  const value = fault.with?.[name];
  return typeof value === "boolean" ? value : otherwise;
}

/** Every setting that some kind of fault reads, for whoever checks what a user wrote. */
export const faultSettings = [
  "afterBytes",
  "afterEvents",
  "extraUsage",
  "factor",
  "gap",
  "limit",
  "nan",
  "never",
  "retryAfter",
  "seconds",
  "stopReason",
  "times",
  "tokens",
  "when",
  "wording",
] as const;
