import { boundaryFinal } from "./boundary-final.ts";
import { boundedCalls } from "./bounded-calls.ts";
import { failedUntouched, noSelfCompaction, oneCompaction } from "./compaction-calls.ts";
import { cachedPathLocal, freedHonest } from "./edits-honest.ts";
import { humanPresent } from "./human-present.ts";
import type { Invariant } from "./invariant.ts";
import { keptUnchanged } from "./kept-unchanged.ts";
import { pairsWhole } from "./pairs-whole.ts";
import { rawOrCovered } from "./raw-or-covered.ts";
import { requestValid } from "./request-valid.ts";

/** Always on, for every strategy (O4). */
export const invariants: readonly Invariant[] = [
  requestValid,
  pairsWhole,
  keptUnchanged,
  boundaryFinal,
  humanPresent,
  rawOrCovered,
  noSelfCompaction,
  oneCompaction,
  failedUntouched,
  cachedPathLocal,
  freedHonest,
  boundedCalls,
];
