import fc from "fast-check";
import { expect, test } from "vitest";
import { createVirtualClock, Deadlock } from "./index.ts";

test("D2: waiting costs no real time", async () => {
  const clock = createVirtualClock(0);
  const end = await clock.run(async () => {
    await clock.sleep(10 * 3_600_000);
    return clock.now();
  });
  expect(end).toBe(36_000_000);
});

test("D2: time stands still while real work is in flight", async () => {
  const clock = createVirtualClock(5);
  await clock.run(async () => {
    clock.timer(1, () => {
      throw new Error("fired while an actor was awake");
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(clock.now()).toBe(5);
  });
});

test("a sleep ends when its signal aborts, without moving time", async () => {
  const clock = createVirtualClock(0);
  const abort = new AbortController();
  await clock.run(async () => {
    clock.timer(30, () => abort.abort());
    await clock.sleep(Number.POSITIVE_INFINITY, abort.signal);
    expect(clock.now()).toBe(30);
    await clock.sleep(100, abort.signal);
    expect(clock.now()).toBe(30);
  });
});

test("a join gives up at its time limit, and later gives what the work gave", async () => {
  const clock = createVirtualClock(0);
  await clock.run(async () => {
    const slow = clock.fork(async () => {
      await clock.sleep(60_000);
      return "notes";
    });
    expect(await clock.join(slow, 15_000)).toBeUndefined();
    expect(clock.now()).toBe(15_000);
    expect(slow.done()).toBe(false);
    expect(await clock.join(slow)).toBe("notes");
    expect(clock.now()).toBe(60_000);
    expect(await clock.join(slow)).toBe("notes");
  });
});

test("a failure of forked work belongs to whoever joins it", async () => {
  const clock = createVirtualClock(0);
  await clock.run(async () => {
    const broken = clock.fork(async () => {
      throw new Error("lost");
    });
    await clock.sleep(1);
    await expect(clock.join(broken)).rejects.toThrow("lost");
  });
});

test("actors that all wait for nothing are a deadlock, with the time in it", async () => {
  const clock = createVirtualClock(7);
  await expect(clock.run(() => clock.sleep(Number.POSITIVE_INFINITY))).rejects.toThrow(Deadlock);
});

test("one actor runs at a time, in the order of (time, when it was set), whatever real work each does", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 4 }), { maxLength: 6 }),
      async (plans) => {
        const runOnce = async (realDelay: boolean): Promise<string[]> => {
          const clock = createVirtualClock(0);
          const log: string[] = [];
          await clock.run(async () => {
            const actors = plans.map((sleeps, actor) =>
              clock.fork(async () => {
                for (const ms of sleeps) {
                  await clock.sleep(ms);
                  log.push(`${actor}@${clock.now()}`);
                  if (realDelay && (actor + ms) % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
                  log.push(`${actor} goes on`);
                }
              }),
            );
            for (const actor of actors) await clock.join(actor);
          });
          return log;
        };
        const log = await runOnce(false);
        expect(await runOnce(true)).toEqual(log);
        for (let i = 0; i < log.length; i += 2) expect(log[i + 1]).toBe(`${log[i]?.split("@")[0]} goes on`);
      },
    ),
  );
});
