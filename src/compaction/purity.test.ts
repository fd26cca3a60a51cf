import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test, vi } from "vitest";
import { anAssistant, aResultMessage, aToolUse, aUser, createVirtualClock, inOrder } from "../testing/index.ts";
import type { ModelInfo } from "../tokens/index.ts";
import { findModel, roughEstimator } from "../tokens/index.ts";
import { createCompactor, defaultConfig } from "./index.ts";

const source = resolve(import.meta.dirname, "..");
/** Each room with those that it may enter. */
const rooms = {
  transcript: ["transcript"],
  tokens: ["tokens", "transcript"],
  compaction: ["compaction", "tokens", "transcript"],
};

const filesOf = (room: string): string[] =>
  readdirSync(join(source, room), { recursive: true })
    .map((name) => join(source, room, String(name)))
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));

/** The code without comments and without what stands in quotes. */
const bare = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/gm, (match) =>
    match.startsWith("/") ? "" : '""',
  );

test("CF1: the core imports nothing but itself", () => {
  for (const [room, allowed] of Object.entries(rooms)) {
    const files = filesOf(room);
    expect(files.length).toBeGreaterThan(10);
    for (const file of files) {
      for (const [, name] of readFileSync(file, "utf8").matchAll(/^(?:import|export) [\s\S]*?from "(.*?)"/gm)) {
        expect([file, name]).toEqual([file, expect.stringMatching(/^\.\.?\//)]);
        const target = resolve(file, "..", name as string).slice(source.length + 1);
        expect([file, allowed]).toEqual([file, expect.arrayContaining([target.split("/")[0]])]);
      }
    }
  }
});

test("CF1: the core names no clock, chance, environment or I/O, and keeps no state in a module", () => {
  const world =
    /\b(?:Date|Math\.random|performance|crypto|process|console|fetch|setTimeout|setInterval|queueMicrotask|globalThis|require)\b(?!["':])/;
  for (const file of Object.keys(rooms).flatMap(filesOf)) {
    const code = bare(readFileSync(file, "utf8"));
    expect([file, world.exec(code)?.[0]]).toEqual([file, undefined]);
    expect([file, /^(?:export )?(?:let|var) .*$/m.exec(code)?.[0]]).toEqual([file, undefined]);
  }
});

test("CF1: a compaction asks its ports for time and identity, and nobody else", async () => {
  const clock = createVirtualClock(1_000_000);
  let ids = 0;
  const messages = inOrder([
    aUser("Port the parser."),
    ...Array.from({ length: 185 }, (_, i) => [
      anAssistant([aToolUse(`t${i}`, "Read")], { id: `msg_${i}` }),
      aResultMessage(`t${i}`, `${i}`.padEnd(2_900, "x")),
    ]).flat(),
  ]);
  const compactor = createCompactor(defaultConfig, {
    clock,
    ids: { uuid: () => `made-${ids++}` },
    estimator: roughEstimator,
    emit: () => {},
    ask: async () => ({
      kind: "answer",
      text: "<summary>S</summary>",
      stopReason: "end_turn",
      toolCalls: [],
      usage: null,
    }),
  });
  const ambient = [
    vi.spyOn(Date, "now"),
    vi.spyOn(Math, "random"),
    vi.spyOn(performance, "now"),
    vi.spyOn(crypto, "randomUUID"),
    vi.spyOn(globalThis, "setTimeout"),
  ];
  try {
    const model = findModel("claude-sonnet-4-5") as ModelInfo;
    const at = { model, overheadTokens: 0, turn: 1, round: 1, requestMaxTokens: 8_000, autonomous: false };
    const { outcome } = await clock.run(() => compactor.beforeRequest(messages, { ...at, querySource: "main" }));
    expect(outcome?.kind).toBe("compacted");
    for (const spy of ambient) expect(spy).not.toHaveBeenCalled();
    expect(ids).toBeGreaterThan(1);
  } finally {
    for (const spy of ambient) spy.mockRestore();
  }
});
