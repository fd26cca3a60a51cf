// Builds dist/: the TypeScript of src/ as JavaScript and declarations, and beside it whatever else a room reads at run time.
import { spawnSync } from "node:child_process";
import { cpSync, rmSync, statSync } from "node:fs";
import { basename } from "node:path";

rmSync("dist", { recursive: true, force: true });
const { status } = spawnSync("node_modules/.bin/tsc", ["-p", "src/tsconfig.build.json"], { stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);

const notShipped = (path) =>
  /\.[cm]?ts$/.test(path) || basename(path) === "fixtures" || /^(tsconfig\..*\.json|bin\.mjs)$/.test(basename(path));
cpSync("src", "dist", {
  recursive: true,
  filter: (path) => !notShipped(path) && (statSync(path).isDirectory() || !path.endsWith(".snap")),
});
