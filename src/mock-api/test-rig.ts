import { createRng } from "../determinism/index.ts";
import type { WireMessage } from "../transcript/index.ts";
import type { Call, Reply } from "./call.ts";
import { createMockApi } from "./create-mock-api.ts";
import type { MockEvent } from "./event.ts";
import type { MockApi } from "./mock-api.ts";
import type { MockApiOptions } from "./options.ts";
import type { ModelPort } from "./ports.ts";

/** For the tests of this room: a mock with a clock that is set by hand, and what it reported. */
export interface Rig {
  readonly api: MockApi;
  readonly events: MockEvent[];
  now: number;
  /** POST /v1/messages with these fields over a small request that is accepted. */
  send(fields: Readonly<Record<string, unknown>>, headers?: Readonly<Record<string, string>>): Reply;
}

export const answers: ModelPort = () => ({ content: [{ kind: "text", text: "Understood." }], trace: [] });

export function createRig(options: Partial<MockApiOptions> = {}): Rig {
  const events: MockEvent[] = [];
  const rig = { now: 0, events } as Rig;
  const api = createMockApi({
    model: answers,
    rng: createRng(7),
    now: () => rig.now,
    observer: (event) => events.push(event),
    ...options,
  });
  return Object.assign(rig, {
    api,
    send: (fields, headers = {}) => api.serve(callWith(fields, headers)),
  } satisfies Partial<Rig>);
}

export function callWith(
  fields: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): Call {
  const body = { model: "claude-opus-4-6", max_tokens: 1_000, messages: [user("hello")], ...fields };
  return {
    method: "POST",
    path: "/v1/messages",
    headers: { "x-api-key": "key", "anthropic-version": "2023-06-01", ...headers },
    body: Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)),
  };
}

export const user = (content: WireMessage["content"]): WireMessage => ({ role: "user", content });
export const assistant = (content: WireMessage["content"]): WireMessage => ({ role: "assistant", content });
export const text = (value: string, more: object = {}): { type: "text"; text: string } => ({
  type: "text",
  text: value,
  ...more,
});
export const call = (id: string, name = "Read"): { type: "tool_use"; id: string; name: string; input: object } => ({
  type: "tool_use",
  id,
  name,
  input: {},
});
export const result = (
  id: string,
  content: unknown = "ok",
): { type: "tool_result"; tool_use_id: string; content: unknown } => ({
  type: "tool_result",
  tool_use_id: id,
  content,
});

/** The message of a refusal; undefined where it was accepted. */
export function refusalText(reply: Reply): string | undefined {
  if (reply.status === 200 || reply.body.kind !== "json") return undefined;
  return (reply.body.value as { readonly error: { readonly message: string } }).error.message;
}

/** The whole message of a plain answer. */
export function messageOf(reply: Reply): Wire {
  if (reply.status !== 200 || reply.body.kind !== "json") throw new Error(`refused: ${refusalText(reply)}`);
  return reply.body.value as Wire;
}

export interface Wire {
  readonly id: string;
  readonly content: readonly ({ readonly type: string } & Readonly<Record<string, unknown>>)[];
  readonly stop_reason: string;
  readonly usage: Readonly<Record<string, number>>;
  readonly [field: string]: unknown;
}

/** A PNG header of that size, as far as the validator reads one. */
export function png(width: number, height: number): string {
  const bytes = Buffer.alloc(33);
  bytes.write("\x89PNG\r\n\x1a\n", "latin1");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes.toString("base64");
}

export const image = (data: string): { readonly type: "image"; readonly source: object } => ({
  type: "image",
  source: { type: "base64", media_type: "image/png", data },
});

export const pdf = (pages: number): { readonly type: "document"; readonly source: object } => ({
  type: "document",
  source: {
    type: "base64",
    media_type: "application/pdf",
    data: Buffer.from("/Type /Page\n".repeat(pages)).toString("base64"),
  },
});
