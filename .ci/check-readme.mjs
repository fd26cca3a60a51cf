/**
 * The README's loop against the package as it is published: its types must hold on `dist/`. Run after `npm run build`;
 * that it also runs is the matter of src/simulate/readme-loop.test.ts.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const section = /## Use the library\n[\s\S]*?```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, "README.md"), "utf8"));
if (section === null) throw new Error("README.md: no ```ts block under “Use the library”");

const project = mkdtempSync(join(tmpdir(), "longhaul-readme-"));
try {
  mkdirSync(join(project, "node_modules"));
  symlinkSync(root, join(project, "node_modules/longhaul"));
  for (const name of ["@anthropic-ai", "@types"]) {
    symlinkSync(join(root, "node_modules", name), join(project, "node_modules", name));
  }
  writeFileSync(join(project, "package.json"), '{"type":"module"}\n');
  writeFileSync(join(project, "loop.ts"), section[1]);
  const options = [
    "--noEmit",
    "--strict",
    "--exactOptionalPropertyTypes",
    "--module",
    "nodenext",
    "--target",
    "es2023",
  ];
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const { status, stdout } = spawnSync(process.execPath, [tsc, ...options, "--types", "node", "loop.ts"], {
    cwd: project,
    encoding: "utf8",
  });
  process.stdout.write(status === 0 ? "README.md: the loop holds on the package's types\n" : stdout);
  process.exitCode = status ?? 1;
} finally {
  rmSync(project, { recursive: true });
}
