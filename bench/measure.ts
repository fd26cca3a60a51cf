import { Bench } from "tinybench";
import type { Growth } from "./growth.ts";
import { fitGrowth } from "./growth.ts";
import { makeHistory } from "./history.ts";
import type { Subject } from "./subject.ts";

/** Times of one subject at one size, in milliseconds. */
export interface Timing {
  readonly name: string;
  readonly n: number;
  readonly median: number;
  /** Order statistics that hold the median with 95 % confidence, within this process. */
  readonly low: number;
  readonly high: number;
  readonly p99: number;
  readonly opsPerSecond: number;
  readonly growth?: Growth;
}

export interface MeasureOptions {
  readonly sizes: readonly number[];
  /** Time for each subject and size. */
  readonly timeMs: number;
  readonly onProgress?: (name: string, n: number) => void;
}

/** Proves and times every subject at every size. Throws `UnprovenSubject` before timing what is wrong. */
export async function measure(subjects: readonly Subject[], options: MeasureOptions): Promise<Timing[]> {
  const timings: Timing[] = [];
  /** Growth is fitted to the fastest call of each size: a busy machine slows the long ones most, and would bend the line. */
  const fastest = new Map<string, number>();
  for (const n of options.sizes) {
    for (const subject of subjects) {
      options.onProgress?.(subject.name, n);
      const { timing, min } = await timeOne(subject, n, options.timeMs);
      timings.push(timing);
      fastest.set(`${subject.name} @ ${n}`, min);
    }
  }
  return subjects.flatMap((subject) => {
    const rows = timings.filter((row) => row.name === subject.name);
    const growth = fitGrowth(
      rows.map(({ n }) => ({ n, median: fastest.get(`${subject.name} @ ${n}`) ?? 0 })),
      subject.declaredExponent,
    );
    return rows.map((row) => (growth === null ? row : { ...row, growth }));
  });
}

/** Keeps results alive, so that no call can be left out as unused. */
let sink: unknown;

async function timeOne(subject: Subject, n: number, timeMs: number): Promise<{ timing: Timing; min: number }> {
  const { run, prove } = subject.prepare(makeHistory(n));
  prove();
  const bench = new Bench({ time: timeMs, warmupTime: timeMs / 4, retainSamples: true, throws: true });
  bench.add(subject.name, () => {
    sink = run();
  });
  await bench.run();
  if (sink === undefined) throw new Error(`${subject.name} gave nothing`);
  const { result } = bench.tasks[0] as (typeof bench.tasks)[number];
  if (!("latency" in result)) throw new Error(`${subject.name}: tinybench gave no statistics (${result.state})`);
  const { latency } = result;
  const samples = latency.samples ?? [latency.p50];
  const [low, high] = medianInterval(samples);
  const timing = {
    name: subject.name,
    n,
    median: latency.p50,
    low,
    high,
    p99: latency.p99,
    opsPerSecond: 1000 / latency.p50,
  };
  return { timing, min: latency.min };
}

/** The order statistics around the median of sorted samples: ±0.98 √n ranks hold it with 95 % confidence (binomial, normal approximation). */
function medianInterval(samples: readonly number[]): [low: number, high: number] {
  const half = 0.98 * Math.sqrt(samples.length);
  const middle = (samples.length - 1) / 2;
  const low = samples[Math.max(0, Math.floor(middle - half))] ?? 0;
  const high = samples[Math.min(samples.length - 1, Math.ceil(middle + half))] ?? 0;
  return [low, high];
}
