import type { Rng } from "../determinism/index.ts";
import type { ToolResultPart } from "../transcript/index.ts";

/** A tool that fails the way tools fail, as data. It changes what the tool answers; the world is as if the tool had worked, except for `error` and `timeout`. */
export interface ToolFault {
  readonly id: string;
  readonly kind: ToolFaultKind;
  readonly match: {
    readonly tool?: string;
    /** nth call of the tool (of any tool, where none is named), from 1. */
    readonly nth?: number;
    readonly probability?: number;
  };
  /** How often at most. Default: 1, or no bound where a probability is given. */
  readonly times?: number;
  /** Size of an oversized result; default 900 000. */
  readonly chars?: number;
}

export const toolFaultKinds = ["tool-error", "tool-oversized", "tool-empty", "tool-timeout", "tool-binary"] as const;
export type ToolFaultKind = (typeof toolFaultKinds)[number];

/** A tool's answer. `latencyMs` is "never" where the tool hangs: the agent's own limit ends it. */
export interface ToolAnswer {
  readonly content: string | readonly ToolResultPart[];
  readonly isError: boolean;
  readonly latencyMs: number;
}

interface Call {
  readonly id: string;
  readonly name: string;
}

/** Decides, call by call, which fault strikes and what the tool then answers. One object a run: it counts calls. */
export function createToolFaults(
  faults: readonly ToolFault[],
  rng: Rng,
): (call: Call, answer: ToolAnswer) => { readonly fault: ToolFault | null; readonly answer: ToolAnswer } {
  const calls = new Map<string, number>();
  const struck = new Map<string, number>();
  return (call, answer) => {
    const nth = count(calls, call.name);
    const nthOfAll = count(calls, "");
    const fault = faults.find(({ id, match, times }) => {
      if (match.tool !== undefined && match.tool !== call.name) return false;
      if (match.nth !== undefined && match.nth !== (match.tool === undefined ? nthOfAll : nth)) return false;
      const bound = times ?? (match.probability === undefined ? 1 : Number.POSITIVE_INFINITY);
      if ((struck.get(id) ?? 0) >= bound) return false;
      return match.probability === undefined || rng.fork("tool-fault", id, call.id).chance(match.probability);
    });
    if (fault === undefined) return { fault: null, answer };
    count(struck, fault.id);
    return { fault, answer: strike(fault, answer, rng.fork("tool-fault-content", fault.id, call.id)) };
  };
}

function count(counts: Map<string, number>, key: string): number {
  const next = (counts.get(key) ?? 0) + 1;
  counts.set(key, next);
  return next;
}

function strike(fault: ToolFault, answer: ToolAnswer, rng: Rng): ToolAnswer {
  switch (fault.kind) {
    case "tool-error":
      return { ...answer, isError: true, content: `Error: the tool stopped with exit code ${rng.integer(1, 137)}` };
    case "tool-timeout":
      return {
        isError: true,
        content: "Error: the tool did not answer within 120 s and was ended",
        latencyMs: 120_000,
      };
    case "tool-empty":
      return { ...answer, content: "" };
    case "tool-binary":
      // A NUL, a lone surrogate and control characters: what a careless `cat` of a binary gives.
      return { ...answer, content: `ELF\u0000\u0001\ud800 ${rng.hex(64)}\u001b[31m\u0007` };
    case "tool-oversized":
      return { ...answer, content: noise(fault.chars ?? 900_000, rng) };
  }
}

/** Log-like lines, so that the server's count is that of logs and no two lines are equal. */
function noise(chars: number, rng: Rng): string {
  const lines: string[] = [];
  for (let size = 0; size < chars; ) {
    const line = `[${String(lines.length).padStart(6, "0")}] worker ${rng.integer(1, 16)} wrote block ${rng.hex(8)} in ${rng.integer(1, 900)} ms`;
    lines.push(line);
    size += line.length + 1;
  }
  return lines.join("\n").slice(0, chars);
}
