// Throws requests at the mock and prints what was met: `npm run fuzz` (100 000 requests, then 20 000 of garbage), `npm run fuzz -- --memory`
// (100 000 calls, and the heap after each tenth). Small versions of both run in `npm test`. Exit code: that of the tests.
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "100000" },
    garbage: { type: "string", default: "20000" },
    memory: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(`npm run fuzz -- [options]
  --requests N  requests, each valid or with one planted violation (100000); with --memory: calls
  --garbage N   requests that are no requests (20000)
  --memory      only the heap: a long run of sessions in which everything is new`);
  process.exit(0);
}

const began = Date.now();
const test = values.memory ? "src/mock-api/memory.test.ts" : "src/mock-api/fuzz.test.ts";
const told = values.memory
  ? { LONGHAUL_CALLS: values.requests }
  : { LONGHAUL_FUZZ: values.requests, LONGHAUL_GARBAGE: values.garbage, LONGHAUL_FUZZ_TABLE: "1" };
const limits = ["--testTimeout=3600000", "--disable-console-intercept"];
const { status } = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "run", test, ...limits], {
  stdio: "inherit",
  env: { ...process.env, ...told },
});
console.log(`${Math.round((Date.now() - began) / 1000)} s`);
process.exitCode = status ?? 1;
