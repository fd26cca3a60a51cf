import { join } from "node:path";

/** Where a suite's files lie. Names of runs are safe on every file system. */
export interface ReportFiles {
  readonly index: string;
  /** The judged suite, from which the pages can be made again. */
  readonly suite: string;
  record(run: RunName): string;
  page(run: RunName): string;
  /** File of a run's page, as a link from the suite's. */
  href(run: RunName): string;
}

export interface RunName {
  readonly scenario: string;
  readonly seed: number;
}

export function reportFiles(folder: string): ReportFiles {
  const href = (run: RunName): string => `${fileName(run)}.html`;
  return {
    index: join(folder, "index.html"),
    suite: join(folder, "records", "suite.json"),
    record: (run) => join(folder, "records", `${fileName(run)}.ndjson`),
    page: (run) => join(folder, href(run)),
    href,
  };
}

/** `prompt-too-long-7`; of a matrix `thrash-enabled-true-7`. */
export function fileName({ scenario, seed }: RunName): string {
  const name = scenario.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[-.]+|[-.]+$/g, "");
  return `${name}-${seed}`;
}
