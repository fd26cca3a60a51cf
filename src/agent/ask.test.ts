import { expect, test } from "vitest";
import type { AskReply, AskRequest } from "../compaction/index.ts";
import type { Reply } from "../testing/index.ts";
import { aModel, aThinking, aToolUse, driveAgent } from "../testing/index.ts";
import type { Message, WireMessage, WireRequest } from "../transcript/index.ts";
import type { AgentOptions, Strategy } from "./index.ts";
import { nothing } from "./index.ts";

const say = (text: string) => ({ type: "text", text }) as const;
const answer = (...content: Extract<Reply, { kind: "message" }>["content"]): Reply => ({ kind: "message", content });
const done = answer(say("Done."));
const summary = answer(say("The summary."));

type Question = Partial<Omit<AskRequest, "messages">> & {
  readonly change?: (messages: readonly Message[]) => readonly Message[];
};

/** Asks once on command, with the whole projection. */
function asking(question: Question, replies: AskReply[], edit = false): Strategy {
  return {
    name: "asking",
    live: false,
    start: ({ ask }) => ({
      onCommand: async ({ projection, signal }) => {
        const { change = (messages) => messages, ...rest } = question;
        replies.push(
          await ask({
            purpose: "compact",
            messages: change(projection),
            instruct: "Summarise.",
            system: "same",
            tools: "same",
            thinking: "same",
            cacheEdits: "same",
            model: "main",
            maxOutput: 20_000,
            signal,
            ...rest,
          }),
        );
        return nothing;
      },
      ...(edit && {
        beforeRequest: async ({ projection }) =>
          projection.some(({ uuid }) => uuid === "uuid-3")
            ? { ...nothing, edits: [{ kind: "cache-edit", pin: { messageUuid: "uuid-4", toolUseIds: ["t1"] } }] }
            : nothing,
      }),
    }),
  };
}

async function asked(question: Question, script: readonly Reply[], options: Partial<AgentOptions> = {}, edit = false) {
  const replies: AskReply[] = [];
  return driveAgent(
    [answer(aThinking("hm"), aToolUse("t1", "Read", {})), done, ...script],
    async ({ agent, server, events }) => {
      await agent.turn("go");
      await agent.compact("");
      return {
        reply: replies[0],
        main: server.requests[1] as WireRequest,
        fork: server.requests.at(-1) as WireRequest,
        server,
        events,
      };
    },
    {
      strategy: asking(question, replies, edit),
      model: aModel("claude-opus-5-5"),
      thinking: { type: "adaptive" },
      ...options,
    },
  );
}

/** Without cache breakpoints, which are no part of the prefix. */
const plain = (messages: readonly WireMessage[]) =>
  messages.map(({ role, content }) => ({
    role,
    content: typeof content === "string" ? content : content.map(({ cache_control: _, ...block }) => block),
  }));

test("FC3: a fork begins with the main thread's bytes, and adds one user message", async () => {
  const { reply, main, fork } = await asked({}, [summary]);
  expect(reply).toMatchObject({ kind: "answer", text: "The summary.", stopReason: "end_turn", toolCalls: [] });
  for (const field of ["model", "system", "tools", "thinking"]) expect(fork[field]).toEqual(main[field]);
  expect(plain(fork.messages).slice(0, main.messages.length)).toEqual(plain(main.messages));
  expect(plain(fork.messages).slice(main.messages.length)).toEqual([
    { role: "assistant", content: [{ type: "text", text: "Done." }] },
    { role: "user", content: [{ type: "text", text: "Summarise." }] },
  ]);
  expect(fork.max_tokens).toBe(20_000);
});

test("FC3: what a fork is answered never enters the conversation, and no tool of it runs", async () => {
  const replies: AskReply[] = [];
  await driveAgent(
    [done, answer(aToolUse("t9", "Read", {}))],
    async ({ agent, ran }) => {
      await agent.turn("go");
      await agent.compact("");
      expect(replies[0]).toMatchObject({ kind: "answer", text: "", toolCalls: [{ id: "t9" }] });
      expect(ran).toEqual([]);
      expect(agent.log()).toHaveLength(2);
    },
    { strategy: asking({}, replies) },
  );
});

test("FC3, M7: the direct path has its own system prompt, no tools, no thinking", async () => {
  const { fork } = await asked({ system: { own: "You summarise." }, tools: "none", thinking: "off" }, [summary]);
  expect(fork.system).toMatchObject([{ text: "You summarise." }]);
  expect(fork.tools).toBeUndefined();
  expect(JSON.stringify(fork)).not.toContain('"hm"');
});

test("M7: a fork whose messages are not those that were sent carries no thinking", async () => {
  const { fork } = await asked({ change: (messages) => messages.map((message) => ({ ...message })) }, [summary]);
  expect(JSON.stringify(fork)).not.toContain('"hm"');
});

test("MC3, MC4: a fork sends the pinned edits too, the direct path has the marker instead", async () => {
  const shared = await asked({}, [summary], {}, true);
  expect(JSON.stringify(shared.fork.messages)).toContain("cache_edits");
  const direct = await asked({ system: "none", tools: "none", cacheEdits: "none" }, [summary], {}, true);
  expect(JSON.stringify(direct.fork.messages)).not.toContain("cache_edits");
  expect(JSON.stringify(direct.fork.messages)).not.toContain("output of t1");
});

test("a small model is asked by its own name", async () => {
  const { fork } = await asked({ model: "small" }, [summary], { smallModel: aModel("claude-haiku-4-5") });
  expect(fork.model).toBe("claude-haiku-4-5");
});

test("RC5: a compaction is retried like the main thread, and its requests are its own", async () => {
  const busy: Reply = { kind: "refusal", status: 529, type: "overloaded_error", message: "Overloaded" };
  const { reply, server, events } = await asked({}, [busy, busy, busy, busy, summary]);
  expect(reply?.kind).toBe("answer");
  const attempts = server.headers.slice(2).map((headers) => headers.get("x-longhaul-attempt"));
  expect(attempts).toEqual(["1", "2", "3", "4", "5"]);
  const sources = events.flatMap((event) => (event.kind === "request_failed" ? [event.querySource] : []));
  expect(sources).toEqual(["compact", "compact", "compact", "compact"]);
});

test("RC5: notes give way to an overload", async () => {
  const busy: Reply = { kind: "refusal", status: 529, type: "overloaded_error", message: "Overloaded" };
  const { reply, server } = await asked({ purpose: "session_memory" }, [busy]);
  expect(reply).toEqual({ kind: "error", error: { class: "overloaded", text: "Overloaded" } });
  expect(server.requests).toHaveLength(3);
});

test("an error is a value, with the numbers that it names", async () => {
  const message = "prompt is too long: 9 tokens > 8 maximum";
  const { reply } = await asked({}, [{ kind: "refusal", status: 400, type: "invalid_request_error", message }]);
  expect(reply).toEqual({ kind: "error", error: { class: "overflow", text: message, tokens: 9, limit: 8 } });
});

test("an abort is a value, before and within", async () => {
  expect((await asked({ signal: AbortSignal.abort() }, [])).reply).toEqual({ kind: "aborted" });
});

test("TE1: a question is told like a main request, under its own source, with its size and how long it took", async () => {
  const { events } = await asked({}, [{ ...summary, delayMs: 100 } as Reply]);
  const own = events.filter(({ querySource }) => querySource === "compact");
  expect(own).toMatchObject([
    { kind: "request_sent", attempt: 1, messages: 5 },
    { kind: "response_received", attempt: 1, messageId: "msg_3", stopReason: "end_turn", durationMs: 700 },
  ]);
  const [sent] = own;
  if (sent?.kind !== "request_sent") throw new Error("nothing was sent");
  expect(sent.estimate).toBe(Object.values(sent.origin).reduce((sum, tokens) => sum + tokens, 0));
  expect(sent.estimate).toBeGreaterThan(10);
});

test("RC5: a question gives up after as many retries as a main request, each with a draw of its own", async () => {
  const keys: string[] = [];
  const busy: Reply = { kind: "refusal", status: 500, type: "api_error", message: "x" };
  const random = (key: string): number => keys.push(key) * 0;
  const { reply, server } = await asked({}, Array<Reply>(20).fill(busy), { random });
  expect(reply).toMatchObject({ kind: "error", error: { class: "transient" } });
  expect(server.requests).toHaveLength(2 + 11);
  expect(keys.slice(0, 2)).toEqual(["retry/compact/2/1", "retry/compact/2/2"]);
  expect(new Set(keys).size).toBe(11);
});

test("the texts of an answer are one text, its calls are told, and nothing else", async () => {
  const calls = [aToolUse("t7", "Read", { a: 1 })];
  const { reply } = await asked({}, [answer(aThinking("hm"), say("One."), ...calls, say("Two."))]);
  expect(reply).toMatchObject({ kind: "answer", text: "One.\n\nTwo.", toolCalls: calls, usage: { output_tokens: 50 } });
});

test("an abort while a retry waits is a value, and nothing more is sent", async () => {
  const user = new AbortController();
  const busy: Reply = { kind: "refusal", status: 500, type: "api_error", message: "x" };
  const random = (): number => {
    user.abort();
    return 0;
  };
  const { reply, server } = await asked({ signal: user.signal }, [busy, summary], { random });
  expect(reply).toEqual({ kind: "aborted" });
  expect(server.requests).toHaveLength(3);
});

test("a client that ends without a word has failed, for a moment", async () => {
  const replies: AskReply[] = [];
  let sent = 0;
  await driveAgent(
    [],
    async ({ agent }) => {
      await agent.compact("");
      expect(replies).toEqual([
        { kind: "error", error: { class: "transient", text: "the client ended without saying how" } },
      ]);
      expect(sent).toBe(11);
    },
    {
      strategy: asking({}, replies),
      client: {
        async *send() {
          sent++;
          yield* [];
        },
      },
    },
  );
});
