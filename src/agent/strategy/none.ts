import type { Strategy } from "./port.ts";

/** Does nothing, ever: what a session is without compaction. It ends at the window. */
export const none: Strategy = { name: "none", live: false, start: () => ({}) };
