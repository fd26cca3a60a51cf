import { roughTokenSum } from "../../tokens/index.ts";
import type { Message } from "../../transcript/index.ts";
import { groupByApiRound, messagesAfterLastBoundary, newestHumanMessage } from "../../transcript/index.ts";
import type { Edit, View } from "./port.ts";
import { viewTokens } from "./view-tokens.ts";

/** What stands where rounds were dropped: the model must know that there was more. */
const droppedText =
  "The oldest part of this conversation was left out to make room. Ask, or look again, for what you miss.";

/**
 * A stated drop of the oldest rounds (ST6): at least `tokens` by estimate, whole rounds, never the last one; null where only one is left.
 * A boundary and a marker say so, and the newest human message stays verbatim (FC9).
 */
export function dropOldest(view: View, tokens: number, uuid: () => string): Edit | null {
  const live = messagesAfterLastBoundary(view.projection);
  const groups = groupByApiRound(live);
  let dropped = 0;
  let freed = 0;
  while (dropped < groups.length - 1 && freed < tokens) freed += roughTokenSum(groups[dropped++] ?? []);
  if (dropped === 0) return null;
  const kept = groups.slice(dropped).flat();
  const human = newestHumanMessage(live);
  const saved: readonly Message[] = human === undefined || kept.includes(human) ? [] : [human];
  const before = viewTokens(view);
  const timestamp = view.nowMs;
  const boundary: Message = {
    kind: "boundary",
    uuid: uuid(),
    timestamp,
    trigger: "drop",
    tokensBefore: before,
    tokensAfter: Math.max(0, before - Math.ceil((freed * 4) / 3)),
    messagesSummarized: live.length - kept.length,
    lastUuidBefore: live.at(-1)?.uuid ?? null,
    keptUuids: [...saved, ...kept].map((message) => message.uuid),
  };
  const marker: Message = {
    kind: "user",
    uuid: uuid(),
    timestamp,
    content: [{ type: "text", text: droppedText }],
    isMeta: true,
  };
  const { length } = view.projection;
  return { kind: "replace", from: 0, to: length - kept.length, messages: [boundary, marker, ...saved] };
}
