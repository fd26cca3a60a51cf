/** A mistake of the person who typed the command: one line, exit 2, no stack trace. The message says what is wrong, where, and what is allowed. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Errors that other rooms throw for a mistake in what the user gave them. */
const usersMistakes: readonly string[] = [
  "UsageError",
  "ScenarioError",
  "ExpectationError",
  "SeedError",
  "ConfigError",
  "RunSpecError",
  "TranscriptError",
];

/** Whether the user can mend it: told by name, because it may have come from another process. */
export function isUsersMistake(error: unknown): error is Error {
  return error instanceof Error && usersMistakes.includes(error.name);
}
