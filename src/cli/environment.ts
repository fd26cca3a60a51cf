import type { Environment } from "../report/index.ts";
import { longhaulVersion } from "../simulate/index.ts";

/** What the runs were made on, for the foot of a report. Nothing here may reach a record. */
export function thisEnvironment(): Environment {
  return {
    longhaul: longhaulVersion,
    "Node.js": process.versions.node,
    platform: `${process.platform} ${process.arch}`,
  };
}
