import { readFileSync } from "node:fs";
import type { RunRecord } from "../simulate/index.ts";
import { readRecord } from "../simulate/index.ts";
import { UsageError } from "./usage-error.ts";

/** The record that a file holds. Throws `UsageError` where there is none or it cannot be read. */
export async function readRecordFile(path: string): Promise<RunRecord> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    throw new UsageError(`${path}: there is no such record; run the scenario again to make it`);
  }
  try {
    return readRecord(text);
  } catch (error) {
    throw new UsageError(
      `${path}: not a whole record of this version (${error instanceof Error ? error.message : error})`,
    );
  }
}
