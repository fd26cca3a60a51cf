import type { AttachmentMessage } from "../transcript/index.ts";
import type { RawRecord } from "./split-records.ts";

type Kind = AttachmentMessage["attachment"];

/** Claude Code's names of what it announces, each with ours; the first of a kind is the one that is written. */
const announcements: readonly (readonly [type: string, kind: Kind])[] = [
  ["plan_file_reference", { kind: "plan" }],
  ["plan_mode", { kind: "plan" }],
  ["todo", { kind: "todo" }],
  ["todo_reminder", { kind: "todo" }],
  ["skill_listing", { kind: "skill-list" }],
  ["agent_listing_delta", { kind: "agents" }],
  ["deferred_tools_delta", { kind: "deferred-tools" }],
  ["mcp_instructions_delta", { kind: "mcp" }],
];

/** The message of an attachment record: its text where it has one, else the whole of it as JSON. What has no name here is kept by its own, as a hook's output is. */
export function attachmentOf(
  raw: RawRecord,
  base: { readonly uuid: string; readonly timestamp: number },
): AttachmentMessage {
  const text = typeof raw.content === "string" ? raw.content : JSON.stringify(raw);
  return { ...base, kind: "attachment", attachment: kindOf(raw), content: [{ type: "text", text }] };
}

function kindOf(raw: RawRecord): Kind {
  const type = typeof raw.type === "string" ? raw.type : "unknown";
  const path = raw.filename ?? raw.path;
  if (type === "file" && typeof path === "string") return { kind: "file", path };
  if (type === "invoked_skill" && typeof raw.name === "string") return { kind: "skill", name: raw.name };
  return announcements.find(([name]) => name === type)?.[1] ?? { kind: "hook", hook: type };
}

/** The attachment in the form in which `attachmentOf` reads it. */
export function attachmentRecord({ attachment, content }: AttachmentMessage): RawRecord {
  const text = content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
  switch (attachment.kind) {
    case "file":
      return { type: "file", filename: attachment.path, content: text };
    case "skill":
      return { type: "invoked_skill", name: attachment.name, content: text };
    case "hook":
      return { type: attachment.hook, content: text };
    default:
      return {
        type: announcements.find(([, kind]) => kind.kind === attachment.kind)?.[0] ?? attachment.kind,
        content: text,
      };
  }
}
