import type { Rng, StableHash } from "../../determinism/index.ts";
import { createVirtualClock } from "../../determinism/index.ts";
import type { HistoryTally } from "./history-state.ts";
import { HistoryState } from "./history-state.ts";
import { nothingTwice } from "./laws.ts";
import { steps } from "./operations.ts";

/** Plays one random history and checks every promise after every operation. Rejects with `BrokenPromise`. `hash` takes in every step. */
export function playHistory(rng: Rng, hash: StableHash, tally: HistoryTally): Promise<void> {
  const clock = createVirtualClock(1_000_000_000);
  return clock.run(async () => {
    const history = new HistoryState(rng, clock, hash, tally);
    const operations = rng.integer(20, 90);
    for (let i = 0; i < operations; i++) {
      const operation = rng.weighted(steps);
      hash.add(operation.name);
      await operation(history);
      if (history.brokenInAsk !== null) throw history.brokenInAsk;
      nothingTwice(history.messages);
      hash.add(`${history.messages.length} ${clock.now()}`);
    }
  });
}
