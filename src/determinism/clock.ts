/**
 * Time as an argument. Contract:
 * - `now` never moves by being read;
 * - `sleep` ends early, and resolves all the same, when its signal aborts: the caller looks at the signal;
 * - `fork` starts another actor; `join` waits for it, at most `timeoutMs`, and never rejects for the time-out (undefined instead).
 *   Concurrent work of one caller (parallel tools, background notes) MUST be forked: on a virtual clock one actor runs at a time, in a fixed order;
 * - `timer` calls back once, unless cancelled; it does not count as work, so a run may end with timers open.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  fork<T>(work: () => Promise<T>): Forked<T>;
  join<T>(forked: Forked<T>, timeoutMs?: number): Promise<T | undefined>;
  /** Returns the function that cancels it. */
  timer(ms: number, callback: () => void): () => void;
}

/** Work that runs beside its caller. `join` is the only way to wait for it. */
export interface Forked<T> {
  readonly done: () => boolean;
  /** @internal settles with the work. */
  readonly promise: Promise<T>;
}

/** The real clock, with the same contract. */
export function systemClock(): Clock {
  const clock: Clock = {
    now: () => Date.now(),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const timeout = setTimeout(finish, ms);
        function finish(): void {
          clearTimeout(timeout);
          signal?.removeEventListener("abort", finish);
          resolve();
        }
        signal?.addEventListener("abort", finish);
      }),
    fork: (work) => {
      let settled = false;
      const promise = Promise.resolve().then(work);
      const settle = (): void => {
        settled = true;
      };
      promise.then(settle, settle);
      return { done: () => settled, promise };
    },
    join: (forked, timeoutMs) => {
      if (timeoutMs === undefined) return forked.promise;
      let cancel: () => void = () => {};
      const timeUp = new Promise<undefined>((resolve) => {
        cancel = clock.timer(timeoutMs, () => resolve(undefined));
      });
      return Promise.race([forked.promise, timeUp]).finally(cancel);
    },
    timer: (ms, callback) => {
      const timeout = setTimeout(callback, ms);
      return () => clearTimeout(timeout);
    },
  };
  return clock;
}
