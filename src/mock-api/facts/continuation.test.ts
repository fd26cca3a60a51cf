import fc from "fast-check";
import { expect, test } from "vitest";
import type { WireBlock, WireMessage } from "../../transcript/index.ts";
import type { MockEvent } from "../event.ts";
import type { Rig } from "../test-rig.ts";
import { assistant, call, createRig, result, text, user } from "../test-rig.ts";

const model = "claude-opus-5-5";
const tools = [{ name: "Read", input_schema: { type: "object" } }];

/** What a client may do to its conversation between two requests. */
const move = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("step" as const), words: fc.integer({ min: 1, max: 400 }) }) },
  fc.record({ kind: fc.constant("mark" as const), at: fc.nat() }),
  fc.record({ kind: fc.constant("edit" as const), at: fc.nat() }),
  fc.record({ kind: fc.constant("drop-tail" as const), count: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant("repeat-id" as const), at: fc.nat() }),
  fc.record({ kind: fc.constant("lose-result" as const) }),
  fc.record({ kind: fc.constant("delete" as const), at: fc.nat() }),
  fc.record({ kind: fc.constant("system" as const), words: fc.nat(3) }),
);
type Move = typeof move extends fc.Arbitrary<infer T> ? T : never;

interface Conversation {
  messages: WireMessage[];
  system: string;
}

function apply(to: Conversation, step: Move, n: number): void {
  const { messages } = to;
  switch (step.kind) {
    case "step":
      messages.push(
        assistant([text("look"), call(`id${n}`)]),
        user([result(`id${n}`, "word ".repeat(step.words))] as WireBlock[]),
      );
      break;
    case "mark":
    case "edit": {
      const at = step.at % messages.length;
      const content = messages[at]?.content;
      if (!Array.isArray(content)) break;
      const [first, ...rest] = content as WireBlock[];
      const changed =
        step.kind === "mark"
          ? { ...first, cache_control: { type: "ephemeral" } }
          : first?.type === "text"
            ? { ...first, text: `edited ${n}` }
            : { ...first };
      messages[at] = { ...(messages[at] as WireMessage), content: [changed as WireBlock, ...rest] };
      break;
    }
    case "drop-tail":
      messages.length = Math.max(1, messages.length - 2 * step.count);
      break;
    case "repeat-id":
      messages.push(
        assistant([call(`id${step.at % (n + 1)}`)]),
        user([result(`id${step.at % (n + 1)}`)] as WireBlock[]),
      );
      break;
    case "lose-result":
      if (messages.length > 2) messages[messages.length - 1] = user("what now?");
      break;
    case "delete": {
      const tool_use_id = `id${step.at % (n + 1)}`;
      messages.push(user([{ type: "cache_edits", edits: [{ type: "delete", tool_use_id }] }, text("go on")]));
      break;
    }
    case "system":
      to.system = "s".repeat(step.words + 1);
      break;
  }
}

/** What one request met, from the server's own record. */
function outcome(rig: Rig, conversation: Conversation, how: "shared" | "copied"): unknown {
  const body = { model, tools, system: conversation.system, messages: conversation.messages };
  rig.send(how === "shared" ? { ...body, messages: [...body.messages] } : JSON.parse(JSON.stringify(body)));
  const event = rig.events.findLast((each): each is MockEvent => each.kind === "served" || each.kind === "refused");
  return event;
}

test("B2: going on from an accepted request gives what reading the whole anew gives, whatever the client changed between", () => {
  fc.assert(
    fc.property(fc.array(move, { minLength: 1, maxLength: 25 }), (moves) => {
      const remembering = createRig();
      const copying = createRig();
      const conversation: Conversation = { messages: [user([text("go")])], system: "s" };
      for (const [n, step] of moves.entries()) {
        apply(conversation, step, n);
        remembering.now += 30_000;
        copying.now += 30_000;
        // A fresh server refuses by the same rules as one that has seen all of it before.
        const fresh = createRig();
        fresh.now = remembering.now;
        const seen = outcome(remembering, conversation, "shared");
        expect(outcome(copying, conversation, "copied")).toEqual(seen);
        const anew = outcome(fresh, conversation, "copied") as { kind: string; trueTokens: number; text?: string };
        expect(seen).toMatchObject({
          kind: anew.kind,
          trueTokens: anew.trueTokens,
          ...(anew.text === undefined ? {} : { text: anew.text }),
        });
      }
    }),
    { numRuns: 150 },
  );
});
