import type { Message } from "../src/transcript/index.ts";

/** One hot path under measurement (performance.md B1). */
export interface Subject {
  readonly name: string;
  /** What a user of it should know, in a sentence. */
  readonly says: string;
  /** The most that its time may grow with the number of messages, as an exponent: 0 is constant, 1 linear. */
  readonly declaredExponent: number;
  /** Prepares it on a history. */
  prepare(messages: Message[]): Prepared;
}

export interface Prepared {
  /** The measured call. Its result is kept from being optimised away. */
  readonly run: () => unknown;
  /** Throws when what `run` gives is not what a plain reference gives: nothing is timed that is not right. */
  readonly prove: () => void;
}

export class UnprovenSubject extends Error {
  constructor(name: string, why: string) {
    super(`${name} is wrong, so it was not timed: ${why}`);
    this.name = "UnprovenSubject";
  }
}

/** Fails the proof of a subject unless the two are equal. */
export function mustEqual(name: string, what: string, got: unknown, reference: unknown): void {
  if (!Object.is(got, reference))
    throw new UnprovenSubject(name, `${what} is ${String(got)}, the plain reference gives ${String(reference)}`);
}
