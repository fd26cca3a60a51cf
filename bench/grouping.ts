import type { AssistantMessage, Message } from "../src/transcript/index.ts";
import { ensureToolResultPairing, groupByApiRound, normalizeForApi } from "../src/transcript/index.ts";
import type { Subject } from "./subject.ts";
import { mustEqual, UnprovenSubject } from "./subject.ts";

/** Grouping into rounds, and making the request's messages. */
export const groupingSubjects: readonly Subject[] = [
  {
    name: "group by round",
    says: "the history cut into API rounds",
    declaredExponent: 1,
    prepare: (messages) => ({
      run: () => groupByApiRound(messages),
      prove: () => {
        const groups = groupByApiRound(messages);
        const ids = new Set(messages.filter((m): m is AssistantMessage => m.kind === "assistant").map((m) => m.id));
        mustEqual("group by round", "number of groups", groups.length, ids.size + 1);
        const flat = groups.flat();
        if (flat.length !== messages.length || flat.some((message, i) => message !== messages[i])) {
          throw new UnprovenSubject("group by round", "the groups do not give the history back");
        }
      },
    }),
  },
  {
    name: "normalise and pair",
    says: "the wire form of the whole history, pairs checked",
    declaredExponent: 1,
    prepare: (messages) => {
      const whole = endingWithUser(messages);
      return {
        run: () => ensureToolResultPairing(normalizeForApi(whole)),
        prove: () => {
          const wire = normalizeForApi(whole);
          mustEqual(
            "normalise and pair",
            "repairs on a valid history",
            ensureToolResultPairing(wire).messages === wire,
            true,
          );
        },
      };
    },
  },
];

function endingWithUser(messages: readonly Message[]): readonly Message[] {
  return messages.slice(0, messages.findLastIndex((message) => message.kind === "user") + 1);
}
