import { roughTokenCount } from "../../tokens/index.ts";
import type { AttachmentMessage, Message } from "../../transcript/index.ts";
import type { FullConfig } from "../config.ts";
import type { AnnouncePort, ClockPort, IdPort, ReadFilesPort } from "../ports.ts";
import { cutEnd } from "./cut-text.ts";
import { pathsShownIn } from "./shown-files.ts";
import { startForeign, waitFor } from "./wait-for.ts";

export interface AttachmentPorts {
  readonly clock: ClockPort;
  readonly ids: IdPort;
  readonly readFiles?: ReadFilesPort;
  readonly announce?: AnnouncePort;
}

export interface Attachments {
  readonly messages: readonly AttachmentMessage[];
  /** Paths of the files among them, which the read-file cache holds after the commit. */
  readonly reattached: readonly string[];
}

/**
 * What is shown again after a compaction (FC10): newest read files, plan, skills, running agents, and the deltas of tools, agents and
 * MCP instructions. Files are read in parallel from a snapshot of the read-file cache; one that is gone, or does not come within the
 * hooks' time limit, is left out. Changes nothing; never rejects.
 */
export async function buildAttachments(
  kept: readonly Message[],
  config: FullConfig,
  clearedMarker: string,
  ports: AttachmentPorts,
  signal?: AbortSignal,
): Promise<Attachments> {
  const { announce, clock, ids } = ports;
  const attach = (attachment: AttachmentMessage["attachment"], text: string): AttachmentMessage => ({
    kind: "attachment",
    uuid: ids.uuid(),
    timestamp: clock.now(),
    attachment,
    content: [{ type: "text", text }],
  });
  const plan = announce?.plan() ?? null;
  const files = (await readNewest(kept, config, clearedMarker, ports, signal)).filter(
    (file) => plan === null || file.content.trim() !== plan.trim(),
  );
  const fileTexts = withinBudget(
    files.map(({ path, content }) => ({ name: path, text: content, charsPerToken: charsPerToken(path) })),
    config.files,
    fileCutNote,
  );
  const skillTexts = withinBudget(
    (announce?.skills() ?? []).map(({ name, text }) => ({ name, text, charsPerToken: CHARS_PER_TOKEN })),
    config.skills,
    skillCutNote,
  );
  const announced = (
    kind: "plan" | "agents" | "deferred-tools" | "mcp",
    heading: string,
    text: string | null | undefined,
  ): readonly AttachmentMessage[] => (text?.trim() ? [attach({ kind }, `${heading}\n\n${text}`)] : []);

  return {
    messages: [
      ...fileTexts.map(({ name, text }) =>
        attach({ kind: "file", path: name }, `File ${name}, read again after the compaction:\n\n${text}`),
      ),
      ...announced("plan", "The active plan:", plan),
      ...skillTexts.map(({ name, text }) =>
        attach({ kind: "skill", name }, `Skill ${name}, in use in this session:\n\n${text}`),
      ),
      ...announced("agents", "Background agents still running:", announce?.runningAgents()),
      ...announced("deferred-tools", "Tools that can be loaded when needed:", announce?.deferredTools()),
      ...announced("agents", "Agents that can be started:", announce?.agents()),
      ...announced("mcp", "Instructions of the connected MCP servers:", announce?.mcpInstructions()),
    ],
    reattached: fileTexts.map(({ name }) => name),
  };
}

interface Entry {
  readonly name: string;
  readonly text: string;
  readonly charsPerToken: number;
}

/** The entries in order, each cut to its share, without those that would pass the total. */
function withinBudget(
  entries: readonly Entry[],
  budget: { readonly tokensEach: number; readonly tokensTotal: number },
  note: (name: string, tokens: number) => string,
): readonly Entry[] {
  let left = budget.tokensTotal;
  return entries.flatMap((entry) => {
    const text = cutEnd(entry.text, budget.tokensEach * entry.charsPerToken, note(entry.name, budget.tokensEach));
    const tokens = roughTokenCount(text, entry.charsPerToken);
    if (tokens > left) return [];
    left -= tokens;
    return [{ ...entry, text }];
  });
}

async function readNewest(
  kept: readonly Message[],
  config: FullConfig,
  clearedMarker: string,
  { clock, readFiles }: AttachmentPorts,
  signal: AbortSignal | undefined,
): Promise<readonly { readonly path: string; readonly content: string }[]> {
  if (readFiles === undefined) return [];
  const shown = pathsShownIn(kept, clearedMarker);
  const newestFirst = readFiles
    .snapshot()
    .filter(({ path }) => !shown.has(path) && !isMemoryFile(path, config.memoryFileNames))
    .toReversed()
    .slice(0, config.files.max);
  const reads = newestFirst.map(({ path }) => ({ path, work: startForeign(clock, () => readFiles.read(path)) }));
  const deadline = clock.now() + config.hookTimeoutMs;
  const files: { path: string; content: string }[] = [];
  for (const { path, work } of reads) {
    const read = await waitFor(clock, work, deadline - clock.now(), signal);
    if (read.kind === "done" && read.value !== null) files.push({ path, content: read.value });
  }
  return files;
}

function isMemoryFile(path: string, names: readonly string[]): boolean {
  return names.includes(path.split(/[/\\]/).at(-1) ?? path);
}

const CHARS_PER_TOKEN = 4;
const CHARS_PER_TOKEN_OF_JSON = 2;

/** T1: JSON-like files have more tokens than their length tells. */
function charsPerToken(path: string): number {
  return /\.json[lc]?$/i.test(path) ? CHARS_PER_TOKEN_OF_JSON : CHARS_PER_TOKEN;
}

function fileCutNote(path: string, tokens: number): string {
  return `\n[… cut here: only the first ${tokens} tokens are shown. Read ${path} again for the rest …]`;
}

function skillCutNote(name: string, tokens: number): string {
  return `\n[… cut here: only the first ${tokens} tokens are shown. Invoke the skill ${name} again for the rest …]`;
}
