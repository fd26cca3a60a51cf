/** A law that a history broke. The message says which, and how. */
export class BrokenPromise extends Error {
  constructor(law: string, how: string) {
    super(`${law}: ${how}`);
    this.name = "BrokenPromise";
  }
}

/** Throws unless it holds; `how` is only made where it does not. */
export function promise(holds: boolean, law: string, how: () => string): void {
  if (!holds) throw new BrokenPromise(law, how());
}
