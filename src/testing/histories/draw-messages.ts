import type { Rng } from "../../determinism/index.ts";
import type { Block, Message, Usage, UserMessage } from "../../transcript/index.ts";
import { aNotice, anAttachment, anImage, aToolResult, aUser } from "../message-builders.ts";

/** What a response may be made of, and how it is laid out as messages (M2). */
export interface MessageSource {
  /** What a person says: found again by the words that it begins with. */
  human(): UserMessage;
  /** One response with its results. */
  response(model: string, usage: Usage | null): readonly Message[];
  /** A notice or an attachment now and then, else nothing. */
  aside(): readonly Message[];
}

/** Draws messages with ids that no history uses twice. `now` stamps them. */
export function createMessageSource(rng: Rng, now: () => number): MessageSource {
  let made = 0;
  /** Results of calls that were answered without waiting for them: they stand after the next response. */
  let late: readonly Message[] = [];
  const stamp = <M extends Message>(message: M): M => freeze({ ...message, uuid: `m${made++}`, timestamp: now() });

  function result(id: string): UserMessage {
    const chars = rng.weighted([
      [rng.integer(0, 200), 3],
      [rng.integer(200, 3_000), 6],
      [rng.integer(3_000, 12_000), 2],
      [rng.integer(12_000, 60_000), 0.2],
    ]);
    const content = rng.chance(0.05)
      ? [anImage(), { type: "text" as const, text: words(rng, chars) }]
      : words(rng, chars);
    return stamp(aUser([aToolResult(id, content)]));
  }

  return {
    human: () => {
      const said = `human ${made}: ${words(
        rng,
        rng.weighted([
          [40, 6],
          [rng.integer(100, 2_000), 3],
          [9_000, 0.5],
        ]),
      )}`;
      return stamp(aUser([{ type: "text", text: said }, ...(rng.chance(0.05) ? [anImage()] : [])]));
    },
    response: (model, usage) => {
      const id = `r${made++}`;
      const calls = rng.weighted([
        [0, 2],
        [1, 6],
        [2, 2],
        [4, 1],
      ]);
      const blocks: Block[] = [];
      if (rng.chance(0.4)) blocks.push({ type: "thinking", thinking: words(rng, rng.integer(10, 400)), signature: id });
      if (calls === 0 || rng.chance(0.6)) blocks.push({ type: "text", text: words(rng, rng.integer(5, 600)) });
      for (let i = 0; i < calls; i++) {
        const file_path = `/repo/f${rng.integer(0, 9)}.ts`;
        blocks.push({ type: "tool_use", id: `t${made++}`, name: rng.pick(tools), input: { file_path } });
      }
      const part = (content: readonly Block[], last: boolean): Message =>
        stamp({
          kind: "assistant",
          uuid: "",
          timestamp: 0,
          id,
          model,
          content,
          stopReason: calls > 0 ? "tool_use" : "end_turn",
          usage: last || rng.chance(0.5) ? usage : null,
        });
      const arrived = late;
      late = [];
      const resultOf = (block: Block): readonly Message[] => {
        if (block.type !== "tool_use" || rng.chance(0.03)) return [];
        if (!rng.chance(0.02)) return [result(block.id)];
        late = [...late, result(block.id)];
        return [];
      };
      switch (rng.pick(layouts)) {
        case "whole":
          return [part(blocks, true), ...blocks.flatMap(resultOf), ...arrived];
        case "one-message": {
          const results = blocks.flatMap(resultOf).flatMap((message) => ("content" in message ? message.content : []));
          const said: readonly Block[] = rng.chance(0.1) ? [{ type: "text", text: `human ${made}: and hurry` }] : [];
          const content = [...results, ...said];
          return [part(blocks, true), ...(content.length === 0 ? [] : [stamp(aUser(content))]), ...arrived];
        }
        case "parts":
          return [
            ...blocks.map((block, i) => part([block], i === blocks.length - 1)),
            ...blocks.flatMap(resultOf),
            ...arrived,
          ];
        case "interleaved":
          return [
            ...blocks.flatMap((block, i) => [part([block], i === blocks.length - 1), ...resultOf(block)]),
            ...arrived,
          ];
      }
    },
    aside: () => {
      if (rng.chance(0.9)) return [];
      return [rng.chance(0.5) ? stamp(aNotice("The window fills up.")) : stamp(anAttachment(words(rng, 300)))];
    },
  };
}

const layouts = ["whole", "one-message", "parts", "interleaved"] as const;
const tools = ["Read", "Read", "Bash", "Grep", "Edit", "Write", "Agent", "mcp__db__query"] as const;

const book = "the parser reads a line and keeps what it has seen until the next one comes; ".repeat(2_000);

/** So many characters of a long text, from anywhere in it. */
export function words(rng: Rng, chars: number): string {
  const from = rng.integer(0, 60_000);
  return book.slice(from, from + chars);
}

/** Deeply frozen: whoever changes a message throws. What is frozen at the top was frozen whole. */
export function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) freeze(member);
  return value;
}
