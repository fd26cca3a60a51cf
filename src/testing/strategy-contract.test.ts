import { expect, test } from "vitest";
import type { Edit, Strategy, View } from "../agent/index.ts";
import { nothing } from "../agent/index.ts";
import { strategyContract } from "./strategy-contract.ts";

/** A strategy that does one thing before every request with more than six messages. */
const doing = (edit: (view: View) => Edit | null, live = false): Strategy => ({
  name: "wrong",
  live,
  start: () => ({
    beforeRequest: async (view) => {
      const made = view.projection.length > 6 ? edit(view) : null;
      return made === null ? nothing : { status: { kind: "done" }, edits: [made], next: { kind: "send" } };
    },
  }),
});

const [plain, sharing] = [0, 1];
const check = (strategy: Strategy, law: number): Promise<void> | undefined =>
  strategyContract(() => strategy, { schedules: 1 })[law]?.check();

test("ST3: the suite catches a strategy that tears a pair apart", async () => {
  const hidesResult = doing(({ projection }) => {
    const result = projection.find(({ kind }, i) => kind === "user" && i > 0);
    return result === undefined ? null : { kind: "hide", uuids: [result.uuid] };
  });
  await expect(check(hidesResult, plain)).rejects.toThrow("is gone, its call is not");
});

test("O4: the suite catches a strategy that loses the newest human message", async () => {
  const hidesAll = doing(({ projection }) => ({ kind: "replace", from: 0, to: projection.length - 3, messages: [] }));
  await expect(check(hidesAll, plain)).rejects.toThrow("the newest human message is gone");
});

test("ST6: the suite catches a message that stands twice", async () => {
  const doubles = doing(({ projection }) => {
    const [first] = projection;
    return first === undefined ? null : { kind: "append", messages: [first] };
  });
  await expect(check(doubles, plain)).rejects.toThrow("stands twice");
});

test("ST3: the suite catches a strategy that changes what it is shown", async () => {
  const meddles = doing(({ projection }) => {
    (projection as unknown as unknown[]).pop();
    return null;
  });
  await expect(check(meddles, plain)).rejects.toThrow("rejected: TypeError");
});

test("the suite catches sessions that share state", async () => {
  let sessions = 0;
  const shared: Strategy = {
    name: "shared",
    live: false,
    start: ({ uuid }) => {
      sessions++;
      if (sessions > 1) uuid();
      return {};
    },
  };
  await expect(check(shared, sharing)).rejects.toThrow("another way");
});

test("O5: the suite catches a claim of liveness that does not hold", async () => {
  const stops: Strategy = {
    name: "stops",
    live: true,
    start: () => ({ beforeRequest: async () => ({ ...nothing, next: { kind: "stop", reason: "tired" } }) }),
  };
  await expect(check(stops, plain)).rejects.toThrow("not finished");
});
