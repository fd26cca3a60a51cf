import type { SummariserProfileName } from "../../../workload/index.ts";
import type { RunEvent, RunRecord } from "../../record.ts";
import type { Effect, EffectOptions } from "./effect.ts";
import { play, total } from "./effect.ts";

/** Percent of the effective window at which the sweep compacts. */
const percents = [35, 50, 70, 95] as const;

/** Multiples of the base input price: a read of the cache. */
const cacheReadPrice = 0.1;
const cacheWritePrice = 1.25;
/** Dollars per token of base input, of the model that is played (models.json). */
const inputDollars = 3 / 1_000_000;

interface Sweep {
  /** Threshold with the least cost, tokens. */
  readonly best: number;
  /** T* from what the runs measured, tokens. */
  readonly predicted: number;
  /** K, base-input tokens. */
  readonly costOfOne: number;
}

/**
 * The cheapest threshold is where waiting longer costs as much as compacting more often: T* = B + √(2Kg/R), with B the context after a
 * compaction, g its growth a call, K the cost of one compaction with its rework, R the price of a cache read. So it moves up with the rework.
 */
export async function thresholdMovesWithRework({ seed, rounds }: EffectOptions): Promise<Effect> {
  const little = await sweep("perfect", seed, rounds);
  const much = await sweep("forgetful", seed, rounds);
  return {
    says: "the cheapest threshold moves up with the cost of the rework",
    source: "T* = B + sqrt(2Kg/R) (issue 6)",
    holds: much.costOfOne > little.costOfOne && much.predicted > little.predicted && much.best >= little.best,
    figures: [
      { name: "cheapest threshold, little rework", unit: "tokens", published: little.predicted, measured: little.best },
      { name: "cheapest threshold, much rework", unit: "tokens", published: much.predicted, measured: much.best },
      { name: "cost of one compaction, little rework", unit: "tokens", published: null, measured: little.costOfOne },
      { name: "cost of one compaction, much rework", unit: "tokens", published: null, measured: much.costOfOne },
    ],
  };
}

async function sweep(summariser: SummariserProfileName, seed: string, rounds: number): Promise<Sweep> {
  const session = { profile: "long-autonomous", rounds, summariser, noteTaker: "perfect" } as const;
  const whole = await play(session, { name: "none", config: {}, env: {} }, { seed, window: "unlimited" });
  const runs: { readonly line: number; readonly dollars: number; readonly measured: Measured }[] = [];
  for (const autoCompactPercent of percents) {
    const config = {
      limits: { autoCompactPercent },
      micro: { cached: { enabled: false } },
      sessionMemory: { enabled: false },
    };
    const record = await play(session, { name: "four-layer", config, env: {} }, { seed });
    runs.push({
      line: record.header.lines.autoCompact,
      dollars: total(record, "dollars"),
      measured: measure(record, whole),
    });
  }
  const best = runs.reduce((least, run) => (run.dollars < least.dollars ? run : least));
  const mean = (of: (measured: Measured) => number): number =>
    runs.reduce((sum, { measured }) => sum + of(measured), 0) / runs.length;
  const costOfOne = mean(({ cost }) => cost);
  const spread = (2 * costOfOne * mean(({ growth }) => growth)) / mean(({ carrying }) => carrying);
  return { best: best.line, predicted: mean(({ after }) => after) + Math.sqrt(spread), costOfOne };
}

interface Measured {
  readonly after: number;
  readonly growth: number;
  readonly cost: number;
  readonly carrying: number;
}

/** B, g, K and R as a run shows them, prices in multiples of base input. R is more than the read price where pauses let the cache expire. */
function measure(record: RunRecord, whole: RunRecord): Measured {
  const compactions = record.events.filter((event) => event.kind === "compact_succeeded");
  const summaries = servedTo(record, "compact");
  const calls = servedTo(record, "main");
  const firsts = new Set(compactions.flatMap(({ seq }) => calls.find((call) => call.seq > seq) ?? []));
  const reference = servedTo(whole, "main");
  const growth = (reference.at(-1)?.trueTokens ?? 0) / Math.max(1, reference.length);
  const others = calls.filter((call) => !firsts.has(call));
  const carried = sum(
    others,
    ({ billed }) => cacheReadPrice * billed.read + cacheWritePrice * Math.max(0, billed.write - growth),
  );
  const rework = Math.max(0, calls.length - reference.length) * (sum(calls, ({ dollars }) => dollars) / calls.length);
  const spent =
    (sum(summaries, ({ dollars }) => dollars) + rework) / inputDollars +
    sum([...firsts], ({ billed }) => cacheWritePrice * billed.write);
  const count = Math.max(1, compactions.length);
  return {
    after: sum([...firsts], ({ trueTokens }) => trueTokens) / count,
    growth,
    cost: spent / count,
    carrying: carried / sum(others, ({ trueTokens }) => trueTokens),
  };
}

type Served = Extract<RunEvent, { readonly kind: "served" }>;

function servedTo(record: RunRecord, source: string): readonly Served[] {
  return record.events.flatMap((event) => (event.kind === "served" && event.querySource === source ? [event] : []));
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
