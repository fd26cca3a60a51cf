import { expect, test } from "vitest";
import { aToolUse, driveAgent } from "../testing/index.ts";

const text = (text: string) => ({ type: "text", text }) as const;

test("RC1: a turn runs tools until the model has nothing more to do", async () => {
  await driveAgent(
    [
      { kind: "message", content: [text("Let me look."), aToolUse("t1", "Read", { path: "a" })] },
      { kind: "message", content: [text("Done.")] },
    ],
    async ({ agent, server, events, ran }) => {
      const result = await agent.turn("read a");
      expect(result).toEqual({ kind: "completed", rounds: 2, text: "Done." });
      expect(ran.map(({ id }) => id)).toEqual(["t1"]);
      expect(server.requests).toHaveLength(2);
      expect(server.requests[1]?.messages).toMatchObject([
        { role: "user", content: [{ type: "text", text: "read a" }] },
        { role: "assistant", content: [{ type: "text" }, { type: "tool_use", id: "t1", input: { path: "a" } }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "output of t1" }] },
      ]);
      expect(events.map(({ kind }) => kind)).toEqual([
        "turn_started",
        "request_sent",
        "tool_started",
        "response_received",
        "tool_finished",
        "request_sent",
        "response_received",
        "turn_ended",
      ]);
    },
  );
});
