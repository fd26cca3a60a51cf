import { adjustIndexToKeepInvariants, calculateKeepIndex, defaultConfig } from "../src/compaction/index.ts";
import { roughEstimator } from "../src/tokens/index.ts";
import type { Message } from "../src/transcript/index.ts";
import { lastBoundaryIndex } from "../src/transcript/index.ts";
import type { Subject } from "./subject.ts";
import { mustEqual, UnprovenSubject } from "./subject.ts";

/** Where a kept tail may begin (SM3, SM4), and the search for the last boundary. */
export const indexSubjects: readonly Subject[] = [
  {
    name: "adjust index",
    says: "the largest start of a tail that splits no tool pair and no response",
    declaredExponent: 1,
    prepare: (messages) => {
      const start = Math.floor(messages.length / 2);
      return {
        run: () => adjustIndexToKeepInvariants(messages, start),
        prove: () => {
          const index = adjustIndexToKeepInvariants(messages, start);
          if (!isValidStart(messages, index))
            throw new UnprovenSubject("adjust index", `${index} splits what belongs together`);
          for (let larger = index + 1; larger <= start; larger++) {
            if (isValidStart(messages, larger))
              throw new UnprovenSubject("adjust index", `${larger} is valid and larger than ${index}`);
          }
        },
      };
    },
  },
  {
    name: "keep index",
    says: "how much of the tail session memory keeps",
    declaredExponent: 1,
    prepare: (messages) => {
      const run = (): number =>
        calculateKeepIndex(messages, messages.length - 20, defaultConfig.sessionMemory.keep, roughEstimator);
      return {
        run,
        prove: () => {
          if (!isValidStart(messages, run()))
            throw new UnprovenSubject("keep index", `${run()} splits what belongs together`);
        },
      };
    },
  },
  {
    name: "find last boundary",
    says: "where the live part begins, in a history without a boundary (the worst case)",
    declaredExponent: 1,
    prepare: (messages) => ({
      run: () => lastBoundaryIndex(messages),
      prove: () => mustEqual("find last boundary", "index", lastBoundaryIndex(messages), -1),
    }),
  },
];

/** The two conditions of SM4, looked up the slow way. */
function isValidStart(messages: readonly Message[], start: number): boolean {
  const before = messages.slice(0, start);
  const called = new Set<string>();
  const responses = new Set<string>();
  for (const message of before) {
    if (message.kind !== "assistant") continue;
    responses.add(message.id);
    for (const block of message.content) if (block.type === "tool_use") called.add(block.id);
  }
  return !messages.slice(start).some((message) => {
    if (message.kind === "assistant") return responses.has(message.id);
    return (
      message.kind === "user" &&
      message.content.some((block) => block.type === "tool_result" && called.has(block.tool_use_id))
    );
  });
}
