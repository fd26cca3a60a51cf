const purposes: Readonly<Record<string, string>> = {
  main: "Main conversation",
  compact: "Summaries",
  session_memory: "Session notes",
  context_collapse: "Context collapse",
  subagent: "Subagents",
};

/** What requests of a source are for, for people. */
export function purposeOf(source: string): string {
  return purposes[source] ?? source;
}

/** "prompt-too-long" and "exact_value" → words. */
export function words(name: string): string {
  return name.replace(/[-_]/g, " ");
}
