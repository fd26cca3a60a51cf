import type { Rng } from "../determinism/index.ts";
import { bashFlavours, hugeChars, partlyRead, rereadExcess } from "./assumptions.ts";
import { calibration } from "./calibration.ts";
import type { FactPlace } from "./fact-book.ts";
import type { FileShelf } from "./file-shelf.ts";
import type { PlannedCall } from "./plan.ts";
import type { SessionProfile } from "./profiles.ts";
import { drawInputChars, drawResultChars } from "./tool-draws.ts";

/** Turns the name of a tool into a planned call: which file, how large, what about. */
export interface CallPlanner {
  plan(tool: string, place: FactPlace & { readonly step: number }, batch: BatchSoFar, rng: Rng): PlannedCall;
}

/** Calls of one answer run side by side: only files met before it may be used again, and no part of a file is edited twice in it. */
export interface BatchSoFar {
  readonly filesBefore: number;
  readonly edited: Set<string>;
}

/** Parts of a file that are edited apart from each other. */
export const partsOfFile = 8;

/** Line numbers make a read file that much longer than it is. */
const numbering = 1.16;

const rereadTarget = calibration.rereads.repeatShare * rereadExcess;

export function createCallPlanner(shelf: FileShelf, profile: SessionProfile, resultScale: number): CallPlanner {
  const lastEdit = new Map<string, number>();
  let sinceHuge = 0;
  return {
    plan: (tool, place, { filesBefore, edited }, rng) => {
      const inputChars = drawInputChars(tool, rng.fork("input"));
      const resultChars = Math.max(1, Math.round(drawResultChars(tool, profile, rng.fork("result")) * resultScale));
      const call: PlannedCall = { tool, flavour: "", file: null, inputChars, resultChars, previousEdit: null, part: 0 };
      sinceHuge++;
      if (tool === "Read") {
        const again = rng.fork("again").chance(rereadTarget);
        const known = again ? shelf.known(resultChars / numbering, filesBefore, rng.fork("file")) : undefined;
        if (known !== undefined) {
          const whole = known.chars * numbering <= resultChars * 1.3;
          return { ...call, flavour: whole ? "head" : "part", file: known.index, part: rng.fork("part").integer(0, 6) };
        }
        const larger = rng.fork("larger").chance(partlyRead) ? rng.fork("factor").integer(2, 4) : 1;
        const file = shelf.open(place, Math.max(120, Math.round((resultChars / numbering) * larger)), null);
        return { ...call, flavour: "head", file: file.index };
      }
      if (tool === "Edit") {
        const known = shelf.known(0, filesBefore, rng.fork("file"));
        const drawn = rng.fork("part").integer(0, partsOfFile - 1);
        const taken = known === undefined || edited.has(`${known.index}/${drawn}`);
        const file = taken ? shelf.open(place, 2400, null) : known;
        const part = drawn;
        const key = `${file.index}/${part}`;
        edited.add(key);
        const previousEdit = lastEdit.get(key) ?? null;
        lastEdit.set(key, place.step);
        return { ...call, flavour: "edit", file: file.index, part, previousEdit };
      }
      if (tool === "Write") {
        const file = shelf.open(place, Math.max(80, inputChars - 90), place.step);
        return { ...call, flavour: "write", file: file.index };
      }
      if (profile.hugeEvery > 0 && sinceHuge >= profile.hugeEvery && (tool === "Bash" || tool.startsWith("mcp__"))) {
        sinceHuge = 0;
        return { ...call, flavour: "huge", resultChars: hugeChars };
      }
      if (tool === "Bash") {
        const flavour = rng.fork("flavour").weighted(bashFlavours);
        return { ...call, flavour, file: shelf.known(0, filesBefore, rng.fork("file"))?.index ?? null };
      }
      if (tool.startsWith("mcp__") && rng.fork("image").chance(profile.toolImages))
        return { ...call, flavour: "image" };
      return { ...call, flavour: "search" };
    },
  };
}
