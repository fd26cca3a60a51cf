import { overheads } from "../count/rates.ts";
import type { Lanes } from "../count/true-text.ts";
import { lanesOf, nameOf } from "../count/true-text.ts";
import type { BlockFacts, Ttl } from "../facts/block-facts.ts";
import { mix } from "../facts/block-facts.ts";
import type { RequestFacts } from "../facts/request-facts.ts";

/**
 * The prompt as the cache sees it: one place for each block, in the order tools, system, messages (K2).
 * `keys[i]` names the whole prefix up to and with place i; `tokens[i]` is the size of that prefix; places of one run share `runs[i]`.
 */
export interface Positions {
  readonly keys: Float64Array;
  readonly tokens: Float64Array;
  /** The same with what was deleted or dropped: what the minimum length is held against. */
  readonly sizes: Float64Array;
  readonly runs: Int32Array;
  readonly breakpoints: readonly { readonly place: number; readonly ttl: Ttl }[];
  readonly total: number;
  /** Names of the prefix up to the end of the tools, and of the system prompt. */
  readonly toolsKey: number;
  readonly systemKey: number;
}

/** Blocks that the model does not get to see whole, with the tokens that they lose. */
export type Weightless = ReadonlyMap<BlockFacts, number>;

export function positionsOf(facts: RequestFacts, lost: Weightless): Positions {
  const { tokenizer, body, tools, system, messages } = facts;
  let size = tools.length + system.length;
  for (const message of messages) size += message.blocks.length;
  const keys = new Float64Array(size);
  const tokens = new Float64Array(size);
  const sizes = lost.size === 0 ? tokens : new Float64Array(size);
  let gone = 0;
  const runs = new Int32Array(size);
  const breakpoints: { place: number; ttl: Ttl }[] = [];
  let lanes: Lanes = lanesOf(body.model);
  let sum = overheads.request;
  let place = 0;
  let run = 0;
  let last = "";
  const add = (block: BlockFacts): void => {
    lanes = mix(lanes, block);
    const less = lost.size === 0 ? 0 : (lost.get(block) ?? 0);
    sum += block.tokens[tokenizer] - less;
    gone += less;
    const joins = block.type === last && (block.type === "tool_use" || block.type === "tool_result");
    if (!joins) run++;
    last = block.type;
    keys[place] = nameOf(lanes);
    tokens[place] = sum;
    sizes[place] = sum + gone;
    runs[place] = run;
    if (block.ttl !== null) breakpoints.push({ place, ttl: block.ttl });
    place++;
  };
  if (tools.length > 0) sum += overheads.anyTools;
  for (const tool of tools) add(tool);
  const toolsKey = nameOf(lanes);
  lanes = mix(lanes, lanesOf(String(body.speed ?? "standard")));
  if (system.length > 0) sum += overheads.system;
  for (const block of system) add(block);
  const systemKey = nameOf(lanes);
  lanes = mix(lanes, lanesOf(messageScope(facts)));
  for (const message of messages) {
    lanes = { a: lanes.a ^ message.role.length, b: lanes.b };
    sum += overheads.message;
    for (const block of message.blocks) add(block);
  }
  const whole = topLevelTtl(body.cache_control);
  if (whole !== null && place > 0 && breakpoints.at(-1)?.place !== place - 1)
    breakpoints.push({ place: place - 1, ttl: whole });
  return { keys, tokens, sizes, runs, breakpoints, total: sum, toolsKey, systemKey };
}

/** What, when it changes, makes every cached message prefix useless but leaves tools and system. */
function messageScope({ body, messages }: RequestFacts): string {
  const effort = (body.output_config as { readonly effort?: unknown } | undefined)?.effort ?? null;
  const images = messages.some((message) => message.media > 0);
  return JSON.stringify([body.tool_choice ?? null, body.thinking ?? null, effort, images]);
}

function topLevelTtl(control: unknown): Ttl | null {
  if (control === undefined || control === null) return null;
  return (control as { readonly ttl?: Ttl }).ttl ?? "5m";
}
