import type { Breaker } from "./auto/breaker.ts";
import { closedBreaker } from "./auto/breaker.ts";
import type { FreedSinceCount } from "./auto/freed-since-count.ts";
import type { CompactionMark } from "./auto/thrash-guard.ts";
import type { CachedEditsState } from "./micro/cached-edits.ts";
import { emptyCachedEdits } from "./micro/cached-edits.ts";
import type { SessionMemoryState } from "./session-memory/session-memory.ts";
import { emptySessionMemory } from "./session-memory/session-memory.ts";

/** Everything that one conversation's compactor remembers: plain data, fit for JSON, so that it survives a resume. */
export interface CompactorState {
  /** Of this shape. */
  readonly version: 1;
  readonly breaker: Breaker;
  readonly memory: SessionMemoryState;
  readonly edits: CachedEditsState;
  /** The model whose cache the pinned edits belong to; null before the first response. */
  readonly cachedModelId: string | null;
  /** Newest last, as far as the thrash guard looks back (AC8). */
  readonly marks: readonly CompactionMark[];
  readonly lastCompaction: { readonly boundaryUuid: string; readonly turn: number } | null;
  readonly freed: FreedSinceCount | null;
  /** No exact count has come since the last compaction (AC3). */
  readonly justCompacted: boolean;
  /** Reactive compaction was tried since the last response (RC2). */
  readonly triedReactive: boolean;
  /** The person was told that nothing can be freed (AC8). */
  readonly toldIrreducible: boolean;
}

export const newCompactorState: CompactorState = {
  version: 1,
  breaker: closedBreaker,
  memory: emptySessionMemory,
  edits: emptyCachedEdits,
  cachedModelId: null,
  marks: [],
  lastCompaction: null,
  freed: null,
  justCompacted: false,
  triedReactive: false,
  toldIrreducible: false,
};
