import { expect, test } from "vitest";
import { createRng } from "../determinism/index.ts";
import type { WireBlock, WireMessage, WireRequest } from "../transcript/index.ts";
import { createWorkload } from "./create-workload.ts";
import type { DryConversation } from "./dry-conversation.ts";
import { converse } from "./dry-conversation.ts";
import { recogniseMemoryRequest } from "./memory-request.ts";
import type { FactKind, ModelTrace } from "./trace.ts";
import type { NoteTakerProfileName, ProfileName, SummariserProfileName, Workload } from "./workload.ts";

const titles = [
  "Primary Request and Intent",
  "Key Technical Concepts",
  "Files and Code Sections",
  "Errors and Fixes",
  "Problem Solving",
  "All User Messages",
  "Pending Tasks",
  "Current Work",
  "Optional Next Step",
];
const summaryPrompt = `Think in <analysis> tags, then write a <summary> with these sections:\n${titles.map((title, i) => `${i + 1}. ${title}: all of it`).join("\n")}`;
const noteTitles = [
  "Session Title",
  "Current State",
  "Task Specification",
  "Files and Functions",
  "Workflow",
  "Errors and Corrections",
  "Codebase Documentation",
  "Learnings",
  "Key Results",
  "Worklog",
];
const emptyNotes = noteTitles.map((title) => `# ${title}\n_What belongs here._\n`).join("\n");
const notesPrompt = (notes: string): string =>
  `Answer with the whole notes between <notes> and </notes>, and nothing else.\n\nThe notes so far:\n\n<notes>\n${notes}\n</notes>`;

type Memory = "summary" | "notes";

interface Compacted extends DryConversation {
  readonly texts: readonly string[];
  readonly written: readonly (ModelTrace & { readonly kind: "summary_written" })[];
}

/** A session whose history is replaced by a summary, or by notes, whenever it is larger than `chars`. */
function compacting(world: Workload, memory: Memory, chars: number, rounds: number): Compacted {
  const texts: string[] = [];
  const written: (ModelTrace & { readonly kind: "summary_written" })[] = [];
  const sizes = new Map<WireMessage, number>();
  const sizeOf = (message: WireMessage): number => {
    const known = sizes.get(message) ?? JSON.stringify(message).length;
    sizes.set(message, known);
    return known;
  };
  let from = 0;
  let head: readonly WireMessage[] = [];
  const show = (messages: readonly WireMessage[], round: number): readonly WireMessage[] => {
    const live = [...head, ...messages.slice(from)];
    if (live.reduce((sum, message) => sum + sizeOf(message), 0) < chars) return live;
    const prompt = memory === "summary" ? summaryPrompt : notesPrompt(texts.at(-1) ?? emptyNotes);
    const { content, trace } = ask(world, [...live, { role: "user", content: prompt }], `${memory} ${round}`);
    for (const entry of trace) if (entry.kind === "summary_written") written.push(entry);
    const text = content.map((block) => (block.kind === "text" ? block.text : "")).join("");
    if (text === "") return live;
    texts.push(
      memory === "summary" ? text.replace(/<analysis>[\s\S]*<\/analysis>/, "") : text.replace(/<\/?notes>/g, ""),
    );
    from = messages.length;
    head = [{ role: "user", content: texts.at(-1) ?? "" }];
    return head;
  };
  return { ...converse(world, { mostRounds: rounds * 3, rng: createRng("dry"), show }), texts, written };
}

function ask(world: Workload, messages: readonly WireMessage[], key: string): ReturnType<Workload["model"]> {
  const request: WireRequest = { model: "m", max_tokens: 20_000, system: world.system, tools: world.tools, messages };
  return world.model(request, { source: "compact", rng: createRng(key), nowMs: 0 });
}

function world(
  profile: ProfileName,
  rounds: number,
  summariser: SummariserProfileName,
  noteTaker: NoteTakerProfileName = "typical",
): Workload {
  return createWorkload({ profile, rounds, rng: createRng("memory"), summariser, noteTaker });
}

const count = (run: DryConversation, kind: ModelTrace["kind"]): number =>
  run.trace.filter((entry) => entry.kind === kind).length;
const history = converse(world("bugfix", 120, "perfect"), { mostRounds: 300, rng: createRng("dry") }).messages.slice(
  0,
  -3,
);

test.each(["long-autonomous", "bugfix"] as const)(
  "M4: a perfect summariser loses nothing of %s that is needed, and nothing is done twice",
  (profile) => {
    const session = world(profile, 400, "perfect");
    const run = compacting(session, "summary", 150_000, 400);
    expect(run.texts.length).toBeGreaterThan(4);
    for (const kind of ["violation", "duplicate_work", "lost_goal", "stale_value"] as const)
      expect([kind, count(run, kind)]).toEqual([kind, 0]);
    expect(count(run, "goal_done")).toBe(session.goals.length);
    // A perfect summary is bounded by what is alive (W2), not by how much has happened.
    expect(Math.max(...run.texts.map(({ length }) => length))).toBeLessThan(8000 * 3);
  },
);

test("M5: perfect notes lose nothing either", () => {
  const session = world("bugfix", 400, "typical", "perfect");
  const run = compacting(session, "notes", 150_000, 400);
  expect(run.texts.length).toBeGreaterThan(4);
  for (const kind of ["violation", "duplicate_work", "lost_goal"] as const)
    expect([kind, count(run, kind)]).toEqual([kind, 0]);
});

test("M4: survival follows the profile, kind by kind", () => {
  const share = (name: SummariserProfileName, kinds: readonly FactKind[]): number => {
    const session = world("long-autonomous", 300, name);
    const ids = new Set(session.facts.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id));
    let [shown, kept] = [0, 0];
    for (let i = 0; i < 60; i++) {
      const [entry] = ask(session, [...opening(session), { role: "user", content: summaryPrompt }], `share ${i}`).trace;
      if (entry?.kind !== "summary_written") continue;
      shown += entry.shown.filter((id) => ids.has(id)).length;
      kept += [...entry.kept, ...entry.blurred].filter((id) => ids.has(id)).length;
    }
    return kept / shown;
  };
  expect(share("typical", ["constraint"])).toBeCloseTo(0.9, 1);
  expect(share("typical", ["exact-value"])).toBeCloseTo(0.6, 1);
  expect(share("forgetful", ["constraint"])).toBeLessThan(share("typical", ["constraint"]));
  expect(share("verbose", ["exact-value"])).toBeGreaterThan(share("typical", ["exact-value"]));
});

test("M4: the answer has an analysis and nine numbered sections with the titles of the prompt, at about the size of the profile", () => {
  const session = world("bugfix", 120, "typical");
  const sizes: number[] = [];
  for (let i = 0; i < 40; i++) {
    const { content } = ask(session, [...history, { role: "user", content: summaryPrompt }], `form ${i}`);
    const text = content[0]?.kind === "text" ? content[0].text : "";
    if (text === "") continue;
    expect(text).toMatch(/^<analysis>[\s\S]+<\/analysis>\s*<summary>[\s\S]+<\/summary>$/);
    for (const [at, title] of titles.entries()) expect(text).toContain(`\n${at + 1}. ${title}:\n`);
    sizes.push(text.slice(text.indexOf("<summary>")).length);
  }
  const median = sizes.sort((a, b) => a - b)[Math.floor(sizes.length / 2)] ?? 0;
  expect(median / (5000 * 2.65)).toBeGreaterThan(0.8);
  expect(median / (5000 * 2.65)).toBeLessThan(1.3);
});

test("M4: now and then a typical summariser calls a tool instead; a perfect one never does", () => {
  const calls = (name: SummariserProfileName): number => {
    const session = world("bugfix", 20, name);
    return Array.from({ length: 1000 }, (_, i) =>
      ask(session, [...opening(session), { role: "user", content: summaryPrompt }], `call ${i}`),
    ).filter(({ content }) => content[0]?.kind === "tool-call").length;
  };
  expect(calls("typical")).toBeGreaterThan(12);
  expect(calls("typical")).toBeLessThan(48);
  expect(calls("perfect")).toBe(0);
});

test("M4: facts can be blurred, and false ones invented", () => {
  const session = world("long-autonomous", 400, "erratic");
  const run = compacting(session, "summary", 120_000, 400);
  expect(run.written.flatMap(({ blurred }) => blurred).length).toBeGreaterThan(0);
  expect(run.written.reduce((sum, { invented }) => sum + invented, 0)).toBeGreaterThan(0);
});

test("M4: a compaction request is known by its structure: any wording, only part of the history, other titles, instructions", () => {
  const ownWords = `Please sum up. First <analysis>…</analysis>, then:\n<summary>\n${titles.map((_, i) => `${i + 1}. Part ${"ABCDEFGHI"[i]}:\n   [text]`).join("\n")}\n</summary>`;
  const asked = recogniseMemoryRequest(requestWith(ownWords));
  expect(asked?.kind === "summary" ? asked.sections[8] : "").toBe("Part I");
  expect(recogniseMemoryRequest(requestWith("Summarise the file, please."))).toBeNull();
  expect(recogniseMemoryRequest(requestWith("What does <summary> mean in HTML?"))).toBeNull();
  const focused = recogniseMemoryRequest(
    requestWith(`${summaryPrompt}\n\nFurther instructions, from the user:\n\nKeep all constraints.\n\nNo tools.`),
  );
  expect(focused?.kind === "summary" ? [...focused.focus] : []).toEqual(["constraint"]);
  const session = world("bugfix", 120, "perfect");
  const part = ask(session, [...history.slice(0, 20), { role: "user", content: ownWords }], "part");
  expect(part.content[0]).toMatchObject({ kind: "text" });
});

test("M4: what the instructions ask for survives more often", () => {
  const session = world("long-autonomous", 300, "forgetful");
  const wanted = new Set(session.facts.filter(({ kind }) => kind === "constraint").map(({ id }) => id));
  const kept = (prompt: string): number =>
    Array.from({ length: 30 }, (_, i) =>
      ask(session, [...opening(session), { role: "user", content: prompt }], `focus ${i}`),
    )
      .flatMap(({ trace }) => trace)
      .flatMap((entry) => (entry.kind === "summary_written" ? entry.kept : []))
      .filter((id) => wanted.has(id)).length;
  expect(kept(`${summaryPrompt}\n\nInstructions:\n\nKeep all constraints.`)).toBeGreaterThan(
    kept(summaryPrompt) * 1.15,
  );
});

test("M5: notes have the ten sections of the request, start from the notes that stand in it, and keep to their limits", () => {
  const session = world("long-autonomous", 300, "typical");
  const first = notesOf(session, opening(session), emptyNotes);
  for (const title of noteTitles) expect(first).toContain(`# ${title}`);
  const known = session.visibleFacts(first).visible;
  const second = session.visibleFacts(notesOf(session, [{ role: "user", content: "Go on." }], first)).visible;
  expect(known.size).toBeGreaterThan(5);
  expect([...known].filter((id) => second.has(id)).length / known.size).toBeGreaterThan(0.9);
  for (const section of first.split(/^# /m)) expect(section.length).toBeLessThanOrEqual(2000 * 2.65 + 40);
});

test("M5: a note taker can lag behind, or write the template only", () => {
  const shown = (name: NoteTakerProfileName): ReadonlySet<string> => {
    const messages = [...history, { role: "user" as const, content: notesPrompt(emptyNotes) }];
    const [entry] = ask(world("bugfix", 120, "typical", name), messages, "lag").trace;
    return new Set(entry?.kind === "summary_written" ? entry.shown : []);
  };
  const [current, lagging] = [shown("typical"), shown("lagging")];
  expect(lagging.size).toBeGreaterThan(0);
  expect([...lagging].every((fact) => current.has(fact))).toBe(true);
  expect(lagging.size).toBeLessThan(current.size);
  const template = notesOf(world("bugfix", 120, "typical", "template-only"), history, emptyNotes);
  expect(template.split("\n").filter((line) => line !== "" && !line.startsWith("#"))).toEqual([]);
});

function opening(session: Workload): readonly WireMessage[] {
  const first = session.script.find((action) => action.kind === "say");
  return [
    { role: "user", content: first?.kind === "say" ? first.content.map((block): WireBlock => ({ ...block })) : "" },
  ];
}

function notesOf(session: Workload, messages: readonly WireMessage[], notes: string): string {
  const { content } = ask(session, [...messages, { role: "user", content: notesPrompt(notes) }], "notes");
  const text = content[0]?.kind === "text" ? content[0].text : "";
  expect(text).toMatch(/^<notes>\n[\s\S]*<\/notes>$/);
  return text.slice("<notes>\n".length, -"</notes>".length).trim();
}

function requestWith(prompt: string): WireRequest {
  return {
    model: "m",
    max_tokens: 1000,
    messages: [
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "t", content: "x" },
          { type: "text", text: prompt },
        ],
      },
    ],
  };
}
