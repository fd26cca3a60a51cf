import pc from "picocolors";

/** Colours of the terminal; picocolors itself heeds NO_COLOR, FORCE_COLOR, --no-color and a pipe. */
export const ink: Readonly<Record<"good" | "bad" | "strong" | "quiet", (text: string) => string>> = {
  good: pc.green,
  bad: pc.red,
  strong: pc.bold,
  quiet: pc.dim,
};
