import type { Message } from "../../transcript/index.ts";
import { newestHumanMessage } from "../../transcript/index.ts";
import type { Invariant } from "./invariant.ts";

/** Beginning and end of a cut message that must still stand somewhere, in characters. */
const EDGE_CHARS = 400;

/** What the user asked last is in front of the model, whole or cut with its two ends (FC9). */
export const humanPresent: Invariant = {
  name: "human-present",
  says: "the newest human message is in every main request, verbatim or cut in the middle with a note",
  watch: (report) => ({
    requestBuilt: ({ projection, log }) => {
      const human = newestHumanMessage(log);
      if (human === undefined || projection.includes(human)) return;
      const texts = projection.flatMap(userTexts);
      for (const wanted of userTexts(human)) {
        const whole = texts.some((text) => text.includes(wanted));
        const cut = () =>
          texts.some((text) => text.includes(wanted.slice(0, EDGE_CHARS)) && text.includes(wanted.slice(-EDGE_CHARS)));
        if (!whole && !(wanted.length > 4 * EDGE_CHARS && cut())) {
          report(`the newest human message ${human.uuid} ("${wanted.slice(0, 60)}") is not in the request`);
        }
      }
    },
  }),
};

function userTexts(message: Message): string[] {
  if (message.kind !== "user") return [];
  return message.content.flatMap((block) => (block.type === "text" && block.text.trim() !== "" ? [block.text] : []));
}
