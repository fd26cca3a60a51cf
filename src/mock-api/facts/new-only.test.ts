import { expect, test } from "vitest";
import type { WireMessage } from "../../transcript/index.ts";
import { assistant, call, callWith, createRig, result, text, user } from "../test-rig.ts";

/** A message that counts how often somebody looks into it. */
function watched({ role, content }: WireMessage, looks: number[], at: number): WireMessage {
  looks[at] = 0;
  return {
    role,
    get content() {
      looks[at] = (looks[at] ?? 0) + 1;
      return content;
    },
  };
}

const round = (n: number): WireMessage[] => [
  assistant([text(`round ${n}`), call(`id${n}`)]),
  user([result(`id${n}`, `result ${n}`)] as WireMessage["content"]),
];

test("B2: a request that goes on from an accepted one looks only into its new messages, however long the conversation", () => {
  for (const rounds of [10, 1_000]) {
    const rig = createRig();
    const looks: number[] = [];
    const messages = [user("go"), ...Array.from({ length: rounds }, (_, n) => round(n)).flat()].map((message, at) =>
      watched(message, looks, at),
    );
    const send = (): number =>
      rig.api.serve({ ...callWith({}), body: { ...(callWith({}).body as object), messages: [...messages] } }).status;
    expect(send()).toBe(200);
    expect(Math.min(...looks)).toBeGreaterThan(0);
    looks.fill(0);
    const before = messages.length;
    for (const message of round(rounds)) messages.push(watched(message, looks, messages.length));
    expect(send()).toBe(200);
    expect(looks.slice(0, before).reduce((sum, count) => sum + count, 0)).toBe(0);
    expect(looks.slice(before).every((count) => count > 0)).toBe(true);
  }
});

test("B2: breakpoints that move with the end make only the messages new on which they stood and stand", () => {
  const rig = createRig();
  const looks: number[] = [];
  const plain = [user("go"), ...Array.from({ length: 500 }, (_, n) => round(n)).flat()];
  const messages = plain.map((message, at) => watched(message, looks, at));
  const marked = (message: WireMessage): WireMessage =>
    user([...(message.content as never[]), text("now", { cache_control: { type: "ephemeral" } })]);
  const send = (list: readonly WireMessage[]): number =>
    rig.api.serve({ ...callWith({}), body: { ...(callWith({}).body as object), messages: list } }).status;
  expect(send([...messages.slice(0, -1), marked(plain.at(-1) as WireMessage)])).toBe(200);
  looks.fill(0);
  const more = round(500);
  expect(send([...messages, more[0] as WireMessage, marked(more[1] as WireMessage)])).toBe(200);
  expect(looks.slice(0, -1).reduce((sum, count) => sum + count, 0)).toBe(0);
});
