export const clientSins = [
  "retried-hopeless",
  "ignored-retry-after",
  "longer-after-too-long",
  "identical-after-refusal",
  "took-cut-for-complete",
  "lost-tool-result",
  "edited-thinking",
  "too-many-breakpoints",
] as const;
/** What a client did that it should not have (F3). */
export type ClientSin = (typeof clientSins)[number];
