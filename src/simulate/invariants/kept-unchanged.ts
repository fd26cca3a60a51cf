import { canonicalJson } from "../../determinism/index.ts";
import type { Edited, Invariant } from "./invariant.ts";

/** What a compaction says it kept is byte for byte what it was (thinking that the wire leaves out aside, M7). */
export const keptUnchanged: Invariant = {
  name: "kept-unchanged",
  says: "across one edit, every message that is neither replaced, cleared nor restated stays as it was",
  watch: (report) => ({
    edited: (change) => {
      const touched = namedBy(change);
      const before = new Map(change.before.map((message) => [message.uuid, message]));
      for (const message of change.after) {
        const old = before.get(message.uuid);
        if (old === undefined || old === message || touched(message.uuid)) continue;
        if (canonicalJson(old) !== canonicalJson(message)) report(`message ${message.uuid} was kept but changed`);
      }
    },
  }),
};

/** Whether the answer says that it changes a message: it holds a cleared result, or is restated. */
function namedBy({ answer, before }: Edited): (uuid: string) => boolean {
  const cleared = new Set(answer.edits.flatMap((edit) => (edit.kind === "clear" ? edit.toolUseIds : [])));
  const named = new Set(answer.edits.flatMap((edit) => (edit.kind === "restate" ? [edit.uuid] : [])));
  if (cleared.size > 0) {
    for (const message of before) {
      if (message.kind !== "user") continue;
      if (message.content.some((block) => block.type === "tool_result" && cleared.has(block.tool_use_id)))
        named.add(message.uuid);
    }
  }
  return (uuid) => named.has(uuid);
}
