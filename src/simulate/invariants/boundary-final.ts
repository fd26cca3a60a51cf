import type { Invariant } from "./invariant.ts";

/** What a boundary put away stays away (M6). */
export const boundaryFinal: Invariant = {
  name: "boundary-final",
  says: "nothing from before a boundary is sent again, but what the boundary kept",
  watch: (report) => {
    const gone = new Set<string>();
    const boundaries = new Set<string>();
    return {
      edited: ({ before, after }) => {
        const fresh = after.some((message) => message.kind === "boundary" && !boundaries.has(message.uuid));
        for (const message of after) if (message.kind === "boundary") boundaries.add(message.uuid);
        if (!fresh) return;
        const kept = new Set(after.map((message) => message.uuid));
        for (const message of before) if (!kept.has(message.uuid)) gone.add(message.uuid);
      },
      requestBuilt: ({ projection }) => {
        if (gone.size === 0) return;
        const back = projection.find((message) => gone.has(message.uuid));
        if (back !== undefined) report(`message ${back.uuid} came back from before a boundary`);
      },
    };
  },
};
