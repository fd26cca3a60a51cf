import type { AssistantMessage, Message } from "../transcript/index.ts";
import type { Estimator } from "./estimator.ts";
import { roughEstimator } from "./estimator.ts";
import type { CountOptions, TokenCount } from "./token-count.ts";
import { countAll, countFromResponse, isBasis, keptUuids } from "./token-count.ts";

/**
 * An index beside a session's messages (B3). Contract:
 * - every answer equals that of the plain function over `messages()`;
 * - `append` costs the new message only (T7); `rewrite` costs one pass at the next question, and estimates only what is new in it;
 * - ids are looked for in the live part (M6): what stands before the last boundary is not found;
 * - it changes no message and keeps none after a rewrite.
 */
export interface SessionLedger {
  /** The session so far: one array for the life of the ledger, replaced only by `rewrite`. */
  messages(): readonly Message[];
  append(message: Message): void;
  /** After an edit of the past: these are the messages now. */
  rewrite(messages: readonly Message[]): void;
  /** Another estimator; one that weighs by the same function costs nothing. */
  useEstimator(estimator: Estimator): void;

  /** Sum of estimates over [from, to), not padded (`roughTokenSum`). O(1). Default: all. */
  sum(from?: number, to?: number): number;
  /** The estimate of [from, to) in tokens (`estimateMessageTokens`). O(1). */
  estimate(from?: number, to?: number): number;
  /** `countTokens`: O(parts of the newest response). The estimator is the ledger's. */
  countTokens(options: LedgerCountOptions): TokenCount;

  /** First index of every round, ascending (`groupByApiRound`). */
  roundStarts(): readonly number[];
  /** Start of the round that holds this index; O(log rounds). */
  roundStartAt(index: number): number;
  /** Indices of all boundaries, ascending. */
  boundaries(): readonly number[];
  /** Index of the first live message. */
  liveFrom(): number;
  /** Index of the last live message that calls with this id. */
  toolUseIndex(toolUseId: string): number | undefined;
  /** Index of the last live message that holds a result for it. */
  toolResultIndex(toolUseId: string): number | undefined;
  /** First and last live index of the parts of one response. */
  span(responseId: string): { readonly first: number; readonly last: number } | undefined;
}

/** The estimator is the ledger's own. */
type LedgerCountOptions = Omit<CountOptions, "estimator">;

export function createSessionLedger(estimator: Estimator = roughEstimator): SessionLedger {
  return new Ledger(estimator);
}

const noUuids: ReadonlySet<string> = new Set();

class Ledger implements SessionLedger {
  #estimator: Estimator;
  #messages: Message[] = [];
  /** How many messages the fields below know of. */
  #indexed = 0;
  /** `#sums[i]` is the sum over the first i messages. */
  #sums: number[] = [0];
  #roundStarts: number[] = [];
  #boundaries: number[] = [];
  #lastResponseId: string | undefined;
  /** From here on: of the live part only. */
  #parts = new Map<string, number[]>();
  #toolUses = new Map<string, number>();
  #toolResults = new Map<string, number>();
  // Stryker disable next-line ArrayDeclaration: what is no index is before no end, so it is never found.
  #withUsage: number[] = [];
  #kept: ReadonlySet<string> = noUuids;
  /** Estimates from before a rewrite, by message; gone once the rewrite is indexed. */
  #known: Map<Message, number> | undefined;

  constructor(estimator: Estimator) {
    this.#estimator = estimator;
  }

  messages(): readonly Message[] {
    return this.#messages;
  }

  append(message: Message): void {
    this.#messages.push(message);
  }

  rewrite(messages: readonly Message[]): void {
    this.#known ??= new Map();
    for (let i = 0; i < this.#indexed; i++) {
      this.#known.set(this.#messages[i] as Message, (this.#sums[i + 1] as number) - (this.#sums[i] as number));
    }
    this.#messages = messages.slice();
    this.#forget();
  }

  useEstimator(estimator: Estimator): void {
    if (estimator.message !== this.#estimator.message) {
      this.#known = undefined;
      this.#forget();
    }
    this.#estimator = estimator;
  }

  sum(from = 0, to: number = this.#messages.length): number {
    this.#catchUp();
    return to <= from ? 0 : (this.#sums[to] as number) - (this.#sums[from] as number);
  }

  estimate(from = 0, to: number = this.#messages.length): number {
    return this.#estimator.total(this.sum(from, to));
  }

  countTokens(options: LedgerCountOptions): TokenCount {
    this.#catchUp();
    const { overheadTokens, window, staleUuids } = options;
    const isOne = (i: number): boolean => isBasis(this.#messages[i] as Message, window, this.#kept, staleUuids);
    const basis = this.#withUsage.findLast(isOne);
    if (basis === undefined) return countAll(this.estimate(this.liveFrom()), overheadTokens);
    const parts = this.#partsOf(basis);
    let partsSum = 0;
    for (const part of parts) partsSum += this.sum(part, part + 1);
    const sums = { parts, partsSum, sum: this.sum(parts[0]) };
    return countFromResponse(this.#messages, sums, window, this.#estimator);
  }

  #partsOf(index: number): readonly number[] {
    return this.#parts.get((this.#messages[index] as AssistantMessage).id) as readonly number[];
  }

  roundStarts(): readonly number[] {
    this.#catchUp();
    return this.#roundStarts;
  }

  roundStartAt(index: number): number {
    this.#catchUp();
    let low = 0;
    let high = this.#roundStarts.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((this.#roundStarts[middle] as number) <= index) low = middle;
      else high = middle;
    }
    return this.#roundStarts[low] ?? 0;
  }

  boundaries(): readonly number[] {
    this.#catchUp();
    return this.#boundaries;
  }

  liveFrom(): number {
    this.#catchUp();
    return (this.#boundaries.at(-1) ?? -1) + 1;
  }

  toolUseIndex(toolUseId: string): number | undefined {
    this.#catchUp();
    return this.#toolUses.get(toolUseId);
  }

  toolResultIndex(toolUseId: string): number | undefined {
    this.#catchUp();
    return this.#toolResults.get(toolUseId);
  }

  span(responseId: string): { readonly first: number; readonly last: number } | undefined {
    this.#catchUp();
    const parts = this.#parts.get(responseId);
    return parts && { first: parts[0] as number, last: parts.at(-1) as number };
  }

  #catchUp(): void {
    for (let i = this.#indexed; i < this.#messages.length; i++) this.#index(this.#messages[i] as Message, i);
    this.#indexed = this.#messages.length;
    this.#known = undefined;
  }

  #index(message: Message, i: number): void {
    this.#sums.push((this.#sums[i] as number) + (this.#known?.get(message) ?? this.#estimator.message(message)));
    if (i === 0) this.#roundStarts.push(0);
    if (message.kind === "notice") return;
    if (message.kind === "boundary") {
      this.#boundaries.push(i);
      this.#forgetLive();
      this.#kept = keptUuids(message);
      return;
    }
    if (message.kind === "assistant") this.#indexResponse(message, i);
    for (const block of message.content) {
      if (block.type === "tool_use") this.#toolUses.set(block.id, i);
      else if (block.type === "tool_result") this.#toolResults.set(block.tool_use_id, i);
    }
  }

  #indexResponse(message: AssistantMessage, i: number): void {
    if (message.id !== this.#lastResponseId && i > 0) this.#roundStarts.push(i);
    this.#lastResponseId = message.id;
    const parts = this.#parts.get(message.id);
    if (parts === undefined) this.#parts.set(message.id, [i]);
    else parts.push(i);
    // Stryker disable next-line ConditionalExpression: a shortcut; whether a usage can be counted from is asked of every candidate.
    if (message.usage !== null) this.#withUsage.push(i);
  }

  #forget(): void {
    this.#indexed = 0;
    this.#sums = [0];
    this.#roundStarts = [];
    this.#boundaries = [];
    this.#lastResponseId = undefined;
    this.#forgetLive();
  }

  #forgetLive(): void {
    this.#parts = new Map();
    this.#toolUses = new Map();
    this.#toolResults = new Map();
    // Stryker disable next-line ArrayDeclaration: what is no index is before no end, so it is never found.
    this.#withUsage = [];
    this.#kept = noUuids;
  }
}
