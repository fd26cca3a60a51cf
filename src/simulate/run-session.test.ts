import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readRecord, writeRecord } from "./recorder.ts";
import { runSession } from "./run-session.ts";
import type { RunSpec } from "./run-spec.ts";
import { transports } from "./run-spec.ts";
import { longhaulVersion } from "./version.ts";

const spec = (overrides: Partial<RunSpec> = {}): RunSpec => ({
  scenario: "test",
  seed: "7",
  session: { profile: "bugfix", rounds: 14, summariser: "typical", noteTaker: "typical" },
  model: { id: "claude-sonnet-4-6", fallback: null, provider: "anthropic", window: 60_000, trueWindow: null },
  strategy: { name: "four-layer", config: { micro: { cached: { enabled: false } } }, env: {} },
  faults: [
    { id: "busy", kind: "overloaded", match: { source: "main", nth: 3 } },
    { id: "cut", kind: "stream-cut", match: { source: "main", nth: 6 } },
    { id: "garbled", kind: "malformed-sse", match: { source: "main", nth: 9 } },
    { id: "stall", kind: "stream-stall", match: { source: "main", nth: 12 }, with: { seconds: 40 } },
  ],
  toolFaults: [{ id: "flood", kind: "tool-oversized", match: { tool: "Bash", nth: 2 }, chars: 120_000 }],
  user: [],
  transport: "fetch",
  ...overrides,
});

test("D1: one spec is one hash, over all four transports", async () => {
  const hashes: string[] = [];
  for (const transport of transports) hashes.push((await runSession(spec({ transport }))).footer.hash);
  expect(new Set(hashes).size).toBe(1);
});

test("D1: another seed is another run", async () => {
  const [a, b] = [await runSession(spec()), await runSession(spec({ seed: "8" }))];
  expect(a.footer.hash).not.toBe(b.footer.hash);
});

test("an unlimited window refuses nothing: a session twice the model's window goes through to its end", async () => {
  const long = spec({
    session: { profile: "test-loop", rounds: 260, summariser: "perfect", noteTaker: "perfect" },
    model: { ...spec().model, id: "claude-sonnet-4-5", window: "unlimited" },
    strategy: { name: "none", config: {}, env: {} },
    faults: [],
    toolFaults: [],
    transport: "direct",
  });
  const { events } = await runSession(long);
  expect(events.at(-1)).toMatchObject({ kind: "run_ended", how: "completed" });
  expect(events.filter((event) => event.kind === "refused")).toEqual([]);
  const largest = Math.max(...events.map((event) => (event.kind === "served" ? event.trueTokens : 0)));
  expect(largest).toBeGreaterThan(400_000);
});

test("O1: a record is read back as it was written, and its hash leaves the header out", async () => {
  const record = await runSession(spec());
  expect(readRecord(writeRecord(record))).toEqual(record);
  const renamed = await runSession(spec({ scenario: "another name" }));
  expect(renamed.footer.hash).toBe(record.footer.hash);
  expect(() => readRecord("{}\n")).toThrow("header");
  expect(() => readRecord(writeRecord(record).split("\n").slice(0, -2).join("\n"))).toThrow("footer");
});

test("O4: faults of every family break no invariant", async () => {
  const record = await runSession(spec());
  expect(record.footer.broken).toEqual([]);
  expect(record.events.filter((event) => event.kind === "fault_injected")).toHaveLength(5);
  expect(record.events.at(-1)).toMatchObject({ kind: "run_ended", how: "completed" });
});

test("a spec that names no known model is refused before anything has run", async () => {
  const model = { ...spec().model, id: "claude-nothing-9" };
  await expect(runSession(spec({ model }))).rejects.toThrow('there is no model "claude-nothing-9"');
});

test("D2: nothing in a run reads the real clock or draws real chance for its record", async () => {
  const before = await runSession(spec());
  const { now } = Date;
  const { random } = Math;
  Date.now = () => now() + 987_654_321;
  Math.random = () => 0.123;
  try {
    expect((await runSession(spec())).footer.hash).toBe(before.footer.hash);
  } finally {
    Date.now = now;
    Math.random = random;
  }
});

test("D2: over msw a request to anywhere else is refused, not sent", async () => {
  const { createMockApi, createMswServer } = await import("../mock-api/index.ts");
  const { createRng } = await import("../determinism/index.ts");
  const api = createMockApi({ model: () => ({ content: [], trace: [] }), rng: createRng(1), now: () => 0 });
  const server = createMswServer(api);
  server.listen();
  try {
    await expect(fetch("http://127.0.0.1:9/anything")).rejects.toThrow();
    await expect(fetch("https://example.invalid/")).rejects.toThrow();
  } finally {
    server.close();
  }
});

test("the version in a record is the package's", () => {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  expect(longhaulVersion).toBe(version);
});
