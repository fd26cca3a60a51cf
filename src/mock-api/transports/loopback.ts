import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { MockApi } from "../mock-api.ts";
import type { BodyParser } from "./body-parser.ts";
import { createBodyParser } from "./body-parser.ts";
import { callFrom } from "./call-of.ts";
import type { ByteReply } from "./response.ts";
import { bytesOf, latencyHeader } from "./response.ts";

export interface LoopbackOptions {
  /** 0: any free port. */
  readonly port: number;
  /** Default: 127.0.0.1; the mock is not meant to be reached from elsewhere. */
  readonly host?: string;
  /** Given: foreign clients wait as long as the latency schedule says. Left out: they are answered at once. */
  readonly sleep?: (ms: number) => Promise<void>;
}

export interface Loopback {
  readonly port: number;
  readonly url: string;
  /** Ends open connections too, and resolves when the port is free. */
  close(): Promise<void>;
}

/** The mock on a port of this machine, for clients in other processes and languages (A1). Rejects where the port is taken. */
export function listen(api: Pick<MockApi, "serve">, options: LoopbackOptions): Promise<Loopback> {
  const host = options.host ?? "127.0.0.1";
  const parse = createBodyParser();
  const server = createServer((request, response) => {
    answer(api, parse, request, response, options.sleep).catch(() => response.destroy());
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, host, () => {
      const { port } = server.address() as AddressInfo;
      resolve({ port, url: `http://${host}:${port}`, close: () => closed(server) });
    });
  });
}

async function answer(
  api: Pick<MockApi, "serve">,
  parse: BodyParser,
  request: IncomingMessage,
  response: ServerResponse,
  sleep: LoopbackOptions["sleep"],
): Promise<void> {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const call = callFrom(request.method ?? "GET", request.url ?? "/", headers, await textOf(request), parse);
  const reply = api.serve(call);
  const toOurClient = headers["x-longhaul-source"] !== undefined;
  const sent = bytesOf(reply);
  const waits = toOurClient ? undefined : sleep;
  if (!toOurClient && reply.latency.first === "never") return;
  if (waits !== undefined && reply.latency.first !== "never") await waits(reply.latency.first);
  if (sent === null) {
    request.socket.destroy();
    return;
  }
  const schedule = JSON.stringify({ first: sent.latency.first, at: sent.latency.before });
  response.writeHead(sent.status, { ...sent.headers, ...(toOurClient ? { [latencyHeader]: schedule } : {}) });
  const isWhole = await writeBody(response, sent, toOurClient, waits);
  if (!isWhole) return;
  if (sent.ending === "reset") request.socket.destroy();
  else response.end();
}

/** False where the schedule says that no more will ever come: the connection then stays open. */
async function writeBody(
  response: ServerResponse,
  sent: ByteReply,
  toOurClient: boolean,
  waits: LoopbackOptions["sleep"],
): Promise<boolean> {
  let from = 0;
  for (const [place, ms] of toOurClient ? [] : sent.latency.before) {
    if (waits === undefined && ms !== "never") continue;
    await written(response, sent.bytes.subarray(from, place));
    from = place;
    if (ms === "never") return false;
    await waits?.(ms);
  }
  await written(response, sent.bytes.subarray(from));
  return true;
}

function written(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  if (bytes.length === 0) return Promise.resolve();
  return new Promise((resolve) => response.write(bytes, () => resolve()));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
