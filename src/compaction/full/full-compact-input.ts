import type { Message } from "../../transcript/index.ts";
import type { CompactionContext } from "../context.ts";
import type { Trigger } from "../events.ts";
import type { CallError } from "../ports.ts";
import type { RequestedScope } from "./scope.ts";

/** What one full compaction is about. */
export interface FullCompactInput {
  /** The transcript as it stands; only what follows the last boundary is looked at. The plan's indices refer to it. */
  readonly messages: readonly Message[];
  readonly context: CompactionContext;
  readonly trigger: Trigger;
  /** Default: all of it. */
  readonly scope?: RequestedScope;
  /** Typed with the manual command (FC6). */
  readonly instructions?: string;
  /** The refusal of the main request that this compaction answers (RC2). */
  readonly refused?: CallError | undefined;
  /** Results that the main thread's pinned cache edits have deleted on the server (MC3). */
  readonly deletedResults?: readonly string[];
}
