import {
  createSessionLedger,
  estimateMessageTokens,
  roughTokenSum,
  tokenCountWithEstimation,
} from "../src/tokens/index.ts";
import type { Block, Message } from "../src/transcript/index.ts";
import type { Subject } from "./subject.ts";
import { mustEqual } from "./subject.ts";

/** Estimation: everything cold, exact count plus estimate, and after one more message. */
export const estimationSubjects: readonly Subject[] = [
  {
    name: "estimate everything",
    says: "rough estimate of the whole history from nothing",
    declaredExponent: 1,
    prepare: (messages) => ({
      run: () => estimateMessageTokens(messages),
      prove: () => mustEqual("estimate everything", "tokens", estimateMessageTokens(messages), plainEstimate(messages)),
    }),
  },
  {
    name: "count: usage + estimate",
    says: "exact count of the newest response plus the estimate of what came after it",
    declaredExponent: 1,
    prepare: (messages) => {
      const run = (): number => tokenCountWithEstimation(messages, { overheadTokens: 20_000, window: 1_000_000 });
      return {
        run,
        prove: () => {
          const last = messages.findLast((message) => message.kind === "assistant" && message.usage !== null);
          const newest = last as Extract<Message, { kind: "assistant" }>;
          const exact =
            10 + 200 + (newest.usage?.cache_read_input_tokens ?? 0) + (newest.usage?.cache_creation_input_tokens ?? 0);
          const isPart = (message: Message): boolean => message.kind === "assistant" && message.id === newest.id;
          const after = messages.slice(messages.findIndex(isPart)).filter((message) => !isPart(message));
          mustEqual("count: usage + estimate", "tokens", run(), exact + plainEstimate(after));
        },
      };
    },
  },
  {
    name: "estimate after one more message",
    says: "the ledger adds a message and tells the new total",
    declaredExponent: 0.1,
    prepare: (messages) => {
      const ledger = createSessionLedger();
      for (const message of messages) ledger.append(message);
      const more = messages.at(-1) as Message;
      return {
        run: () => {
          ledger.append(more);
          return ledger.estimate();
        },
        prove: () => mustEqual("estimate after one more message", "sum", ledger.sum(), roughTokenSum(messages)),
      };
    },
  },
];

/** The rule read aloud (T2, T3): a quarter token a character, a third on top. */
function plainEstimate(messages: readonly Message[]): number {
  let chars = 0;
  for (const message of messages) {
    if (message.kind !== "user" && message.kind !== "assistant") continue;
    for (const block of message.content) chars += plainChars(block);
  }
  return Math.ceil((chars / 4) * (4 / 3));
}

function plainChars(block: Block): number {
  switch (block.type) {
    case "text":
      return block.text.length;
    case "thinking":
      return block.thinking.length;
    case "tool_use":
      return block.name.length + JSON.stringify(block.input).length;
    case "tool_result":
      return typeof block.content === "string" ? block.content.length : 0;
    default:
      return 0;
  }
}
