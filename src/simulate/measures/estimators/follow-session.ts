import type { CalibratedEstimator } from "../../../tokens/index.ts";
import { createCalibratedEstimator, newestStretch, roughEstimator } from "../../../tokens/index.ts";
import type { Block, Message, WireMessage, WireTool } from "../../../transcript/index.ts";
import { messagesFromWire } from "../../../transcript/index.ts";
import type { ContentGroup } from "./content-group.ts";
import { contentGroupOf } from "./content-group.ts";

/** What two guesses were, and what they should have been. Tokens. */
export interface Guess {
  readonly rough: number;
  readonly calibrated: number;
  readonly actual: number;
}

/** A session as it was held, its wire messages in order. */
export interface HeldSession {
  readonly messages: readonly WireMessage[];
  readonly system: string;
  readonly tools: readonly WireTool[];
  readonly tokenizer: "old" | "new";
}

export interface Observed {
  /** One for each request after the first: its whole input. */
  readonly requests: readonly Guess[];
  /** One for each text that is long enough for a rate, guessed before anything of it was learned. */
  readonly texts: readonly (Guess & { readonly kind: ContentGroup })[];
}

/** The server's count of a request of these messages; system and tools only where given. */
export type TrueCount = (request: {
  readonly messages: readonly WireMessage[];
  readonly system?: string;
  readonly tools?: readonly WireTool[];
}) => number;

/** Shorter texts say nothing of a rate: the server rounds each of them up. Characters. */
const shortestText = 400;

/** Guesses every request of a session before it is sent, and teaches the calibrated estimator by what the server then counts. */
export function followSession(session: HeldSession, count: TrueCount): Observed {
  const { system, tools, tokenizer } = session;
  let made = 0;
  const held = messagesFromWire(session.messages, { uuid: () => `m${made++}` });
  const opening = [system, JSON.stringify(tools)];
  const requests: Guess[] = [];
  const texts: Observed["texts"][number][] = [];
  const window = Number.POSITIVE_INFINITY;
  const emptyTokens = count({ messages: [asMessage("a")] }) - 1;
  let calibrated: CalibratedEstimator = createCalibratedEstimator({ tokenizer });
  const told: Message[] = [];

  held.forEach((message, i) => {
    if (message.kind === "assistant") {
      const actual = count({ messages: session.messages.slice(0, i), system, tools });
      if (told.some(({ kind }) => kind === "assistant")) {
        const guess = (estimator: typeof roughEstimator | CalibratedEstimator): number =>
          estimator.total(sumOf(told, estimator)) +
          opening.reduce((sum, text) => sum + Math.ceil(estimator.block({ type: "text", text })), 0);
        requests.push({ rough: guess(roughEstimator), calibrated: guess(calibrated), actual });
      }
      told.push({ ...message, usage: { input_tokens: actual, output_tokens: 1 } });
      const stretch = newestStretch(told, opening, { window });
      if (stretch !== null) calibrated = calibrated.taught(stretch);
    } else told.push(message);
    for (const text of textsOf(message)) {
      if (text.length < shortestText) continue;
      const block: Block = { type: "text", text };
      texts.push({
        kind: contentGroupOf(text),
        rough: roughEstimator.total(roughEstimator.block(block)),
        calibrated: calibrated.total(calibrated.block(block)),
        actual: count({ messages: [asMessage(text)] }) - emptyTokens,
      });
    }
  });
  return { requests, texts };
}

function sumOf(messages: readonly Message[], estimator: { message(message: Message): number }): number {
  return messages.reduce((sum, message) => sum + estimator.message(message), 0);
}

function asMessage(text: string): WireMessage {
  return { role: "user", content: [{ type: "text", text }] };
}

function textsOf(message: Message): readonly string[] {
  if (message.kind === "boundary" || message.kind === "notice") return [];
  return message.content.flatMap((block) => {
    switch (block.type) {
      case "text":
        return [block.text];
      case "tool_result":
        if (typeof block.content === "string") return [block.content];
        return block.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
      default:
        return [];
    }
  });
}
