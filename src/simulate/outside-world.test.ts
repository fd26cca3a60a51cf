import net from "node:net";
import { expect, test } from "vitest";
import { runSession } from "./run-session.ts";
import type { RunSpec, Transport } from "./run-spec.ts";

const spec = (transport: Transport): RunSpec => ({
  scenario: "outside",
  seed: "7",
  session: { profile: "bugfix", rounds: 14, summariser: "typical", noteTaker: "typical" },
  model: { id: "claude-sonnet-4-6", fallback: null, provider: "anthropic", window: 60_000, trueWindow: null },
  strategy: { name: "four-layer", config: {}, env: {} },
  faults: [
    { id: "busy", kind: "overloaded", match: { source: "main", nth: 3 } },
    { id: "cut", kind: "stream-cut", match: { source: "main", nth: 6 } },
  ],
  toolFaults: [],
  user: [],
  transport,
});

test.each(["msw", "fetch", "direct"] as const)(
  "D2: over %s nothing of ours asks the real clock, a real timer, real chance or the network; the SDK and MSW may, and it changes nothing",
  async (transport) => {
    const before = await runSession(spec(transport));
    const watch = watchOutsideWorld();
    const record = await runSession(spec(transport)).finally(watch.end);
    expect(watch.calls().filter(({ by }) => by === "ours")).toEqual([]);
    // What was drawn and read is another each time, and the record is the same: none of it got there.
    expect(record.footer.hash).toBe(before.footer.hash);
    if (transport === "msw") expect(watch.calls().some(({ by }) => by === "MSW")).toBe(true);
  },
);

test.each([
  ["Math.random", () => Math.random()],
  ["Date.now", () => Date.now()],
  ["new Date", () => String(new Date())],
  ["performance.now", () => performance.now()],
  ["setTimeout", () => clearTimeout(setTimeout(() => {}, 0))],
  ["setInterval", () => clearInterval(setInterval(() => {}, 9))],
  ["setImmediate", () => clearImmediate(setImmediate(() => {}))],
  ["crypto.randomUUID", () => crypto.randomUUID()],
  ["crypto.getRandomValues", () => crypto.getRandomValues(new Uint8Array(1))],
  ["fetch", () => void fetch("http://127.0.0.1:9/").catch(() => {})],
  ["net.connect", () => net.connect(9, "127.0.0.1").on("error", () => {})],
] satisfies [string, () => unknown][])("D2: whoever tries is seen: %s in a tool of the run", async (name, attempt) => {
  const watch = watchOutsideWorld();
  try {
    const { createRng } = await import("../determinism/index.ts");
    const { createWorkload } = await import("../workload/index.ts");
    const { playSession } = await import("./play-session.ts");
    const world = createWorkload({ profile: "bugfix", rounds: 6, rng: createRng(1) });
    let tried = 0;
    const runTool: typeof world.runTool = (call, nowMs) => {
      if (tried++ === 0) attempt();
      return world.runTool(call, nowMs);
    };
    await playSession({ ...spec("direct"), profile: "bugfix", rounds: 6 }, { ...world, runTool });
    expect(tried).toBeGreaterThan(0);
  } finally {
    watch.end();
  }
  expect(watch.calls().flatMap((call) => (call.by === "ours" ? [call.name] : []))).toContain(name);
});

/** A call of the real clock, of a real timer, of real chance or of the network, and whose code made it. */
interface OutsideCall {
  readonly name: string;
  /** The nearest caller that is a file: the SDK, MSW, the test's own runner, or `ours`. */
  readonly by: string;
  readonly file: string;
}

interface OutsideWatch {
  calls(): readonly OutsideCall[];
  /** Puts everything back. */
  end(): void;
}

/** Packages that may look outside in a run: none of what they draw reaches a record (simulation.md D2). */
const allowed: readonly (readonly [path: RegExp, name: string])[] = [
  [/node_modules[\\/]@anthropic-ai[\\/]sdk/, "SDK"],
  [
    /node_modules[\\/](?:msw|@mswjs|@open-draft|rettime|until-async|outvariant|is-node-process|tough-cookie)[\\/]/,
    "MSW",
  ],
  [/node_modules[\\/](?:@?vitest|vite|tinypool|birpc|tinyspy)[\\/@-]/, "test runner"],
];

/** A function that stands in for a real one: frames above it are left out of the stack. */
type Spy = (...given: never[]) => unknown;

type Slot = readonly [holder: object, key: string, name: string];

const slots: readonly Slot[] = [
  [Math, "random", "Math.random"],
  [Date, "now", "Date.now"],
  [performance, "now", "performance.now"],
  [globalThis, "setTimeout", "setTimeout"],
  [globalThis, "setInterval", "setInterval"],
  [globalThis, "setImmediate", "setImmediate"],
  [globalThis, "fetch", "fetch"],
  [crypto, "randomUUID", "crypto.randomUUID"],
  [crypto, "getRandomValues", "crypto.getRandomValues"],
  [net.Socket.prototype, "connect", "net.connect"],
];

/** Records every caller until `end`. What is called does what it always does. */
function watchOutsideWorld(): OutsideWatch {
  const seen: OutsideCall[] = [];
  const note = (name: string, spy: Spy): void => {
    const asked = { stack: "" };
    Error.captureStackTrace(asked, spy);
    const caller = callerOf(asked.stack);
    if (caller !== null) seen.push({ name, ...caller });
  };
  const restore = slots.map(([holder, key, name]) => watched(holder, key, (spy) => note(name, spy)));
  const RealDate = globalThis.Date;
  globalThis.Date = new Proxy(RealDate, {
    construct: function construct(target, given, self) {
      if (given.length === 0) note("new Date", construct);
      return Reflect.construct(target, given, self);
    },
  });
  return {
    calls: () => seen,
    end: () => {
      globalThis.Date = RealDate;
      for (const put of restore) put();
    },
  };
}

function watched(holder: object, key: string, tell: (spy: Spy) => void): () => void {
  const own = Object.getOwnPropertyDescriptor(holder, key);
  const real = Reflect.get(holder, key) as (...given: unknown[]) => unknown;
  const spy = function (this: unknown, ...given: unknown[]): unknown {
    tell(spy);
    return Reflect.apply(real, this, given);
  };
  Object.defineProperty(holder, key, { value: spy, configurable: true, writable: true });
  return () => {
    if (own === undefined) Reflect.deleteProperty(holder, key);
    else Object.defineProperty(holder, key, own);
  };
}

/** The nearest frame of a file; null where only Node itself is on the stack, or this module. */
function callerOf(stack: string): Pick<OutsideCall, "by" | "file"> | null {
  for (const line of stack.split("\n").slice(1)) {
    const file = /\(?((?:file:\/\/|\/|[A-Z]:\\)[^\s)]+?)(?::\d+)*\)?$/.exec(line.trim())?.[1];
    if (file === undefined) continue;
    return { by: allowed.find(([path]) => path.test(file))?.[1] ?? "ours", file };
  }
  return null;
}
