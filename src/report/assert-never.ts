/** Ends every switch on a closed union: a case that the types rule out throws, with the value in the sentence. */
export function assertNever(value: never): never {
  throw new TypeError(`unexpected case: ${JSON.stringify(value)}`);
}
