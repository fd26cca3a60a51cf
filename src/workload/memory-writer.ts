import type { Rng } from "../determinism/index.ts";
import type { WireMessage, WireRequest } from "../transcript/index.ts";
import type { MemoryProfile } from "./assumptions.ts";
import {
  analysisShare,
  markdownCharsPerToken,
  notesSectionTokens,
  notesTokens,
  noteTakerProfiles,
  summariserProfiles,
} from "./assumptions.ts";
import type { Digest, DigestLine } from "./digest.ts";
import { digest } from "./digest.ts";
import type { FactIndex } from "./fact-index.ts";
import type { MemoryRequest } from "./memory-request.ts";
import type { Plan } from "./plan.ts";
import type { RequestReader } from "./request-view.ts";
import type { TextPools } from "./text-pools.ts";
import { writeText } from "./text-pools.ts";
import type { ModelReply, NoteTakerProfileName, SummariserProfileName } from "./workload.ts";

export interface MemoryContext {
  readonly plan: Plan;
  readonly index: FactIndex;
  readonly readRequest: RequestReader;
  readonly pools: TextPools;
  /** Of this request. */
  readonly rng: Rng;
  /** Of the session: what the note taker notices. */
  readonly salience: Rng;
}

/** The summariser (M4): `<analysis>` and `<summary>` with nine sections, from the facts that the request shows. */
export function writeSummary(
  request: WireRequest,
  asked: MemoryRequest & { readonly kind: "summary" },
  name: SummariserProfileName,
  context: MemoryContext,
): ModelReply {
  const { plan, rng, pools, readRequest } = context;
  const profile = summariserProfiles[name];
  const tool = request.tools?.[0];
  if (tool !== undefined && rng.fork("tool-call").chance(profile.toolCall)) {
    return { content: [{ kind: "tool-call", name: tool.name, input: {} }], trace: [] };
  }
  const view = readRequest(request);
  const found = digest({
    plan,
    view,
    profile,
    perfect: name === "perfect",
    focus: asked.focus,
    inNotes: () => false,
    rng,
    salience: rng,
  });
  const chars = sizeOf(profile, rng);
  const kept = within(found.lines, chars);
  const filler = (share: number, key: string): string =>
    chars === 0
      ? ""
      : writeText(pools, "prose", Math.max(0, (chars - lengthOf(kept)) * share), rng.fork("filler", key));
  const sections = asked.sections.map((title, i) => {
    const lines = kept.filter(({ kind }) => summarySectionOf[kind] === i).map(({ text }) => `   - ${text}`);
    const body = [...lines, ...(i === 1 || i === 2 || i === 4 ? [indented(filler(1 / 3, title))] : [])].filter(
      (line) => line.trim() !== "",
    );
    return `${i + 1}. ${title}:\n${body.length === 0 ? "   None." : body.join("\n")}`;
  });
  const analysis = writeText(
    pools,
    "prose",
    Math.max(200, (chars === 0 ? lengthOf(kept) : chars) * analysisShare),
    rng.fork("analysis"),
  );
  const text = `<analysis>\n${analysis}\n</analysis>\n\n<summary>\n${sections.join("\n\n")}\n</summary>`;
  return { content: [{ kind: "text", text }], trace: [traceOf("summariser", found, kept)] };
}

/** The note taker (M5): the notes of the request, edited by what the conversation shows, inside `<notes>`. */
export function writeNotes(
  request: WireRequest,
  asked: MemoryRequest & { readonly kind: "notes" },
  name: NoteTakerProfileName,
  context: MemoryContext,
): ModelReply {
  const { plan, rng, pools, index, readRequest } = context;
  const profile = noteTakerProfiles[name];
  // The notes stand in the last message, after the newest results; what lags is the reading of the conversation before them.
  const conversation = [...request.messages.slice(0, -1), ...withoutPrompt(request.messages.at(-1))];
  const read = conversation.slice(0, Math.max(0, conversation.length - profile.lagMessages));
  const messages = [...read, { role: "user" as const, content: asked.current }];
  const view = readRequest({ ...request, messages });
  const standing = new Set(index(asked.current).visible);
  const found: Digest = profile.writesNothing
    ? { lines: [], shown: [], invented: 0 }
    : digest({
        plan,
        view,
        profile,
        perfect: name === "perfect",
        focus: new Set(),
        inNotes: (fact) => standing.has(fact),
        rng,
        salience: context.salience,
      });
  const unlimited = profile.medianTokens === 0;
  const chars = unlimited ? 0 : Math.min(sizeOf(profile, rng), notesTokens * markdownCharsPerToken);
  const kept = within(found.lines, chars);
  const filler =
    chars === 0 || profile.writesNothing
      ? ""
      : writeText(pools, "prose", Math.max(0, chars - lengthOf(kept)) / 2, rng.fork("filler"));
  const sections = asked.sections.map((title, i) => {
    const lines = kept.filter(({ kind }) => noteSectionOf[kind] === i).map(({ text }) => `- ${text}`);
    const body = [...lines, ...(i === 6 ? [filler] : [])].join("\n");
    return `# ${title}\n${unlimited ? body : body.slice(0, Math.floor(notesSectionTokens * markdownCharsPerToken))}`.trimEnd();
  });
  const text = `<notes>\n${sections.join("\n\n")}\n</notes>`;
  return { content: [{ kind: "text", text }], trace: [traceOf("note-taker", found, kept)] };
}

/** What stands in the message before the text that asks for the notes. */
function withoutPrompt(last: WireMessage | undefined): readonly WireMessage[] {
  if (last === undefined || typeof last.content === "string") return [];
  const prompt = last.content.findLastIndex((block) => block.type === "text");
  return prompt <= 0 ? [] : [{ ...last, content: last.content.slice(0, prompt) }];
}

const summarySectionOf: Readonly<Record<DigestLine["kind"], number>> = {
  goal: 0,
  constraint: 0,
  preference: 0,
  decision: 1,
  reason: 1,
  "file-modified": 2,
  "file-read": 2,
  "exact-value": 2,
  "tool-detail": 2,
  "error-fix": 3,
  "rejected-approach": 4,
  "finished-goal": 5,
  "pending-task": 6,
  "current-step": 7,
};

const noteSectionOf: Readonly<Record<DigestLine["kind"], number>> = {
  "current-step": 1,
  "pending-task": 1,
  goal: 2,
  constraint: 2,
  "file-modified": 3,
  "file-read": 3,
  preference: 4,
  "error-fix": 5,
  "exact-value": 6,
  "tool-detail": 6,
  decision: 7,
  reason: 7,
  "rejected-approach": 7,
  "finished-goal": 9,
};

/** Characters; 0: no limit. */
function sizeOf(profile: MemoryProfile, rng: Rng): number {
  if (profile.medianTokens === 0) return 0;
  return Math.round(profile.medianTokens * markdownCharsPerToken * rng.fork("size").lognormal(0, profile.sigma));
}

/** The lines that fit: goals and the current step first, then the newest. */
function within(lines: readonly DigestLine[], chars: number): readonly DigestLine[] {
  if (chars === 0) return lines;
  const first = (line: DigestLine): boolean => line.kind === "goal" || line.kind === "current-step";
  const kept = new Set<DigestLine>();
  let size = 0;
  for (const line of [...lines.filter(first), ...lines.filter((line) => !first(line))]) {
    size += line.text.length + 6;
    if (size > chars) break;
    kept.add(line);
  }
  return lines.filter((line) => kept.has(line));
}

function lengthOf(lines: readonly DigestLine[]): number {
  return lines.reduce((sum, line) => sum + line.text.length + 6, 0);
}

function indented(text: string): string {
  return text === "" ? "" : `   ${text}`;
}

function traceOf(
  by: "summariser" | "note-taker",
  found: Digest,
  kept: readonly DigestLine[],
): ModelReply["trace"][number] {
  const facts = (blurred: boolean): string[] =>
    kept.flatMap((line) => (line.fact !== null && line.blurred === blurred ? [line.fact] : []));
  return {
    kind: "summary_written",
    by,
    shown: found.shown,
    kept: facts(false),
    blurred: facts(true),
    invented: found.invented,
  };
}
