import type { ToolResultPart, ToolUseBlock } from "../transcript/index.ts";

/**
 * What runs the tools. Contract:
 * - never rejects: a failing tool is a result with `isError`;
 * - called once for each tool call; a call that ran is never run again;
 * - settles soon after `signal` aborts; what it gives then is not used;
 * - waiting is done on the run's clock. Calls of one response may run side by side.
 */
export interface ToolPort {
  run(call: ToolUseBlock, signal: AbortSignal): Promise<ToolOutcome>;
}

export interface ToolOutcome {
  readonly content: string | readonly ToolResultPart[];
  readonly isError: boolean;
}
