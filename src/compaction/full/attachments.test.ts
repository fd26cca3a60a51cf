import { expect, test } from "vitest";
import { anAssistant, anAttachment, aResultMessage, aToolUse, aUser, createVirtualClock } from "../../testing/index.ts";
import type { Message } from "../../transcript/index.ts";
import { textOf } from "../../transcript/index.ts";
import { defaultConfig } from "../config.ts";
import type { AnnouncePort } from "../ports.ts";
import type { Attachments } from "./attachments.ts";
import { buildAttachments } from "./attachments.ts";
import { pathsShownIn } from "./shown-files.ts";

const MARKER = defaultConfig.micro.marker;

interface Setting {
  readonly files?: Readonly<Record<string, string | null>>;
  readonly kept?: readonly Message[];
  readonly announce?: Partial<AnnouncePort>;
  readonly readMs?: number;
}

async function build({
  files = {},
  kept = [],
  announce = {},
  readMs = 0,
}: Setting): Promise<Attachments & { ms: number }> {
  const clock = createVirtualClock(0);
  let ids = 0;
  const built = await clock.run(() =>
    buildAttachments(kept, defaultConfig.full, MARKER, {
      clock,
      ids: { uuid: () => `id${ids++}` },
      readFiles: {
        snapshot: () => Object.keys(files).map((path, i) => ({ path, readAtMs: i })),
        read: async (path) => {
          await clock.sleep(path.includes("hangs") ? Number.POSITIVE_INFINITY : readMs);
          return files[path] ?? null;
        },
        reset: () => {
          throw new Error("reset before the commit");
        },
      },
      announce: {
        plan: () => null,
        skills: () => [],
        runningAgents: () => null,
        deferredTools: () => null,
        agents: () => null,
        mcpInstructions: () => null,
        ...announce,
      },
    }),
  );
  return { ...built, ms: clock.now() };
}

const named = (count: number, text: string, extension = "ts"): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`/repo/f${i}.${extension}`, text]));

test("FC10: the newest five files, the newest first, read again in parallel", async () => {
  const { reattached, messages, ms } = await build({ files: named(8, "code"), readMs: 40 });
  expect(reattached).toEqual([7, 6, 5, 4, 3].map((i) => `/repo/f${i}.ts`));
  expect(messages.map((message) => message.attachment)).toEqual(reattached.map((path) => ({ kind: "file", path })));
  expect(textOf(messages[0] as Message)).toContain("code");
  expect(ms).toBe(40);
});

test("FC10: a file is cut at 5 000 tokens, with a note; JSON at half the characters", async () => {
  for (const [extension, chars] of [
    ["ts", 20_000],
    ["json", 10_000],
    ["jsonl", 10_000],
    ["jsonc", 10_000],
  ] as const) {
    const { messages } = await build({ files: named(1, "x".repeat(50_000), extension) });
    const text = textOf(messages[0] as Message).replace(/^File .*\n\n/, "");
    expect(text).toHaveLength(chars);
    expect(text).toMatch(/cut here.*5000 tokens.*\/repo\/f0/);
    const whole = await build({ files: named(1, "x".repeat(chars), extension) });
    expect(textOf(whole.messages[0] as Message)).not.toContain("cut here");
  }
});

test("FC10: skills have their own share and total, and one that does not fit leaves room for the next", async () => {
  const skills = [
    ...Array.from({ length: 4 }, (_, i) => ({ name: `big${i}`, text: "x".repeat(30_000) })),
    { name: "middle", text: "y".repeat(19_996) },
    { name: "too-much", text: "z".repeat(20_000) },
    { name: "tiny", text: "w" },
  ];
  const { messages } = await build({ announce: { skills: () => skills } });
  expect(messages.map(({ attachment }) => attachment.kind === "skill" && attachment.name)).toEqual([
    "big0",
    "big1",
    "big2",
    "big3",
    "middle",
    "tiny",
  ]);
});

test("FC10: memory files, the plan, files gone, files that hang, and files shown in the kept part are left out", async () => {
  const kept = [anAssistant([aToolUse("t", "Read", { file_path: "/shown.ts" })]), aResultMessage("t", "its text")];
  const { reattached, ms } = await build({
    files: {
      "/a/CLAUDE.md": "m",
      "AGENTS.md": "m",
      "/plan.md": "1. do it\n",
      "/gone.ts": null,
      "/hangs.ts": "h",
      "/hangs-too.ts": "h",
      "/shown.ts": "its text",
      "/ok.ts": "ok",
    },
    kept,
    announce: { plan: () => "1. do it" },
  });
  expect(reattached).toEqual(["/ok.ts"]);
  expect(ms).toBe(defaultConfig.full.hookTimeoutMs);
});

test("FC10: plan, skills, agents, tools and MCP instructions follow the files, each where there is one", async () => {
  const { messages } = await build({
    files: named(1, "code"),
    announce: {
      plan: () => "the plan",
      skills: () => [{ name: "s", text: "how" }],
      runningAgents: () => "agent 7",
      deferredTools: () => "tool list",
      agents: () => " \n",
      mcpInstructions: () => "mcp",
    },
  });
  expect(messages.map(({ attachment }) => attachment.kind)).toEqual([
    "file",
    "plan",
    "skill",
    "agents",
    "deferred-tools",
    "mcp",
  ]);
  expect(new Set(messages.map((message) => message.uuid)).size).toBe(messages.length);
});

test("FC10: without ports there is nothing to attach", async () => {
  const clock = createVirtualClock(0);
  const built = await clock.run(() =>
    buildAttachments([], defaultConfig.full, MARKER, { clock, ids: { uuid: () => "" } }),
  );
  expect(built).toEqual({ messages: [], reattached: [] });
});

test("FC10: shown is what stands there whole: not a part, not an error, not what was cleared", () => {
  const read = (id: string, input: object, result: string, more: object = {}): readonly Message[] => [
    anAssistant([aToolUse(id, "Read", input)]),
    aUser([{ type: "tool_result", tool_use_id: id, content: result, ...more }]),
  ];
  const messages = [
    ...read("1", { file_path: "/whole" }, "text"),
    ...read("2", { file_path: "/part", offset: 10 }, "text"),
    ...read("3", { file_path: "/error" }, "no such file", { is_error: true }),
    ...read("4", { file_path: "/cleared" }, MARKER),
    anAssistant([
      aToolUse("5", "Write", { file_path: "/written", content: "c" }),
      aToolUse("6", "Grep", { path: "/searched" }),
    ]),
    aUser([
      { type: "tool_result", tool_use_id: "5", content: "ok" },
      { type: "tool_result", tool_use_id: "6", content: "3 lines" },
      { type: "tool_result", tool_use_id: "nowhere", content: "?" },
    ]),
    anAttachment("text", { attachment: { kind: "file", path: "/attached" } }),
  ];
  expect([...pathsShownIn(messages, MARKER)]).toEqual(["/whole", "/written", "/attached"]);
});
