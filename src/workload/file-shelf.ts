import type { Rng } from "../determinism/index.ts";
import { filesInHand } from "./assumptions.ts";
import type { FactBook, FactPlace } from "./fact-book.ts";
import type { PlanFile } from "./plan.ts";
import type { SessionProfile } from "./profiles.ts";
import type { Language } from "./text-pools.ts";
import { areas, nouns, verbs } from "./vocabulary.ts";

/** The files of the repository that the session will touch, in the order in which it meets them. */
export interface FileShelf {
  readonly files: PlanFile[];
  /** A file not met before. */
  open(place: FactPlace, chars: number, writtenBy: number | null): PlanFile;
  /** A file of the last ones met that is at least so large; undefined where there is none. */
  known(minimum: number, before: number, rng: Rng): PlanFile | undefined;
}

const endings: Readonly<Record<Language, string>> = {
  typescript: "ts",
  python: "py",
  json: "json",
  prose: "md",
  log: "log",
  cjk: "md",
  minified: "min.js",
  base64: "pem",
};

export function createFileShelf(book: FactBook, profile: SessionProfile, rng: Rng): FileShelf {
  const files: PlanFile[] = [];
  return {
    files,
    open: (place, chars, writtenBy) => {
      const index = files.length;
      const draw = rng.fork(index);
      const area = draw.pick(areas);
      const noun = draw.pick(nouns);
      const language = draw.weighted(profile.languages);
      const code = book.newCode();
      const path = `${language === "prose" || language === "cjk" ? "docs" : "src"}/${area}/${noun}-${code}.${endings[language]}`;
      const symbol = `${draw.pick(verbs)}_${noun}_${index}`;
      const sentence = `\`${path}\` holds ${symbol}.`;
      const pathFact = book.named("file-read", code, path, sentence, place, { kind: "grep", file: index });
      const file: PlanFile = {
        index,
        path,
        area,
        symbol,
        language,
        chars,
        facts: [],
        pathFact: pathFact.index,
        writtenBy,
      };
      files.push(file);
      return file;
    },
    known: (minimum, before, stream) => {
      const fitting = files.slice(-filesInHand).filter((file) => file.chars >= minimum && file.index < before);
      return fitting.length === 0 ? undefined : stream.pick(fitting);
    },
  };
}
