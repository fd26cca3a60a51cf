#!/usr/bin/env node
// The package's command. In a checkout it runs the source through tsx, so that it can never be an old build;
// the published package carries no source, only dist/, and runs on plain Node.
import { existsSync } from "node:fs";

const source = new URL("./main.ts", import.meta.url);

if (!existsSync(source)) {
  await import("../../dist/cli/main.js");
} else {
  const tsx = await import("tsx/esm/api").catch(() => undefined);
  if (tsx === undefined) {
    console.error("longhaul: this is a checkout without its tools. Type: npm ci");
    process.exit(2);
  }
  tsx.register();
  await import(source.href);
}
