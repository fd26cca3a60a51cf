import { createReadStream, statSync } from "node:fs";
import type { ReadTranscript } from "../replay/index.ts";
import { readTranscript, TranscriptError } from "../replay/index.ts";
import { UsageError } from "./usage-error.ts";

/** A recorded session from a file, streamed. Throws `UsageError` where there is no such file or no conversation in it. */
export async function readTranscriptFile(path: string): Promise<ReadTranscript> {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw new UsageError(`${path}: there is no such file`);
  try {
    return await readTranscript(createReadStream(path));
  } catch (error) {
    if (error instanceof TranscriptError) throw new UsageError(`${path}: ${error.message}`);
    throw error;
  }
}
