import { invalid } from "../api-error.ts";
import type { MessageFacts } from "../facts/message-facts.ts";
import type { Rule } from "./rule.ts";
import { openTurns } from "./turns.ts";

/** Models that take `system` messages in mid-conversation (V2). */
const takesSystemMessages = /^claude-(opus-4-8|opus-5|fable-5|mythos-5)/;

/** V2: who may speak when. That there is a message at all, and known roles, is checked with the form. */
export const checkRoles: Rule = (facts, { profile }) => {
  const { messages, model } = facts;
  const strict = profile === "strict-roles";
  const turns = openTurns(facts);
  for (const [index, turn] of turns.entries()) {
    if (turn.role !== "system") continue;
    const at = `messages.${turn.first}`;
    if (!takesSystemMessages.test(model.id)) return invalid(`${at}.role: Input should be 'user' or 'assistant'`);
    if (index === 0 && turn.first > 0) continue; // accepted before
    if (turns[index - 1]?.role !== "user") return invalid(`${at}: a \`system\` message must follow a \`user\` turn`);
    if (index < turns.length - 1 && turns[index + 1]?.role !== "assistant")
      return invalid(`${at}: a \`system\` message must be last or stand before an \`assistant\` turn`);
  }
  if (strict) {
    const neighbours = turns.find((turn) => turn.count > 1);
    if (neighbours !== undefined)
      return invalid(
        `messages: roles must alternate between "user" and "assistant", but found multiple "${neighbours.role}" roles in a row`,
      );
  }
  if ((strict || profile === "bedrock") && (messages[0] as MessageFacts).role === "assistant")
    return invalid('messages: first message must use the "user" role');
  return undefined;
};
