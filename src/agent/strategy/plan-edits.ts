import type { BeforeRequest, CompactionOutcome, CompactionPlan } from "../../compaction/index.ts";
import type { Message } from "../../transcript/index.ts";
import type { Answer, Edit, View } from "./port.ts";

/** A plan as edits over the messages that it was made from: head and tail in the place of what is not kept. */
export function editsOfPlan({ head, keep, tail }: CompactionPlan, messages: readonly Message[]): readonly Edit[] {
  const { length } = messages;
  return [
    { kind: "replace", from: 0, to: keep.from, messages: head },
    ...(keep.to === length && tail.length === 0
      ? []
      : [{ kind: "replace" as const, from: keep.to, to: length, messages: tail }]),
  ];
}

/** Layer 1 and whatever ran after it, as edits that do not meet: a result that goes anyway is not cleared first. */
export function editsOfBeforeRequest({ micro, outcome, pins }: BeforeRequest, view: View): readonly Edit[] {
  const { projection } = view;
  const plan = outcome?.kind === "compacted" ? outcome.plan : null;
  const standing = plan === null ? projection : projection.slice(plan.keep.from, plan.keep.to);
  const cleared = micro.kind === "clear" ? standingIds(standing, micro.clearing.toolUseIds) : [];
  return [
    ...(micro.kind === "clear" && cleared.length > 0
      ? [{ kind: "clear" as const, toolUseIds: cleared, marker: micro.marker }]
      : []),
    ...(plan === null ? [] : editsOfPlan(plan, projection)),
    ...pins
      .filter((pin) => !view.pins.some(({ messageUuid, toolUseIds }) => samePin(pin, messageUuid, toolUseIds)))
      .map((pin) => ({ kind: "cache-edit" as const, pin })),
  ];
}

function standingIds(messages: readonly Message[], ids: readonly string[]): readonly string[] {
  const there = new Set(
    messages.flatMap((message) =>
      message.kind === "user"
        ? message.content.flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : []))
        : [],
    ),
  );
  return ids.filter((id) => there.has(id));
}

function samePin(
  pin: { readonly messageUuid: string; readonly toolUseIds: readonly string[] },
  messageUuid: string,
  toolUseIds: readonly string[],
): boolean {
  return pin.messageUuid === messageUuid && pin.toolUseIds.join(" ") === toolUseIds.join(" ");
}

/** How a compaction ended, as the port says it; null: none was tried. */
export function statusOf(outcome: CompactionOutcome | null): Answer["status"] {
  switch (outcome?.kind) {
    case undefined:
      return { kind: "nothing-to-do" };
    case "compacted":
      return { kind: "done" };
    case "nothing-to-do":
      return { kind: "skipped", reason: outcome.reason };
    case "failed":
      return { kind: outcome.reason === "inflated" ? "inflated" : "failed", reason: outcome.reason };
    case "aborted":
      return { kind: "skipped", reason: "aborted" };
  }
}
