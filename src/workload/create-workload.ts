import type { Workload, WorkloadOptions } from "./workload.ts";

/** Builds a session from its seed. The same options give the same session in every process. */
export function createWorkload(options: WorkloadOptions): Workload {
  throw new RangeError(`no profile ${options.profile} yet`);
}
