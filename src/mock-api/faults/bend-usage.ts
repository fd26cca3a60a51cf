import type { WireUsage } from "../answer/message.ts";
import type { Fault } from "../fault.ts";
import { flagOf, numberOf } from "./setting.ts";

/** F2: figures that are not what was billed; null where they are left out. A NaN is sent as null (A1). */
export function bendUsage(fault: Fault, usage: WireUsage): WireUsage | null {
  switch (fault.kind) {
    case "usage-missing":
      return null;
    case "usage-zero":
      return everyNumber(usage, () => 0);
    case "usage-wrong": {
      const factor = numberOf(fault, "factor", 3);
      return everyNumber(usage, flagOf(fault, "nan", false) ? () => null : (value) => Math.round(value * factor));
    }
    default:
      throw new TypeError(`fault ${fault.id}: ${fault.kind} does not change usage`);
  }
}

function everyNumber(usage: WireUsage, change: (value: number) => number | null): WireUsage {
  const walk = (value: unknown): unknown => {
    if (typeof value === "number") return change(value);
    if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, walk(member)]));
  };
  return walk(usage) as WireUsage;
}
