import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import type { LoopEvent } from "../agent/index.ts";
import { createAgent, createSdkClient, fourLayer } from "../agent/index.ts";
import type { CompactionEvent } from "../compaction/index.ts";
import { resolveConfig } from "../compaction/index.ts";
import { createRng, systemClock } from "../determinism/index.ts";
import type { MockEvent } from "../mock-api/index.ts";
import { findModel } from "../tokens/index.ts";
import { createWorkload } from "../workload/index.ts";

const scenario = `why: Faults for a client in another process.
session: { profile: bugfix, rounds: 50 }
faults:
  - { id: busy, kind: overloaded, match: { source: main, nth: 3 } }
  - { id: cut, kind: stream-cut, match: { source: main, nth: 6 }, with: { afterEvents: 4 } }
  - { id: cut-late, kind: stream-cut, match: { source: main, nth: 12 }, with: { afterEvents: 40 } }
expect: [ends == completed]
`;

type Line = MockEvent | { readonly kind: "listening"; readonly url: string };

/** The command in a process of its own: what it tells, line for line, and its end. */
async function serve(words: readonly string[]) {
  const child: ChildProcess = spawn(process.execPath, ["src/cli/bin.mjs", "serve", "--json", ...words]);
  const ended = once(child, "close") as Promise<[code: number | null, signal: string | null]>;
  const told: Line[] = [];
  let complaints = "";
  child.stderr?.on("data", (text) => (complaints += text));
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const listening = new Promise<string>((resolve, reject) => {
    lines.on("line", (line) => {
      const event = JSON.parse(line) as Line;
      told.push(event);
      if (event.kind === "listening") resolve(event.url);
    });
    ended.then(() => reject(new Error(`serve ended before it listened: ${complaints}`)));
  });
  return {
    url: await listening,
    told,
    interrupt: async () => {
      child.kill("SIGINT");
      const [code, signal] = await ended;
      return { code, signal, complaints };
    },
  };
}

test("the loop on the unmodified SDK runs against `longhaul serve` over HTTP: tools, streams, faults, a compaction; Ctrl-C ends it cleanly", {
  timeout: 120_000,
}, async () => {
  const file = join(mkdtempSync(join(tmpdir(), "longhaul-serve-")), "faulty.yaml");
  writeFileSync(file, scenario);
  const server = await serve(["--port", "0", "--seed", "2", "--scenario", file]);
  const model = findModel("claude-sonnet-4-6");
  if (model === undefined) throw new Error("no model");
  const windowCap = 80_000;
  const { config } = resolveConfig({ limits: { contextWindowCap: windowCap } }, {}, model);
  // The world of this session stands here; the server has its model alone.
  const world = createWorkload({ profile: "bugfix", rounds: 50, rng: createRng(2).fork("serve").fork("workload") });
  const clock = systemClock();
  const events: (LoopEvent | CompactionEvent)[] = [];
  const agent = createAgent({
    client: createSdkClient({ apiKey: "sk-ant-any", baseUrl: server.url, clock }),
    clock,
    uuid: randomUUID,
    random: () => 1,
    strategy: fourLayer({ config }),
    model,
    windowCap,
    thinking: { type: "adaptive" },
    system: world.system,
    toolDefinitions: world.tools,
    tools: { run: async (call) => world.runTool(call, clock.now()) },
    emit: (event) => events.push(event),
  });

  let text: string | null = null;
  for (let action = world.user.next(null); action !== null; action = world.user.next(text)) {
    if (action.kind === "compact") await agent.compact(action.focus);
    if (action.kind !== "say") continue;
    const result = await agent.turn(action.content);
    expect(result.kind).toBe("completed");
    text = result.kind === "completed" ? result.text : null;
  }
  agent.close();

  const of = <K extends (typeof events)[number]["kind"]>(kind: K) =>
    events.filter((event): event is Extract<(typeof events)[number], { readonly kind: K }> => event.kind === kind);
  expect(of("tool_finished").length).toBeGreaterThanOrEqual(10);
  const toolRounds = new Set(of("tool_finished").map(({ round }) => round));
  expect(toolRounds.size).toBeGreaterThanOrEqual(10);
  // Tools start while the answer still streams in.
  const kinds = events.map(({ kind }) => kind);
  const firstCall = of("response_received").find(({ stopReason }) => stopReason === "tool_use");
  expect(kinds.indexOf("tool_started")).toBeLessThan(events.indexOf(firstCall as LoopEvent));
  expect(of("compact_succeeded").map(({ layer }) => layer)).toContain("full");
  expect(of("recovery_step")).toMatchObject([{ step: "continuation", outcome: "done" }]);
  expect(of("contract_broken")).toEqual([]);

  const toldFaults = server.told.flatMap((line) => (line.kind === "fault_injected" ? [line.fault] : []));
  expect(toldFaults).toEqual(["busy", "cut", "cut-late"]);
  expect(
    server.told.filter((line) => line.kind === "client_sin" || (line.kind === "refused" && !line.injected)),
  ).toEqual([]);
  expect(await server.interrupt()).toEqual({ code: 0, signal: null, complaints: "" });
});
