import { createRng } from "../src/determinism/index.ts";
import type { Message } from "../src/transcript/index.ts";

/** Mean characters of a tool result, so that 10 000 messages hold about 30 000 blocks and 62 M characters (performance.md B2). */
const RESULT_CHARS = 9_500;
const TOOLS = ["Read", "Bash", "Grep", "Edit"] as const;

/**
 * A long session of `size` messages from a seed: rounds of a response (text, one or two calls, stored as parts of one id) and its results, with a
 * user message now and then. Texts are cut from one pool, so that a history of 100 000 messages fits in memory: the subjects read lengths, not letters.
 */
export function makeHistory(size: number, seed = "bench"): Message[] {
  const rng = createRng(seed).fork("history");
  const pool = Array.from({ length: 64 }, (_, i) =>
    lines(rng.fork("pool", i).integer(RESULT_CHARS / 4, RESULT_CHARS * 1.75)),
  );
  const messages: Message[] = [];
  const draw = rng.fork("draw");
  const base = (): { uuid: string; timestamp: number } => ({
    uuid: `uuid-${messages.length}`,
    timestamp: messages.length * 1000,
  });
  for (let round = 0; messages.length < size; round++) {
    if (round % 25 === 0) {
      messages.push({ ...base(), kind: "user", content: [{ type: "text", text: `Go on with part ${round}.` }] });
    }
    const calls = draw.chance(0.15) ? 2 : 1;
    const ids = Array.from({ length: calls }, (_, i) => `toolu_${round}_${i}`);
    const part = { kind: "assistant", id: `msg_${round}`, model: "claude-sonnet-4-6" } as const;
    const usage = {
      input_tokens: 10,
      output_tokens: 200,
      cache_read_input_tokens: 90_000,
      cache_creation_input_tokens: 900,
    };
    messages.push({
      ...base(),
      ...part,
      stopReason: null,
      usage: null,
      content: [
        { type: "thinking", thinking: draw.pick(pool).slice(0, 300), signature: "c2ln" },
        { type: "text", text: draw.pick(pool).slice(0, 200) },
      ],
    });
    messages.push({
      ...base(),
      ...part,
      stopReason: "tool_use",
      usage,
      content: ids.map((id) => ({
        type: "tool_use" as const,
        id,
        name: draw.pick(TOOLS),
        input: { file_path: `/repo/src/file-${round}.ts`, old_string: draw.pick(pool).slice(0, 400) },
      })),
    });
    messages.push({
      ...base(),
      kind: "user",
      content: ids.flatMap((tool_use_id) => [
        { type: "tool_result" as const, tool_use_id, content: draw.pick(pool) },
        { type: "text" as const, text: "(seen)" },
      ]),
    });
  }
  return messages.slice(0, size).map(closeTogether);
}

/** A copy whose objects lie side by side in memory, as after loading a file: else the cache's misses are measured, and not the subject. */
function closeTogether(message: Message): Message {
  if (message.kind === "boundary" || message.kind === "notice") return message;
  return { ...message, content: message.content.map((block) => ({ ...block })) };
}

function lines(chars: number): string {
  return "const value = compute(input, options); // keeps the running total\n"
    .repeat(Math.ceil(chars / 64))
    .slice(0, chars);
}
