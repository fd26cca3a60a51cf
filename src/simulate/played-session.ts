import type { Workload } from "../workload/index.ts";

/** What a run plays: a world to work in, a user who talks, and a model that answers. Generated (`Workload`) or read from a file. */
export type PlayedSession = Pick<
  Workload,
  "system" | "tools" | "user" | "model" | "runTool" | "readFile" | "census" | "drainBirths"
> & { readonly goals: readonly { readonly id: string }[] };
