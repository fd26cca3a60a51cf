import type { NotesPort, ReadFilesPort } from "../compaction/index.ts";

/** The notes file of one session, kept in memory. */
export function createNotes(): NotesPort {
  let notes: string | null = null;
  return {
    path: "session-memory/notes.md",
    read: () => notes,
    write: (text) => {
      notes = text;
    },
  };
}

/** What the session has read, newest last, for re-attaching after a compaction. */
export interface ReadFiles extends ReadFilesPort {
  /** A tool read or wrote the file. */
  touched(path: string, atMs: number): void;
}

export function createReadFiles(readFile: (path: string) => string | null): ReadFiles {
  let files: { readonly path: string; readonly readAtMs: number }[] = [];
  return {
    touched: (path, readAtMs) => {
      files = [...files.filter((file) => file.path !== path), { path, readAtMs }];
    },
    snapshot: () => files,
    read: async (path) => readFile(path),
    reset: (reattached) => {
      const kept = new Set(reattached);
      files = files.filter((file) => kept.has(file.path));
    },
  };
}
