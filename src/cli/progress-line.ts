import { ink } from "./ink.ts";

/** One line on a terminal that says how far a suite is and when it will be done. */
export interface ProgressLine {
  /** `key` is a run, `round` how far it is. */
  update(key: string, round: number): void;
  finish(key: string): void;
  /** Takes the line away. */
  clear(): void;
}

export interface ProgressPlan {
  readonly key: string;
  readonly rounds: number;
}

/** Writes to stderr; says nothing where that is not a terminal, or on CI. */
export function createProgressLine(plan: readonly ProgressPlan[], quiet: boolean): ProgressLine {
  const silent = quiet || !process.stderr.isTTY || (process.env.CI ?? "") !== "";
  if (silent) return { update: () => {}, finish: () => {}, clear: () => {} };
  const total = plan.reduce((sum, { rounds }) => sum + rounds, 0);
  const rounds = new Map(plan.map((run) => [run.key, run.rounds]));
  const running = new Map<string, number>();
  const began = Date.now();
  let finished = 0;
  let finishedRounds = 0;

  const draw = (): void => {
    const done = finishedRounds + [...running.values()].reduce((sum, round) => sum + round, 0);
    const elapsed = Date.now() - began;
    const left = done === 0 ? "" : `, ${duration((elapsed * (total - done)) / done)} left`;
    const now = [...running].map(([key, round]) => `${key} ${round}/${rounds.get(key) ?? "?"}`).join("  ");
    const line = `${finished}/${plan.length} runs${left}  ${now}`;
    const width = process.stderr.columns || 80;
    process.stderr.write(`\r\u001b[K${ink.quiet(line.slice(0, width - 1))}`);
  };

  return {
    update: (key, round) => {
      running.set(key, Math.min(round, rounds.get(key) ?? round));
      draw();
    },
    finish: (key) => {
      running.delete(key);
      finished++;
      finishedRounds += rounds.get(key) ?? 0;
      draw();
    },
    clear: () => process.stderr.write("\r\u001b[K"),
  };
}

function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** One line that counts up to `total`; says nothing where stderr is not a terminal. */
export function countingLine(
  what: string,
  total: number,
  quiet: boolean,
): { update: (done: number) => void; clear: () => void } {
  if (quiet || !process.stderr.isTTY || (process.env.CI ?? "") !== "") return { update: () => {}, clear: () => {} };
  const began = Date.now();
  return {
    update: (done) => {
      const left = duration(((Date.now() - began) * (total - done)) / Math.max(1, done));
      process.stderr.write(`\r\u001b[K${ink.quiet(`${done}/${total} ${what}, ${left} left`)}`);
    },
    clear: () => process.stderr.write("\r\u001b[K"),
  };
}
