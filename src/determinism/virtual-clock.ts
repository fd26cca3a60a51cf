import type { Clock, Forked } from "./clock.ts";

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly fire: () => void;
}

export interface VirtualClock extends Clock {
  /**
   * Runs `main` as the first actor and resolves with what it gives. Time moves only when every actor sleeps or joins (D2):
   * real work in flight (a fetch, a stream) keeps its actor awake, so no reading depends on how long the machine took.
   * Throws `Deadlock` when all actors wait and no timer is left.
   */
  run<T>(main: () => Promise<T>): Promise<T>;
}

/** All actors wait for each other and nothing is left that could wake one: a bug in the caller, never an outcome. */
export class Deadlock extends Error {
  readonly at: number;
  constructor(at: number) {
    super(`virtual clock: every actor waits and no timer is left at ${at} ms`);
    this.name = "Deadlock";
    this.at = at;
  }
}

/** A clock on which waiting costs no real time. One actor runs at a time; equal times fire in the order in which they were set. */
export function createVirtualClock(startMs: number): VirtualClock {
  let now = startMs;
  let awake = 0;
  let order = 0;
  let scheduled = false;
  let onDeadlock: ((error: Deadlock) => void) | undefined;
  const timers = new TimerQueue();

  const add = (ms: number, fire: () => void): Timer => {
    const timer: Timer = { at: now + Math.max(0, ms), order: order++, fire };
    if (ms !== Number.POSITIVE_INFINITY) timers.push(timer);
    return timer;
  };
  const wake = (resume: () => void): void => {
    awake++;
    resume();
  };
  const rest = (): void => {
    awake--;
    if (awake === 0 && !scheduled) {
      scheduled = true;
      queueMicrotask(advance);
    }
  };
  const advance = (): void => {
    scheduled = false;
    while (awake === 0) {
      const timer = timers.pop();
      if (timer === undefined) {
        onDeadlock?.(new Deadlock(now));
        return;
      }
      now = timer.at;
      timer.fire();
    }
  };

  const clock: VirtualClock = {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const end = (): void => {
          timers.remove(timer);
          signal?.removeEventListener("abort", end);
          wake(resolve);
        };
        const timer = add(ms, end);
        signal?.addEventListener("abort", end);
        rest();
      }),
    fork: <T>(work: () => Promise<T>): Forked<T> => {
      const waiters = new Set<() => void>();
      let settled = false;
      const promise = new Promise<T>((resolve, reject) => {
        const finish = (settle: () => void): void => {
          settled = true;
          settle();
          for (const waiter of waiters) waiter();
          rest();
        };
        add(0, () =>
          wake(() => {
            work().then(
              (value) => finish(() => resolve(value)),
              (error) => finish(() => reject(error)),
            );
          }),
        );
      });
      promise.catch(() => {}); // a failure belongs to whoever joins; nobody joining is not a crash
      const forked: VirtualForked<T> = { done: () => settled, promise, waiters };
      return forked;
    },
    join: <T>(forked: Forked<T>, timeoutMs?: number): Promise<T | undefined> => {
      if (forked.done()) return forked.promise;
      const { waiters } = forked as VirtualForked<T>;
      return new Promise((resolve) => {
        const end = (value: Promise<T> | undefined) => () => {
          waiters.delete(onDone);
          if (timeout !== undefined) timers.remove(timeout);
          wake(() => resolve(value));
        };
        const onDone = end(forked.promise);
        const timeout = timeoutMs === undefined ? undefined : add(timeoutMs, end(undefined));
        waiters.add(onDone);
        rest();
      });
    },
    timer: (ms, callback) => {
      const timer = add(ms, callback);
      return () => timers.remove(timer);
    },
    run: (main) =>
      new Promise((resolve, reject) => {
        onDeadlock = reject;
        awake++;
        main()
          .then(resolve, reject)
          .finally(() => {
            onDeadlock = undefined;
            awake--;
          });
      }),
  };
  return clock;
}

interface VirtualForked<T> extends Forked<T> {
  readonly waiters: Set<() => void>;
}

/** Timers by (time, order). A run has a handful open at once, so a sorted array is the simplest queue that is fast enough. */
class TimerQueue {
  readonly #timers: Timer[] = [];

  push(timer: Timer): void {
    let i = this.#timers.length;
    while (i > 0 && comesAfter(this.#timers[i - 1] as Timer, timer)) i--;
    this.#timers.splice(i, 0, timer);
  }
  pop(): Timer | undefined {
    return this.#timers.shift();
  }
  remove(timer: Timer): void {
    const i = this.#timers.indexOf(timer);
    if (i >= 0) this.#timers.splice(i, 1);
  }
}

function comesAfter(a: Timer, b: Timer): boolean {
  return a.at > b.at || (a.at === b.at && a.order > b.order);
}
