import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { UsageError } from "./usage-error.ts";

/** Writes the whole file or nothing: a reader never sees a half, and an interrupted write leaves what was there. Makes the folder. */
export function writeFileWhole(path: string, text: string): void {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    makeFolder(dirname(path));
    writeFileSync(draft, text);
    renameSync(draft, path);
  } catch (error) {
    if (existsSync(draft)) rmSync(draft, { force: true });
    const reason = reasons[(error as NodeJS.ErrnoException).code ?? ""];
    throw reason === undefined ? error : new UsageError(`${path}: cannot be written, ${reason}`);
  }
}

/** As mkdir's `recursive`, which on Node 20 never returns where a parent refuses with ENOENT, as /proc does. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !existsSync(path)) throw error; // Another process was first.
  }
}

/** What the user can mend, by the system's code. */
const reasons: Readonly<Record<string, string>> = {
  EISDIR: "it is a folder; name a file",
  ENOTDIR: "a part of the path is a file, not a folder",
  EEXIST: "a part of the path is a file, not a folder",
  EACCES: "you may not write there",
  EPERM: "you may not write there",
  EROFS: "the file system is read-only",
  ENOENT: "its folder cannot be made",
  ENOSPC: "the disk is full",
};
