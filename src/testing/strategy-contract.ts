import fc from "fast-check";
import type { Strategy } from "../agent/index.ts";
import type { RecoveryStep } from "../compaction/index.ts";
import type { ContractRun, FaultSchedule } from "./contract-session.ts";
import { contractFaults, contractRounds, playContractSession } from "./contract-session.ts";

/** A promise of the strategy port that every implementation keeps. `check` rejects with what broke it, and with the schedule that did. */
export interface StrategyLaw {
  readonly name: string;
  check(): Promise<void>;
}

export interface StrategyContractOptions {
  /** Random fault schedules to try. Default 200. */
  readonly schedules?: number;
  readonly seed?: number;
  /** Recovery steps that must have been taken, and done, somewhere in these schedules. Default: none in particular. */
  readonly steps?: readonly RecoveryStep[];
}

/**
 * The contract of `Strategy` (ST1-ST6, RC6) as laws, each a session over the real loop on virtual time. Use: one test for each law.
 * `make` gives a fresh strategy each time, so that what one session leaves in another shows.
 */
export function strategyContract(make: () => Strategy, options: StrategyContractOptions = {}): readonly StrategyLaw[] {
  const { schedules = 200, seed = 1, steps = [] } = options;
  const { live } = make();
  return [
    {
      name: "ST2, ST3: a session without faults breaks nothing, and never changes what it was shown",
      check: async () => {
        const run = await playContractSession(make());
        assertKept(run);
        if (live && !run.finished) throw new Error(`not finished after ${run.requests} requests`);
      },
    },
    {
      name: "two sessions of one strategy share nothing",
      check: async () => {
        const shared = make();
        const first = await playContractSession(shared);
        const second = await playContractSession(shared);
        if (JSON.stringify(first.events) !== JSON.stringify(second.events)) {
          throw new Error("the second session of the same strategy went another way than the first");
        }
      },
    },
    {
      name: `RC6: under ${schedules} random fault schedules nothing breaks, every round's calls are bounded, and every fault was seen`,
      check: async () => {
        const seen = new Set<string>();
        await fc.assert(
          fc.asyncProperty(faultSchedule, async (schedule) => {
            const run = await playContractSession(make(), schedule);
            for (const fault of run.faultsSeen) seen.add(fault);
            for (const event of run.events)
              if (event.kind === "recovery_step" && event.outcome === "done") seen.add(event.step);
            assertKept(run);
            // O5: faults end with the 40th request; from there on a live strategy finishes.
            if (live && !run.finished) throw new Error(`not finished after ${run.requests} requests`);
          }),
          { numRuns: schedules, seed },
        );
        const asks = (await playContractSession(make())).events.some(({ querySource }) => querySource === "compact");
        const expected = [...contractFaults.filter((fault) => asks || !/summary|draft/.test(fault)), ...steps];
        const missing = expected.filter((name) => !seen.has(name));
        if (schedules >= 200 && missing.length > 0) throw new Error(`never seen: ${missing.join(", ")}`);
      },
    },
  ];
}

const lastFaultyRequest = 40;

/** Faults that come alone and in runs of up to four, as outages do. */
const faultSchedule: fc.Arbitrary<FaultSchedule> = fc
  .array(
    fc.record({
      from: fc.integer({ min: 1, max: lastFaultyRequest - 3 }),
      times: fc.integer({ min: 1, max: 4 }),
      fault: fc.constantFrom(...contractFaults),
    }),
    { maxLength: 8 },
  )
  .map(
    (runs) =>
      new Map(runs.flatMap(({ from, times, fault }) => Array.from({ length: times }, (_, i) => [from + i, fault]))),
  );

function assertKept({ violations, events, requests }: ContractRun): void {
  if (violations.length > 0) throw new Error(violations.slice(0, 5).join("; "));
  const perRound = new Map<string, number>();
  for (const event of events) {
    if (event.kind !== "request_sent") continue;
    const key = `${event.querySource} in round ${event.round}`;
    perRound.set(key, (perRound.get(key) ?? 0) + 1);
  }
  const most = [...perRound].find(([, count]) => count > 40);
  if (most !== undefined) throw new Error(`${most[1]} requests of ${most[0]}`);
  if (requests > contractRounds * 20) throw new Error(`${requests} requests for ${contractRounds} rounds`);
}
